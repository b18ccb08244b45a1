"""What steps tell the runner for the rest of their job."""

from pathlib import Path

from tests.heal.checks import check_steps


def test_a_pipe_is_no_file_of_matchers(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: mkfifo m.json && echo '::add-matcher::m.json'
        - run: echo '::add-matcher::none.json'
        """,
    )
    assert checked.jobs == ["job: passed"]
