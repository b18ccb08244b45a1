"""``git retcon status`` says how far a spec is; ``resolve`` adds a person's note to it."""

import json
import re

import pytest

from git_retcon.retcon.branch.spec_lock import lock_spec
from tests.program import retcon, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def status(scene: Scene) -> list[str]:
    return retcon_here(scene.repo.path, "status").out.splitlines()


@pytest.mark.slow
def test_each_commit_has_its_status(scene: Scene) -> None:
    assert status(scene) == [
        "clean: 0 of 3 commits complete",
        "  1. Count money in cents [not started]",
        "  2. Total a shop's rows [not started]",
        "  3. Say what this is [not started]",
    ]
    scene.run().ok()
    assert status(scene)[:2] == [
        "clean: 3 of 3 commits complete",
        "✓ 1. Count money in cents [complete]",
    ]


def test_a_stuck_commit_is_a_no_with_its_summary(scene: Scene) -> None:
    retcon_here(scene.repo.path, "--build", "false")
    done = retcon_here(scene.repo.path, "status")
    assert done.status == 1
    assert done.out.splitlines()[1] == "✗ 1. Count money in cents [stuck]"
    assert "'feature' itself fails" in done.out.splitlines()[2]


def test_a_note_is_written_and_ends_being_stuck(scene: Scene) -> None:
    retcon_here(scene.repo.path, "--build", "false")
    done = retcon_here(scene.repo.path, "resolve", "history.toml", "swapped them").ok()
    assert done.out == ""
    assert done.err == (
        "Noted at commit 1: Count money in cents\nhint: 'git retcon history.toml' goes on\n"
    )
    assert 'resolved = "swapped them"' in scene.spec.read_text()
    told = retcon_here(scene.repo.path, "status", "--json").ok()
    assert json.loads(told.out)["commits"][0]["status"] == "resolved"
    assert json.loads(told.out)["commits"][0]["stuck"] is None


def test_there_must_be_something_to_resolve_and_to_say(scene: Scene) -> None:
    def refused(note: str) -> dict[str, object]:
        done = retcon_here(scene.repo.path, "resolve", "history.toml", note, "--json")
        assert done.status == 128
        found: dict[str, object] = json.loads(done.out)
        return found

    none = refused("note")
    assert none["error"] == "no commit of 'history.toml' is stuck"
    assert none["next"] == [["git", "retcon", "status", "history.toml"]]
    retcon_here(scene.repo.path, "--build", "false")
    assert (refused(" \n")["reason"], refused("")["error"]) == ("invalid", "the note is empty")


UNBUILT = SPEC.replace("build =", "# build =")


@pytest.mark.slow
def test_status_is_coloured_where_that_is_asked_for(scene: Scene) -> None:
    scene.run().ok()
    plain = retcon(scene.repo.path, "status", "history.toml", "--color=never").out
    painted = retcon(scene.repo.path, "status", "history.toml", "--color=always").out
    assert "\x1b[32m✓\x1b[m 1. " in painted
    assert re.sub(r"\x1b\[\d*m", "", painted) == plain


def test_a_note_is_not_written_into_the_middle_of_a_run(scene: Scene) -> None:
    retcon_here(scene.repo.path, "--build", "false")
    before = scene.spec.read_bytes()
    with lock_spec(scene.repo.open(), scene.spec):
        done = retcon_here(scene.repo.path, "resolve", "history.toml", "swapped them", "--json")
    assert (done.status, json.loads(done.out)["reason"]) == (128, "locked")
    assert scene.spec.read_bytes() == before
