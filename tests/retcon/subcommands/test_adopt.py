"""The source branch becomes the result, where nothing can be lost by it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.program import Ran, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A finished branch, with the messy one checked out."""
    made = messy_branch(repo)
    made.write_spec(made.spec.read_text().replace("build = ", "# build = "))
    retcon_here(repo.path, "history.toml").ok()
    repo.git("checkout", "-q", "feature")
    return made


def adopt(scene: Scene, *words: str) -> Ran:
    return retcon_here(scene.repo.path, "adopt", *words, "history.toml")


def test_the_branch_moves_and_the_old_one_is_kept(scene: Scene) -> None:
    before, after = (scene.repo.git("rev-parse", name) for name in ("feature", "clean"))
    shown = json.loads(adopt(scene, "--json").ok().out)
    assert (shown["before"], shown["after"]) == (before, after)
    assert scene.repo.git("rev-parse", "feature") == after
    assert scene.repo.git("rev-parse", shown["kept"]) == before
    assert scene.repo.git("symbolic-ref", "HEAD") == "refs/heads/feature"
    assert scene.repo.git("status", "--porcelain") == ""
    assert shown["push"] is None
    again = adopt(scene).ok()
    assert "git push" not in again.out + again.err
    scene.repo.git("remote", "add", "theirs", "nowhere")
    assert "hint: 'git push -u theirs feature' publishes it\n" in adopt(scene).ok().err
    assert "'feature' is the result already" in again.out + again.err
    retcon_here(scene.repo.path, "history.toml").ok()
    assert scene.repo.git("rev-parse", "clean") == after


def test_a_dry_run_moves_nothing(scene: Scene) -> None:
    before = scene.repo.git("for-each-ref")
    done = adopt(scene, "-n").ok()
    assert "'feature' would move from " in done.out + done.err
    assert scene.repo.git("for-each-ref") == before


def test_uncommitted_changes_refuse_it(scene: Scene) -> None:
    scene.repo.write({"shop.py": "edited\n", "new.py": "untracked\n"})
    before = scene.repo.git("rev-parse", "feature")
    done = adopt(scene)
    assert done.status == 128
    assert "with uncommitted changes: shop.py\n" in done.err
    assert scene.repo.git("rev-parse", "feature") == before
    scene.repo.git("checkout", "-q", "main", "--", "shop.py")  # staged is uncommitted too
    assert adopt(scene).status == 128


def test_a_tracked_spec_may_differ_by_what_the_run_wrote(repo: TestRepository) -> None:
    made = messy_branch(repo)
    made.write_spec(made.spec.read_text().replace("build = ", "# build = "))
    repo.git("checkout", "-q", "feature")
    repo.git("add", "-f", "history.toml")
    repo.git("commit", "-qm", "Describe the history")
    retcon_here(repo.path, "--trust", "history.toml").ok()
    written = made.spec.read_bytes()
    adopt(made).ok()
    assert repo.git("rev-parse", "feature") == repo.git("rev-parse", "clean")
    assert made.spec.read_bytes() == written


def test_uncommitted_changes_in_another_checkout_refuse_it(scene: Scene, tmp_path: Path) -> None:
    other = tmp_path / "other"
    scene.repo.git("worktree", "add", "-q", "--force", str(other), "feature")
    (other / "shop.py").write_text("edited\n")
    done = adopt(scene)
    assert done.status == 128
    assert f"checked out at '{other}' with uncommitted changes: shop.py\n" in done.err
    shutil.rmtree(other)
    adopt(scene).ok()


def test_it_is_refused_while_the_result_is_not_complete(scene: Scene) -> None:
    scene.repo.commit("one more", {"more.py": "x = 1\n"})
    done = adopt(scene)
    assert done.status == 128
    assert "'clean' is not complete yet" in done.err


def test_what_was_published_is_pushed_with_a_lease(scene: Scene) -> None:
    repo = scene.repo
    repo.git("init", "-q", "--bare", str(repo.path / ".git/there"))
    repo.git("remote", "add", "origin", str(repo.path / ".git/there"))
    repo.git("push", "-q", "-u", "origin", "feature")
    before = repo.git("rev-parse", "feature")
    push = json.loads(adopt(scene, "--json").ok().out)["push"]
    assert push == ["git", "push", f"--force-with-lease=feature:{before}", "origin", "feature"]
    repo.git(*push[1:])
    assert repo.git("ls-remote", "origin", "feature").split()[0] == repo.git("rev-parse", "clean")


def test_what_somebody_else_published_is_not_pushed_over(scene: Scene) -> None:
    repo = scene.repo
    there = repo.path / ".git/there"
    repo.git("init", "-q", "--bare", str(there))
    repo.git("remote", "add", "origin", str(there))
    repo.git("push", "-q", "-u", "origin", "feature")
    tree = repo.git("rev-parse", "feature^{tree}")
    theirs = repo.git("commit-tree", "-p", "feature", "-m", "a colleague's", tree)
    repo.git("push", "-q", "origin", f"{theirs}:refs/heads/feature")
    done = adopt(scene).ok()
    assert "force" not in done.err
    assert "hint: 'origin/feature' has commits that 'feature' lacks: " in done.err
    assert "'git log feature..origin/feature' shows them\n" in done.err
    assert json.loads(adopt(scene, "--json").ok().out)["push"] is None


def test_a_branch_that_is_built_upon_is_never_pushed_over(scene: Scene) -> None:
    repo = scene.repo
    there = repo.path / ".git/there"
    repo.git("init", "-q", "--bare", str(there))
    repo.git("remote", "add", "origin", str(there))
    repo.git("push", "-q", "-u", "origin", "feature")
    text = scene.spec.read_text()
    base = repo.git("merge-base", "feature", "main")
    repo.git("update-ref", "refs/remotes/origin/feature", base)
    scene.spec.write_text(text.replace('remote = "main"', 'remote = "origin/feature"'))
    scene.run().ok()
    repo.git("fetch", "-q", "origin")
    assert json.loads(adopt(scene, "--json").ok().out)["push"] is None
