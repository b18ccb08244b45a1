"""A check in which nothing ran says why."""

from pathlib import Path

from tests.heal.checks import new_project
from tests.program import heal_here
from tests.repository import new_repository


def test_a_detached_head_is_named_as_the_reason_that_nothing_ran(tmp_path: Path) -> None:
    workflow = "on: [push]\njobs: {ci: {runs-on: ubuntu-latest, steps: [{run: echo hi}]}}\n"
    repository = new_project(tmp_path / "project", workflow)
    repository.git("switch", "-q", "--detach")
    for command in (["check"], ["--offline"]):
        done = heal_here(repository.path, *command, "--trust")
        assert (done.status, done.err.splitlines()[-2:]) == (
            1,
            [
                "error: nothing ran: no branch is checked out, so no push would start a workflow",
                "hint: 'git switch' checks a branch out; '--workflow=ci' runs one all the same",
            ],
        )


def test_a_tool_that_is_not_here_is_named_as_the_reason_that_nothing_ran(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {"bun.lock": "", "package.json": '{"scripts": {"test": "x"}}'})
    done = heal_here(repository.path, "check", "--trust")
    assert (done.status, done.err.splitlines()[-2:]) == (
        1,
        [
            "error: nothing ran: bun is not here ('package.json')",
            "hint: 'git config --add heal.step COMMAND' names a command to run here",
        ],
    )
