"""The command line of ``git heal``."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import CHECKOUT, heal_here


@pytest.mark.parametrize("word", ["apply", "reject", "undo", "demo"])
def test_what_is_planned_is_said_to_be_not_built_yet(tmp_path: Path, word: str) -> None:
    done = heal_here(tmp_path, word, "--anything")
    assert (done.status, done.out) == (128, "")
    assert done.err == (
        f"fatal: 'git heal {word}' is not built yet\nhint: 'git heal -h' lists what there is\n"
    )


@pytest.mark.parametrize("words", [[], ["--yes"], ["-n"]])
def test_healing_itself_is_not_built_yet(tmp_path: Path, words: list[str]) -> None:
    done = heal_here(tmp_path, *words)
    assert (done.status, done.err.splitlines()[0]) == (128, "fatal: 'git heal' is not built yet")


def test_what_is_no_command_is_wrong_usage(tmp_path: Path) -> None:
    done = heal_here(tmp_path, "workflow")
    assert (done.status, done.out) == (129, "")
    assert done.err == (
        "error: 'workflow' is no command of 'git heal'\nhint: did you mean 'git heal workflows'?\n"
    )


def test_the_usage_lists_what_works_and_nothing_else(tmp_path: Path) -> None:
    for words in (["-h"], ["--help"]):
        out = heal_here(tmp_path, *words).ok().out
        listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
        assert listed == [
            "check", "clean", "completion", "errors", "help", "install-hook", "log", "pre-push",
            "show", "workflows",
        ]  # fmt: skip


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert heal_here(tmp_path, "--version").ok().out.startswith("git-heal ")


def test_the_usage_is_as_light_as_that_of_git_retcon() -> None:
    heal, retcon = _imported("heal"), _imported("retcon")
    assert heal - retcon == {"git_retcon.commands.heal"}


def _imported(command: str) -> set[str]:
    """The modules that are imported once a command has printed its usage."""
    script = (
        "import sys, contextlib, io\n"
        f"from git_retcon.commands.{command} import main\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    main(['-h'])\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())
