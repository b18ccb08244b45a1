"""The command line of ``git heal``."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import CHECKOUT, heal_here


def test_what_is_no_command_and_no_file_is_wrong_usage(tmp_path: Path) -> None:
    done = heal_here(tmp_path, "workflow")
    assert (done.status, done.out) == (129, "")
    assert done.err == (
        "error: 'workflow' is neither a command nor a file\n"
        "hint: did you mean 'git heal workflows'?\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [["errors", ""], ["errors", "a", ""], ["check", "--log", ""], ["check", "--sarif="],
     ["check", "--junit="], ["run", ""]],
)  # fmt: skip
def test_an_empty_name_of_a_file_is_wrong_usage(tmp_path: Path, arguments: list[str]) -> None:
    done = heal_here(tmp_path, *arguments)
    assert done.status == 129
    assert "error: an empty name for the file\nhint: give its path\n" in done.err


def test_the_usage_lists_what_works_and_nothing_else(tmp_path: Path) -> None:
    for words in (["-h"], ["--help"]):
        out = heal_here(tmp_path, *words).ok().out
        listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
        assert listed == [
            "apply", "check", "clean", "completion", "demo", "errors", "fetch", "help",
            "install-hook", "log", "pre-push", "push", "reject", "run", "show", "undo",
            "workflows",
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
