"""Which checks are recorded whole, and which only repeat an earlier one."""

from pathlib import Path

from tests.heal.checks import check, new_project
from tests.heal.recorded import list_recorded

FORGIVEN = """\
    on: push
    jobs:
      a:
        runs-on: x
        steps:
        - uses: actions/checkout@v4
        - {name: bad, continue-on-error: true, run: 'echo "::error file=a.txt,line=1::x"; exit 1'}
    """


def test_a_check_that_passed_is_repeated_in_one_line(tmp_path: Path) -> None:
    workflow = "on: push\njobs: {a: {runs-on: x, steps: [{run: echo}]}}"
    repository = new_project(tmp_path / "project", workflow)
    for _ in range(2):
        assert check(repository).status == 0
    assert (repository.path / ".git/heal/repeats").exists()
    assert list_recorded(repository)[-1] == "2 passed (as 1)"
    assert not (repository.path / ".git/heal/repeats").exists()
    check(repository, "--force")
    assert [line for line in list_recorded(repository) if line[0] != " "] == [
        "1 passed",
        "2 passed (as 1)",
        "3 passed",
    ]


def test_errors_that_were_forgiven_are_named_again(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", FORGIVEN, {"a.txt": "a\n"})
    errors = [check(repository).data["errors"] for _ in range(2)]
    assert errors[0] == errors[1]
    assert [one["file"] for one in errors[0]] == ["a.txt"]
