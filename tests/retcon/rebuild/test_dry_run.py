"""A plan says what a run would do, and does none of it."""

import json

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A spec whose first commit needs a fix."""
    made = messy_branch(repo)
    head, one, two, three = made.spec.read_text().split("[[commit]]")
    made.write_spec("[[commit]]".join([head, two, one, three]))
    return made


def plan(scene: Scene, *words: str) -> str:
    before = scene.repo.git("for-each-ref"), scene.spec.read_text()
    out = retcon_here(scene.repo.path, "-n", "history.toml", *words).ok().out
    assert (scene.repo.git("for-each-ref"), scene.spec.read_text()) == before
    return out


def test_a_plan_names_each_commit_and_its_hunks(scene: Scene) -> None:
    lines = plan(scene).splitlines()
    assert lines[0] == "Commit 1/3: Total a shop's rows  +9 -1"
    assert "price.py" in "".join(lines[1 : lines.index("")])
    assert "%" not in "".join(lines)


@pytest.mark.slow
def test_what_would_be_folded_is_said(scene: Scene) -> None:
    scene.run().ok()
    assert plan(scene) == "Nothing is left to plan.\n"
    assert plan(scene, "--squash-wip") == (
        "Folds 1 WIP commit at the end:\n  Commit 1/3: Total a shop's rows (1 WIP)\n"
    )
    scene.repo.git("config", "retcon.wip", "squash")
    assert "Folds 1 WIP commit" in plan(scene)
    folded = json.loads(plan(scene, "--json"))["folds"]
    assert folded == [{"position": 1, "wip": 1}]
    scene.run().ok()
    assert plan(scene, "--squash-wip") == "Nothing is left to plan.\n"


def test_nothing_is_folded_behind_a_commit_of_a_persons_own(scene: Scene) -> None:
    repo = scene.repo
    scene.run().ok()
    repo.git("checkout", "-q", "clean")
    repo.git("commit", "-q", "--allow-empty", "-m", "mine")
    repo.git("checkout", "-q", "main")
    assert plan(scene, "--squash-wip") == "Nothing is left to plan.\n"


def test_what_is_left_over_is_counted(scene: Scene) -> None:
    scene.write_spec(scene.spec.read_text().replace('["README.md"]', '["NOTHING"]'))
    out = plan(scene)
    assert "  nothing\n" in out
    assert "Left over, in no commit: 1 hunk\n" in out


def test_a_setting_that_a_run_refuses_is_refused(scene: Scene) -> None:
    scene.repo.git("config", "retcon.extract", "bogus")
    done = retcon_here(scene.repo.path, "-n", "history.toml")
    assert done.status == 128
    assert "bad value 'bogus' for 'retcon.extract'" in done.err
