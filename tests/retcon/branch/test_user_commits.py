"""Commits that a person makes on the branch, and edits of the spec, between two runs."""

import json

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, kill_at, messy_branch, recorded

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def unhook(scene: Scene) -> None:
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()


def one_more(scene: Scene) -> None:
    """A finished branch, and then a commit on the source that no logical commit is for."""
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"later.txt": "later\n"})
    scene.repo.git("checkout", "-q", "main")


def test_a_persons_commit_before_a_stuck_commit_has_any(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace("Say what this is", "Say"))
    head, one, two, three = scene.spec.read_text().split("[[commit]]")
    scene.run().ok()
    made = recorded(scene)
    scene.repo.git("update-ref", "refs/heads/clean", made[0])
    stuck = '\nhistory = [{ stuck = "cannot" }]\n\n'
    done = f'\nhistory = [{{ commit_created = "{made[0]}" }}, "complete"]\n\n'
    scene.write_spec("[[commit]]".join([head, one.rstrip() + done, two.rstrip() + stuck, three]))
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    done_ = scene.run().ok()
    assert f"Recording your commit {mine[:7]} in commit 2" in done_.err
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    assert shown["commits"][0]["commits"] == [made[0]]
    assert shown["commits"][1]["commits"][0] == mine
    assert "Total a shop's rows" in scene.repo.subjects("main..clean")
    scene.promise()


def test_a_leftover_whose_commit_was_killed_goes_on_as_that(scene: Scene) -> None:
    one_more(scene)
    kill_at(scene, "prepared", 1)
    assert scene.run().status < 0
    unhook(scene)
    assert scene.spec.read_text().count("[[commit]]") == 4
    scene.run().ok()
    assert scene.repo.subjects("main..clean")[3:] == ["WIP: remaining changes from feature"]
    scene.promise()
