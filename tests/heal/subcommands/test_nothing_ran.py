"""A check in which nothing ran says why."""

from pathlib import Path

from tests.heal.checks import new_project
from tests.program import heal_here


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
