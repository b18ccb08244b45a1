"""The command line of ``git allium``."""

from pathlib import Path

import pytest

from tests.program import allium_here


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        ([], "no command is named", "'git allium -h' lists them"),
        (["chek"], "'chek' is no command of 'git allium'", "did you mean 'git allium check'?"),
        (["x.allium"], "'x.allium' is no command of 'git allium'", "'git allium -h' lists all"),
    ],
)
def test_a_command_must_be_named(tmp_path: Path, words: list[str], error: str, hint: str) -> None:
    (tmp_path / "x.allium").write_text("")
    done = allium_here(tmp_path, *words)
    assert (done.status, done.out, done.err) == (129, "", f"error: {error}\nhint: {hint}\n")


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert allium_here(tmp_path, "--version").ok().out.startswith("git-allium ")
