"""``git retcon clean`` removes the worktrees kept for builds, and says which are busy."""

import fcntl
import json
from pathlib import Path

import pytest

from git_retcon.run.kept_worktrees import lock_of
from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A repository for which one worktree is kept."""
    made = messy_branch(repo)
    made.run().ok()
    return made


def worktrees(scene: Scene, *words: str) -> list[Path]:
    done = retcon_here(scene.repo.path, "clean", "-n", "--json", *words).ok()
    listed = json.loads(done.out)["worktrees"]
    assert not any(each["removed"] for each in listed)
    return [Path(each["path"]) for each in listed]


@pytest.mark.slow
def test_a_dry_run_lists_and_removes_nothing(scene: Scene) -> None:
    (kept,) = worktrees(scene)
    line = retcon_here(scene.repo.path, "clean", "-n", "-q").ok().out
    assert line.startswith(f"{kept}  ")
    assert line.endswith(" MB\n")
    assert kept.is_dir()


@pytest.mark.slow
def test_what_is_removed_is_named(scene: Scene) -> None:
    (kept,) = worktrees(scene)
    done = retcon_here(scene.repo.path, "clean").ok()
    assert done.out.startswith(f"removed {kept}  ")
    assert not kept.exists()
    assert worktrees(scene) == []


@pytest.mark.slow
def test_a_program_gets_what_was_removed(scene: Scene) -> None:
    (kept,) = worktrees(scene)
    (removed,) = json.loads(retcon_here(scene.repo.path, "clean", "--json").ok().out)["worktrees"]
    assert (removed["path"], removed["removed"]) == (str(kept), True)
    assert removed["bytes"] > 0


@pytest.mark.slow
def test_a_busy_one_stays_and_is_worth_a_retry(scene: Scene) -> None:
    (kept,) = worktrees(scene)
    with lock_of(kept).open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = retcon_here(scene.repo.path, "clean", "--json")
    told = json.loads(done.out)
    assert (done.status, told["status"], told["reason"]) == (1, "failed", "locked")
    assert [each["removed"] for each in told["worktrees"]] == [False]
    assert told["next"] == [["git", "retcon", "clean", "--json"]]
    assert "warning: another process is using the worktree" in done.err
    assert kept.is_dir()


@pytest.mark.slow
def test_those_of_other_repositories_are_named_only_when_asked(
    scene: Scene, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    done = retcon_here(outside, "clean", "-n").ok()
    assert (done.out, done.err) == (
        "", "hint: not in a repository; --all lists the worktrees of every repository\n"
    )  # fmt: skip
    assert retcon_here(outside, "clean", "-n", "-q").ok().err == ""
    assert retcon_here(outside, "clean", "-n", "--all").ok().out != ""
