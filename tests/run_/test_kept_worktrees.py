"""Kept worktrees are listed with their owner and size, and removed whole."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.run.environment import command_environment
from git_retcon.run.kept_worktrees import list_worktrees, remove_worktree, repository_key
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository


def test_the_list_names_owner_size_and_last_use(
    repo: TestRepository, make_repo: Callable[..., TestRepository], tmp_path: Path
) -> None:
    base = tmp_path / "worktrees"
    assert list_worktrees(base) == ()
    other = make_repo("other")
    other.commit("one", {"big": "x" * 500_000})
    repo.commit("one", {"a": "1\n"})
    began = time.time() - 2
    for owner, name in ((repo, "build"), (repo, "check"), (other, "build")):
        with open_worktree(base, owner.open(), name) as worktree:
            worktree.checkout(owner.rev("HEAD"))
    listed = {(kept.repository, kept.id): kept for kept in list_worktrees(base)}
    assert listed.keys() == {
        (repo.path / ".git", "build"),
        (repo.path / ".git", "check"),
        (other.path / ".git", "build"),
    }
    big = listed[other.path / ".git", "build"]
    assert 500_000 <= big.size < 1_500_000
    assert began <= big.last_used <= time.time()


def test_removal_is_whole_and_follows_no_link(repo: TestRepository, tmp_path: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    base = tmp_path / "worktrees"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert worktree.run(f"ln -s '{outside}' out", env=command_environment()).passed
    (kept,) = list_worktrees(base)
    remove_worktree(kept.root)
    assert list_worktrees(base) == ()
    assert not kept.root.exists()
    assert (outside / "mine").read_text() == "mine"
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert (worktree.tree / "a").read_text() == "1\n"


def test_one_in_use_is_not_removed(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    with open_worktree(tmp_path, repo.open(), "build") as worktree:
        with pytest.raises(Fatal, match=f"pid {os.getpid()}"):
            remove_worktree(worktree.root)
        assert worktree.git_dir.is_dir()


def test_repositories_of_one_name_do_not_share(
    make_repo: Callable[..., TestRepository],
) -> None:
    one, two = make_repo("x/project"), make_repo("y/project")
    keys = {repository_key(repository.open()) for repository in (one, two)}
    assert len(keys) == 2
    assert all(key.startswith("project-") for key in keys)


def test_names_that_would_leave_the_base_are_refused(repo: TestRepository, tmp_path: Path) -> None:
    for name in ("", ".", "..", "a/b", "../up", "-x", "x.lock", "a\n"):
        with (
            pytest.raises(ValueError, match="not a worktree id"),
            open_worktree(tmp_path, repo.open(), name),
        ):
            pass


def test_a_base_that_cannot_be_used_is_explained(repo: TestRepository, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(Fatal, match="where worktrees are kept: Not a directory") as raised,
        open_worktree(tmp_path / "file/base", repo.open(), "build"),
    ):
        pass
    assert "retcon.worktreeDir" in str(raised.value.hint)
