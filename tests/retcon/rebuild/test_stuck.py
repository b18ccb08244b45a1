"""A stuck commit: said, saved, and not built again while nothing has changed."""

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch, recorded

SUBJECTS = ["Count money in cents", "Total a shop's rows", "Say what this is"]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def finished(scene: Scene) -> None:
    """Everything is there once, recorded, and equal to the source."""
    scene.promise()
    assert scene.repo.subjects("main..clean") == SUBJECTS
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


def stuck(scene: Scene, build: str = "test ! -e price.py") -> None:
    """A branch that is stuck at its second commit, because the source itself fails."""
    scene.write_spec(SPEC.replace(BUILD, build))
    done = scene.run()
    assert done.status == 1
    assert done.err.endswith("\nStopped at commit 2/3. See history.toml for details.\n")


def test_stuck_says_so_saves_it_and_stops(scene: Scene) -> None:
    stuck(scene)
    assert "'feature' itself fails this build (exit status 1)" in scene.spec.read_text()
    shown = retcon(scene.repo.path, "status", "history.toml")
    assert shown.status == 1
    assert shown.out.splitlines()[:3] == [
        "clean: 1 of 3 commits complete",
        "✓ 1. Count money in cents [complete]",
        "✗ 2. Total a shop's rows [stuck]",
    ]


def test_unchanged_it_says_so_again_and_builds_nothing(scene: Scene) -> None:
    counter = scene.repo.path / ".git/builds"
    stuck(scene, f"echo x >> {counter}; test ! -e price.py")
    before = counter.read_text(), scene.spec.read_bytes()
    again = scene.run()
    assert again.status == 1
    assert "Resuming from commit 2/3 (previously stuck)..." in again.err
    assert "warning: nothing has changed since" in again.err
    assert (counter.read_text(), scene.spec.read_bytes()) == before


def test_resolved_tries_again_and_shows_the_note(scene: Scene) -> None:
    stuck(scene)
    done = retcon(scene.repo.path, "resolve", "history.toml", "the build was wrong")
    assert done.status == 0
    assert '{ resolved = "the build was wrong" },' in scene.spec.read_text()
    again = scene.run("--build", BUILD).ok()
    assert "(previously resolved)..." in again.err
    assert "the build was wrong" in again.err
    finished(scene)
    assert retcon(scene.repo.path, "resolve", "history.toml", "x").status == 128


UNBUILT = SPEC.replace("build =", "# build =")


def one_more(scene: Scene) -> None:
    """A finished branch, and then a commit on the source that no logical commit is for."""
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"later.txt": "later\n"})
    scene.repo.git("checkout", "-q", "main")


@pytest.mark.slow
def test_another_leftover_counts_as_a_change(scene: Scene) -> None:
    one_more(scene)
    assert scene.run("--leftover=stop").status == 1
    assert "nothing has changed" in scene.run("--leftover=stop").err
    done = scene.run().ok()
    assert "nothing has changed" not in done.err
    scene.promise()
