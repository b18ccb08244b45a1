"""The command line of ``git code-commit``: which options go together."""

from pathlib import Path

import pytest

from tests.program import code_commit_here


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--query", "a", "--file", "b"], "--query and --file contradict each other"),
        (["-F", "-", "--response", "-"], "only one of --file and --response can be standard input"),
        (["-m", "text"], "--message is for --commit"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, words: list[str], error: str
) -> None:
    for before in ([], ["run"]):
        done = code_commit_here(tmp_path, *before, *words)
        assert (done.status, done.out) == (129, "")
        assert done.err.splitlines()[0] == f"error: {error}"


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert code_commit_here(tmp_path, "--version").ok().out.startswith("git-code-commit ")
