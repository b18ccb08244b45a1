"""Where a run starts: at the base, also when the remote has moved on."""

import json

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, kill_at, messy_branch, recorded


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def stuck(scene: Scene, build: str = "test ! -e price.py") -> None:
    """A branch that is stuck at its second commit, because the source itself fails."""
    scene.write_spec(SPEC.replace(BUILD, build))
    done = scene.run()
    assert done.status == 1
    assert done.err.endswith("\nStopped at commit 2/3. See history.toml for details.\n")


@pytest.mark.slow
def test_the_way_back_is_the_tip_wherever_the_merge_base_has_moved(scene: Scene) -> None:
    scene.run().ok()
    tip = recorded(scene)[-1]
    scene.repo.git("branch", "-D", "clean")
    scene.repo.git("branch", "-f", "feature", scene.repo.git("commit-tree", "feature^{tree}",
        "-p", scene.repo.commit("Meanwhile", {"other.txt": "on\n"}), "-m", "all"))  # fmt: skip
    assert f"hint: 'git branch clean {tip[:12]}' brings it back;" in scene.run().err


@pytest.mark.slow
def test_the_remote_may_move_on_while_a_spec_is_being_built(scene: Scene) -> None:
    stuck(scene)
    scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.run("--build", BUILD).ok()
    scene.promise()
    assert "other.txt" not in scene.repo.git("ls-tree", "--name-only", "clean")


UNBUILT = SPEC.replace("build =", "# build =")


def unhook(scene: Scene) -> None:
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()


@pytest.mark.slow
def test_a_plan_after_an_edit_shows_what_will_be_rebuilt(scene: Scene) -> None:
    scene.run().ok()
    scene.write_spec(scene.spec.read_text().replace("Total a shop's rows", "Add up the rows"))
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert [commit["position"] for commit in plan["commits"]] == [2, 3]
    assert all(commit["hunks"] for commit in plan["commits"])
    assert plan["leftover"] == []
    whole = json.loads(scene.run("-n", "--json", "--restart").ok().out)
    assert [commit["position"] for commit in whole["commits"]] == [1, 2, 3]


def start_and_kill(scene: Scene) -> None:
    """A branch of ours that holds nothing yet: the run was killed when it had made it."""
    kill_at(scene, "committed", 1)
    assert scene.run().status < 0
    unhook(scene)
    assert scene.repo.rev("clean") == scene.repo.rev("main")


@pytest.mark.slow
def test_the_base_may_move_while_nothing_is_built(scene: Scene) -> None:
    start_and_kill(scene)
    meanwhile = scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.git("merge", "-q", "--no-edit", "main")
    scene.repo.git("checkout", "-q", "main")
    scene.run().ok()
    assert scene.repo.git("merge-base", "clean", "main") == meanwhile
    scene.promise()
