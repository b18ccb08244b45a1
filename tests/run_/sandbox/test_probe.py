"""A sandbox is believed to work where a command really ran in it."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.sandbox.probe import find_fault, version_of


@dataclass(frozen=True)
class Wrapper:
    """Runs a command under a shell script of the test's."""

    script: str

    def prefix(self, confinement: Confinement) -> list[str]:
        return ["sh", "-c", self.script, "sh"]


def test_what_works_has_no_fault(sandbox: Sandbox) -> None:
    assert find_fault(sandbox) is None


def test_what_runs_nothing_does_not_work() -> None:
    assert find_fault(Wrapper("exit 0")) == "a command ran and wrote nothing"


@pytest.mark.parametrize("program", ["bwrap", "unshare", "setpriv"])
def test_the_fault_is_the_last_line_without_the_program(program: str) -> None:
    script = f"echo 'a warning' >&2; echo '{program}: no permission' >&2; exit 1"
    assert find_fault(Wrapper(script)) == "no permission"
    assert find_fault(Wrapper("exit 3")) == "exit status 3"


def test_a_shell_that_is_out_of_sight_inside_is_a_fault(
    tmp_path: Path, strong_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What PATH names is shown; what a link there leads to, below a covered folder, is not."""
    tools, hidden = tmp_path / "tools", tmp_path / "hidden"
    tools.mkdir()
    hidden.mkdir()
    (hidden / "sh").write_text('#!/bin/sh\nexec /bin/sh "$@"\n')
    (hidden / "sh").chmod(0o755)
    (tools / "sh").symlink_to(hidden / "sh")
    monkeypatch.setenv("PATH", str(tools))
    fault = find_fault(strong_sandbox)
    assert fault is not None


def test_the_version_is_the_last_word() -> None:
    assert version_of(sys.executable) == ".".join(map(str, sys.version_info[:3]))
