"""A word that is no subcommand begins a run, unless it is nearly the name of one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import git_retcon
from tests.program import Ran, allium_here, code_commit_here, heal_here, retcon_here
from tests.repository import TestRepository


@pytest.mark.parametrize(
    ("word", "meant"), [("statsu", "status"), ("undoo", "undo"), ("complete", "completion")]
)
def test_a_misspelled_subcommand_is_named(tmp_path: Path, word: str, meant: str) -> None:
    done = retcon_here(tmp_path, word)
    assert (done.status, done.out) == (129, "")
    assert done.err == (
        f"error: '{word}' is neither a command nor a file\n"
        f"hint: did you mean 'git retcon {meant}'?\n"
    )


def test_it_is_the_same_for_every_command(tmp_path: Path) -> None:
    done = code_commit_here(tmp_path, "rolup")
    assert done.err == (
        "error: 'rolup' is neither a command nor a file\n"
        "hint: did you mean 'git code-commit rollup'?\n"
    )
    other = code_commit_here(tmp_path, "question")
    assert (other.status, other.err.splitlines()[0]) == (
        129,
        "error: got unexpected extra argument (question)",
    )


def test_a_file_may_be_called_nearly_as_a_subcommand(tmp_path: Path) -> None:
    (tmp_path / "statsu").write_text("")
    assert "neither" not in retcon_here(tmp_path, "statsu").err


def test_an_option_is_no_misspelled_subcommand(tmp_path: Path) -> None:
    assert "neither" not in retcon_here(tmp_path, "-undo").err


def test_nothing_at_all_is_a_run(tmp_path: Path) -> None:
    assert retcon_here(tmp_path).err.startswith("error: no spec file here\n")


def test_words_behind_two_dashes_are_no_options(repo: TestRepository) -> None:
    """A file may be called --json, and a value of an option may be "--"."""
    done = retcon_here(repo.path, "run", "--", "--json")
    assert (done.status, done.out) == (128, "")
    assert done.err.startswith("fatal: no such spec file: '--json'\n")
    colored = retcon_here(repo.path, "run", "--build", "--", "--color", "x.toml")
    assert colored.err.startswith("fatal: no such spec file: 'x.toml'\n")
    surplus = retcon_here(repo.path, "status", "x.toml", "--", "--json")
    assert (surplus.status, surplus.out) == (129, "")


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("git-retcon", retcon_here),
        ("git-heal", heal_here),
        ("git-allium", allium_here),
        ("git-code-commit", code_commit_here),
    ],
)
def test_the_version_is_there_for_programs_too(
    tmp_path: Path, name: str, program: Callable[..., Ran]
) -> None:
    plain = program(tmp_path, "--version").ok().out
    assert plain == f"{name} {git_retcon.__version__}\n"
    done = program(tmp_path, "--version", "--json", "-q", "--color=never").ok()
    assert json.loads(done.out) == {
        "version": 1,
        "status": "done",
        "program": name,
        "release": git_retcon.__version__,
    }
    wrong = program(tmp_path, "--version", "--nosuch", "--json")
    assert (wrong.status, json.loads(wrong.out)["reason"]) == (129, "usage")
