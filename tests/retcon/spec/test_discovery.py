"""Where no spec is named, the only one in the directory is meant."""

import contextlib
from pathlib import Path

import pytest

from git_retcon.errors import WrongUsage
from git_retcon.retcon.spec.discovery import find_spec
from tests.program import retcon_here

SPEC = 'cleaned = "c"\n[[commit]]\nmessage = "m"\n'


def found(where: Path, given: Path | None = None) -> Path:
    with contextlib.chdir(where):
        return find_spec(given)


def test_a_spec_that_is_named_is_taken_as_it_is(tmp_path: Path) -> None:
    assert found(tmp_path, Path("no/such.toml")) == Path("no/such.toml")


def test_the_only_spec_is_found_among_other_files(tmp_path: Path) -> None:
    (tmp_path / "history.toml").write_text(SPEC)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "half.toml").write_text("[[commit]]\n")
    (tmp_path / "other.toml").write_text("cleaned = 1\n")
    (tmp_path / "latin.toml").write_bytes(SPEC.encode() + b"\xe9")
    (tmp_path / "folder.toml").mkdir()
    assert found(tmp_path) == Path("history.toml")


def test_commits_may_be_written_as_a_list(tmp_path: Path) -> None:
    (tmp_path / "inline.toml").write_text('cleaned = "c"\ncommit = [{ message = "m" }]\n')
    (tmp_path / "pyproject.toml").write_text('cleaned = "c"\ncommit = "m"\nold-commit = []\n')
    assert found(tmp_path) == Path("inline.toml")


def test_two_are_a_question_with_its_answers(tmp_path: Path) -> None:
    for name in ("b.toml", "a.toml"):
        (tmp_path / name).write_text(SPEC)
    with pytest.raises(
        WrongUsage, match=r"which spec\? there are 2 here: a\.toml, b\.toml"
    ) as caught:
        found(tmp_path)
    assert caught.value.commands == [["git", "retcon", "a.toml"], ["git", "retcon", "b.toml"]]


def test_the_hint_names_the_subcommand_that_asked(tmp_path: Path) -> None:
    for name in ("b.toml", "a.toml"):
        (tmp_path / name).write_text(SPEC)
    told = {
        words: retcon_here(tmp_path, *words).err.partition("hint: ")[2]
        for words in [
            ("adopt",), ("edit",), ("hunks",), ("review", "--undo"), ("show", "abcd"), ("status",),
        ]
    }  # fmt: skip
    for words, hint in told.items():
        assert hint == f"name it: 'git retcon {' '.join(words)} SPEC'\n"


def test_none_is_a_question_of_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match=r"^no spec file here$") as caught:
        found(tmp_path)
    assert caught.value.commands == [["git", "retcon", "plan"]]
