"""A real ``git push`` with the hook: refused where a job fails, and for no other reason."""

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.heal.checks import new_project
from tests.program import CHECKOUT, Ran, heal_here, rest
from tests.repository import TestRepository

STEPS = "[{uses: actions/checkout@v4}, {run: test -f good}]"
PASSES = f"on: push\njobs: {{a: {{runs-on: x, steps: {STEPS}}}}}"
WINDOWS = "on: push\njobs: {a: {runs-on: windows-latest, steps: [{run: echo}]}}"
SKIPS = "on: push\njobs: {a: {runs-on: x, steps: [{run: sudo true}, {run: echo}]}}"


class Pusher:
    """A clone with the hook, and the bare repository that it pushes to."""

    def __init__(self, top: Path, workflow: str, *, on_path: bool = True) -> None:
        self.repository = new_project(top / "project", workflow, {"good": "x"})
        subprocess.run(["git", "init", "-q", "--bare", str(top / "bare")], check=True)
        self.repository.git("remote", "add", "origin", str(top / "bare"))
        heal_here(self.repository.path, "install-hook").ok()
        programs = top / "bin"
        programs.mkdir()
        if on_path:
            script = f'#!/bin/sh\nexec {sys.executable} -P -m git_retcon.commands.heal "$@"\n'
            (programs / "git-heal").write_text(script)
            (programs / "git-heal").chmod(0o755)
        path = f"{programs}{os.pathsep}{_path_without_heal()}"
        self.env = {**os.environ, "PATH": path, "PYTHONPATH": str(CHECKOUT)}
        self.bare = TestRepository(top / "bare")

    def push(self, *arguments: str) -> Ran:
        """Push without a terminal."""
        done = subprocess.run(
            ["git", "push", "-q", "origin", *(arguments or ["HEAD"])],
            cwd=self.repository.path, env=self.env, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    def trust(self) -> None:
        heal_here(self.repository.path, "check", "--trust", "--job=a")

    def list_pushed(self) -> list[str]:
        return self.bare.git("for-each-ref", "--format=%(refname:short)").splitlines()


def _path_without_heal() -> str:
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(one for one in folders if not (Path(one) / "git-heal").exists())


@pytest.mark.slow
def test_what_failed_is_refused_and_what_passed_is_pushed(tmp_path: Path) -> None:
    pusher = Pusher(tmp_path, PASSES)
    pusher.trust()
    assert pusher.push().status == 0
    assert pusher.list_pushed() == ["main"]
    pusher.repository.git("switch", "-qc", "topic")
    pusher.repository.commit("break", {"good": None})
    refused = pusher.push()
    assert refused.status == 1
    assert "a  failed: test -f good: exit status 1" in refused.err
    assert "error: this push is refused: 1 job failed" in refused.err
    assert "hint: 'git push --no-verify' pushes all the same" in refused.err
    assert pusher.list_pushed() == ["main"]
    assert pusher.push("--no-verify", "HEAD").status == 0
    assert pusher.list_pushed() == ["main", "topic"]


@pytest.mark.slow
def test_the_commit_is_checked_and_not_what_lies_around(tmp_path: Path) -> None:
    pusher = Pusher(tmp_path, PASSES)
    pusher.trust()
    (pusher.repository.path / "good").unlink()
    assert pusher.push().status == 0
    pusher.repository.commit("break")
    pusher.repository.write({"good": "only here", ".github/workflows/ci.yml": "broken: ["})
    assert pusher.push().status == 1


@pytest.mark.slow
def test_what_cannot_be_checked_is_said_and_pushed(tmp_path: Path) -> None:
    untrusted = Pusher(tmp_path / "1", PASSES)
    done = untrusted.push()
    assert (done.status, untrusted.list_pushed()) == (0, ["main"])
    assert "warning: this push is not checked: nothing was run: '.github/workflows'" in done.err
    assert done.err.splitlines()[-1] == "hint: 'git heal check' shows the commands and asks"
    nothing = Pusher(tmp_path / "2", WINDOWS)
    done = nothing.push()
    assert (done.status, nothing.list_pushed()) == (0, ["main"])
    assert "warning: nothing ran, so this push is not checked (1 job: 1 not run)" in done.err
    skips = Pusher(tmp_path / "3", SKIPS)
    skips.trust()
    done = skips.push()
    assert (done.status, skips.list_pushed()) == (0, ["main"])
    assert "warning: this push is not checked whole: 1 job: 1 incomplete" in done.err


@pytest.mark.slow
def test_what_is_not_checked_out_is_said_and_pushed(tmp_path: Path) -> None:
    pusher = Pusher(tmp_path, PASSES)
    pusher.trust()
    pusher.repository.git("branch", "old")
    pusher.repository.commit("break", {"good": None})
    done = pusher.push("old")
    assert (done.status, pusher.list_pushed()) == (0, ["old"])
    assert "warning: what is pushed is not checked out here, so it is not checked" in done.err
    pusher.repository.git("tag", "-am", "bad", "v1")
    assert pusher.push("v1").status == 1
    assert pusher.push("--delete", "old").status == 0
    assert pusher.list_pushed() == []


@pytest.mark.slow
def test_where_the_program_is_gone_it_is_said_and_pushed(tmp_path: Path) -> None:
    pusher = Pusher(tmp_path, PASSES, on_path=False)
    done = pusher.push()
    assert (done.status, pusher.list_pushed()) == (0, ["main"])
    assert done.err == "warning: git-heal is not on PATH: this push is not checked\n"


@pytest.mark.slow
def test_a_person_is_asked_on_the_terminal(tmp_path: Path) -> None:
    pusher = Pusher(tmp_path, PASSES)
    pusher.repository.commit("break", {"good": None})
    child = pexpect.spawn(
        "git", ["push", "origin", "HEAD"], cwd=str(pusher.repository.path), env=pusher.env,
        encoding="utf-8", timeout=120,
    )  # fmt: skip
    child.expect("Do you trust them")
    child.sendline("yes")
    refused = rest(child)
    assert refused.status == 1
    assert "this push is refused: 1 job failed" in refused.out
