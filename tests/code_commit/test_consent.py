"""The question about a build that passes outside of the sandbox and fails in it.

A law over ``run``, ``builder``, ``session`` and ``git_retcon.run.consent``.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

from git_retcon.run.sandbox.bubblewrap import Missing
from git_retcon.run.sandbox.landlock import find_landlock
from tests.code_commit.project import answer_of, snapshot
from tests.model.loopback import LoopbackApi, says
from tests.program import code_commit, on_terminal, rest
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

RIGHT = answer_of({"src/a.txt": "two\n"})
WRONG = answer_of({"src/a.txt": "three\n"})
FAILS = "build.sh' ends with status 1 in the sandbox, before a model wrote anything"
QUESTION = FAILS + "; if it passes outside, run it without the sandbox"
LET_OUT = "build.sh' cannot be sandboxed: it passes outside and ends with status 1 inside"


@pytest.fixture(autouse=True)
def licensed(project: TestRepository, sealed: Path) -> None:
    """A build that needs what the sandbox hides, and passes where a file has any of two words."""
    (sealed / ".netrc").write_text("what the build wants to see, and the sandbox hides")
    script = '#!/bin/sh\ncat "$HOME/.netrc" && grep -qx "one\\|two" src/a.txt\n'
    project.commit("a licence", {"build.sh": script})


@pytest.mark.slow
@needs_strong_sandbox
def test_yes_runs_the_build_without(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(RIGHT.decode()))
    child = on_terminal("code_commit", project.path, env=api.env)
    child.expect(QUESTION + r".*\[y/N\] ")
    assert api.requests == []
    child.sendline("y")
    done = rest(child)
    assert done.status == 0, done.out
    assert "it runs without" in done.out
    assert len(api.requests) == 1
    assert (project.path / "src/a.txt").read_text() == "two\n"


@needs_strong_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("answer", ["n", "", "maybe", "\x04"])
def test_any_answer_but_yes_ends_it_and_nothing_is_lost(
    project: TestRepository, api: LoopbackApi, answer: str
) -> None:
    before = snapshot(project.path)
    child = on_terminal("code_commit", project.path, env=api.env)
    child.expect(QUESTION)
    child.sendline(answer)
    done = rest(child)
    assert done.status == 1
    assert (
        f"{FAILS}, and nobody agreed to run it outside\r\nhint: '--sandbox=off' runs it without"
        in done.out
    )
    assert api.requests == []
    assert snapshot(project.path) == before
    api.script(says(RIGHT.decode()))
    code_commit(project.path, "--sandbox=off", env=api.env).ok()


@pytest.mark.slow
@needs_strong_sandbox
def test_an_interrupt_at_the_question_is_one(project: TestRepository, api: LoopbackApi) -> None:
    before = snapshot(project.path)
    child = on_terminal("code_commit", project.path, env=api.env)
    child.expect(QUESTION)
    child.sendintr()
    assert rest(child).status == 130
    assert api.requests == []
    assert snapshot(project.path) == before


@needs_strong_sandbox
def test_yes_said_beforehand_is_not_asked_for(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(RIGHT.decode()))
    done = rest(on_terminal("code_commit", project.path, "--yes", env=api.env))
    assert done.status == 0, done.out
    assert "[y/N]" not in done.out
    assert f"{LET_OUT}; it runs without" in done.out


@needs_strong_sandbox
def test_without_a_terminal_nobody_is_asked_and_nothing_runs_outside(
    project: TestRepository, api: LoopbackApi
) -> None:
    build = 'echo x >>"$HOME/ran"; cat "$HOME/.netrc"'
    done = code_commit(project.path, "--build", build)
    assert "in the sandbox, before a model wrote anything; whether it passes outside" in done.err
    assert "[y/N]" not in done.err
    assert not (Path(os.environ["HOME"]) / "ran").exists()
    code_commit(project.path, "--abort")
    api.script(says(RIGHT.decode()))
    found = json.loads(code_commit(project.path, "--yes", "--json", env=api.env).ok().out)
    assert (found["status"], found["sandbox"]) == ("passed", "none (allowed)")


@pytest.mark.slow
@needs_strong_sandbox
def test_what_was_agreed_to_counts_for_every_attempt_of_the_session(
    project: TestRepository,
) -> None:
    waiting = code_commit(project.path, "--yes")
    assert "ready to paste" in waiting.err
    wrong = code_commit(project.path, "--response", "-", stdin=WRONG)
    assert "FAIL" in wrong.err
    assert "runs without a sandbox, as was agreed to" in wrong.err
    required = code_commit(project.path, "--response", "-", "--sandbox=require", stdin=RIGHT)
    assert required.status == 1
    assert "cannot be sandboxed, and a sandbox is required" in required.err
    code_commit(project.path, "--response", "-", stdin=RIGHT).ok()


@pytest.mark.slow
@needs_strong_sandbox
def test_a_build_that_fails_everywhere_is_tried_once_a_session(project: TestRepository) -> None:
    project.write({".git/info/exclude": "runs\n"})
    build = "echo x >>runs; grep -q two src/a.txt"
    code_commit(project.path, "--build", build)
    assert (project.path / "runs").read_text() == "x\n"  # inside alone: nobody was there to ask
    code_commit(project.path, "--response", "-", stdin=RIGHT).ok()
    assert (project.path / "runs").read_text() == "x\nx\n"


@pytest.mark.slow
@needs_strong_sandbox
def test_another_build_command_is_asked_about_while_the_tree_is_the_users(
    project: TestRepository,
) -> None:
    code_commit(project.path, "--build", "true")
    build = 'cat "$HOME/.netrc"'
    done = code_commit(project.path, "--response", "-", "--build", build, "--yes", stdin=RIGHT).ok()
    assert f"'{build}' cannot be sandboxed" in done.err


@pytest.fixture
def weak_machine(tmp_path: Path) -> dict[str, str]:
    """An environment in which neither bubblewrap nor unshare is found."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh", "cat", "grep", "env"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    return {"PATH": str(tools), "GIT_RETCON_SANDBOX": "auto"}


@pytest.mark.slow
def test_a_weak_sandbox_is_asked_about_before_anything_runs(
    project: TestRepository, weak_machine: dict[str, str]
) -> None:
    if isinstance(find_landlock(), Missing):
        pytest.skip("Landlock does not work here")
    before = snapshot(project.path)
    done = code_commit(project.path, "--build", "echo x >ran", "--json", env=weak_machine)
    assert done.status == 1
    failure = json.loads(done.out)
    assert failure["reason"] == "needs_answer"
    assert "Landlock" in failure["error"] and "reading secrets in the tree" in failure["error"]
    assert "install the package 'bubblewrap'" in failure["hint"]
    assert any("--yes" in command for command in failure["next"])
    assert snapshot(project.path) == before
    code_commit(project.path, "--build", "echo x >ran", "--yes", env=weak_machine)
    assert (project.path / "ran").exists()


def test_a_weak_sandbox_is_none_where_one_is_required(
    project: TestRepository, weak_machine: dict[str, str]
) -> None:
    arguments = ("--build", "echo x >ran", "--sandbox=require", "--yes")
    done = code_commit(project.path, *arguments, env=weak_machine)
    assert done.status == 1
    assert "bubblewrap is not installed" in done.err
    assert not (project.path / "ran").exists()
