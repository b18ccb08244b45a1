"""A working state is one commit on top of its branch, and reading it leaves no trace."""

import hashlib
import os
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.object_store import borrow_objects
from git_retcon.retcon.branch.working_source import (
    WorkingSource,
    is_same_state,
    read_working_source,
)
from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import MONEY, Scene, messy_branch

SPEC = "worktree = true\n"


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """The messy branch, checked out, with more that is not committed."""
    made = messy_branch(repo)
    (repo.path / ".git/info/exclude").write_text("ignored\n")
    repo.git("checkout", "-q", "feature")
    made.write_spec(SPEC + made.spec.read_text().replace("build = ", "# build = "))
    repo.write({"README.md": "# The shop\n", "new.py": "NEW = 1\n", "ignored": "x\n"})
    return made


def read_state(repo: TestRepository, ref: str | None = "refs/heads/feature") -> WorkingSource:
    opened = repo.open()
    tip = read_commit(opened, repo.rev(ref or "HEAD"))
    return read_working_source(opened, ref, tip, repo.path / "history.toml")


def take_stock(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    "words", [["-n", "history.toml"], ["plan", "--source=worktree", "--onto", "main", "-o", "-"]]
)
def test_a_plan_of_it_leaves_no_trace(scene: Scene, words: list[str]) -> None:
    scene.repo.write({"money.py": None, "cents.py": MONEY})
    before = take_stock(scene.repo.path)
    shown = retcon_here(scene.repo.path, *words).ok()
    assert "new.py" in shown.out
    assert "ignored" not in shown.out
    assert "history.toml" not in shown.out
    assert "uncommitted" not in shown.err
    assert take_stock(scene.repo.path) == before


def test_it_is_one_commit_with_an_id_of_its_content(scene: Scene) -> None:
    repo = scene.repo
    first = read_state(repo)
    assert first.commit.parents == (repo.rev("feature"),)
    assert read_state(repo).commit == first.commit
    os.utime(repo.path / "new.py", (4_000_000_000, 4_000_000_000))
    touched = read_state(repo).commit
    assert (touched.oid == first.commit.oid, touched.tree) == (False, first.commit.tree)
    assert touched.author.endswith("> 4000000000 +0000")
    repo.write({"new.py": "NEW = 2\n"})
    assert read_state(repo).commit.tree != first.commit.tree
    repo.write({"new.py": None})
    repo.git("checkout", "-q", "README.md")
    assert read_state(repo).commit.oid == repo.rev("feature")


def test_specs_and_secrets_are_no_part_of_it(scene: Scene) -> None:
    repo = scene.repo
    repo.git("add", "history.toml")
    repo.git("commit", "-qm", "Describe the history", "--", "history.toml")
    scene.write_spec(scene.spec.read_text() + "# changed by a run\n")
    repo.write({"other.toml": scene.spec.read_bytes(), "key.pem": PRIVATE_KEY})
    state = read_state(repo)
    opened = repo.open()
    borrow_objects(opened, state.objects)
    changed = opened.trees.changes(repo.tree("feature"), state.commit.tree)
    assert [change.path for change in changed] == [b"README.md", b"new.py"]
    assert list(state.secrets) == [b"key.pem"]


PRIVATE_KEY = (
    f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{'MIIEow' * 30}\n-----END RSA PRIVATE KEY-----\n"
)


def test_the_same_files_on_the_same_commit_are_the_same_state(scene: Scene) -> None:
    repo = scene.repo
    first = read_state(repo)
    opened = repo.open()
    borrow_objects(opened, first.objects)
    os.utime(repo.path / "new.py", (4_000_000_000, 4_000_000_000))
    touched = read_state(repo).commit

    def is_same(recorded: str, state: Commit) -> bool:
        return is_same_state(opened, recorded, state)

    assert is_same(first.commit.oid, touched)
    assert is_same("1" * 40, touched) is False
    repo.write({"new.py": "NEW = 2\n"})
    assert is_same(first.commit.oid, read_state(repo).commit) is False


def test_a_branch_that_is_not_checked_out_has_no_working_state(scene: Scene) -> None:
    repo = scene.repo
    repo.git("checkout", "-q", "--detach")
    with pytest.raises(Fatal, match="'feature' is checked out nowhere"):
        read_state(repo)
    with pytest.raises(Fatal, match="the source is no branch"):
        read_state(repo, None)
    done = retcon_here(repo.path, "-n", "history.toml")
    assert "fatal: history.toml:2: 'feature' is checked out nowhere" in done.err


def test_what_git_has_half_done_is_finished_first(scene: Scene, tmp_path: Path) -> None:
    repo = scene.repo
    repo.git("stash", "-q", "-u")
    repo.git("checkout", "-q", "-b", "side", "main")
    repo.commit("another shop", {"shop.py": "other\n"})
    repo.git("checkout", "-q", "feature")
    opened = repo.open()
    opened.git.try_run(f"--work-tree={repo.path}", "merge", "side")
    with pytest.raises(Fatal, match="a merge is not finished in"):
        read_state(repo)
    (repo.path / ".git/MERGE_HEAD").unlink()
    with pytest.raises(Fatal, match="a conflict is not finished in"):
        read_state(repo)
    repo.git("reset", "-q", "--hard")
    opened.git.try_run(f"--work-tree={repo.path}", "rebase", "side")
    with pytest.raises(Fatal, match="'feature' is being rebased"):
        read_state(repo)


def test_it_is_read_where_the_branch_is_checked_out(scene: Scene, tmp_path: Path) -> None:
    repo = scene.repo
    repo.git("stash", "-q", "-u")
    repo.git("checkout", "-q", "main")
    other = tmp_path / "other"
    repo.git("worktree", "add", "-q", str(other), "feature")
    (other / "there.py").write_text("THERE = 1\n")
    scene.write_spec(SPEC)
    state = read_state(repo)
    assert state.top == other
    opened = repo.open()
    borrow_objects(opened, state.objects)
    assert opened.trees.find(state.commit.tree, b"there.py") is not None
