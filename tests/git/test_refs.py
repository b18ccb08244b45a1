"""Refs are read by their full names, and found where they are checked out."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import branch_ref, checked_out_at, read_ref, reasons
from tests.repository import TestRepository


def test_reasons_are_none_where_the_reflog_is_empty_or_gone(repo: TestRepository) -> None:
    one, _ = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    update_refs(git, [RefUpdate("refs/heads/a", NOTHING, one)], "retcon: one")
    assert reasons(git, "refs/heads/a") == ["retcon: one"]
    repo.git("branch", "-f", "a", "main")
    assert reasons(git, "refs/heads/a") == ["branch: Reset to main", "retcon: one"]
    repo.git("reflog", "expire", "--expire=now", "--all")
    assert reasons(git, "refs/heads/a") == []
    (repo.path / ".git/logs/refs/heads/a").unlink()
    assert reasons(git, "refs/heads/a") == []


def test_a_branch_is_found_where_it_is_checked_out_or_being_rebased(repo: TestRepository) -> None:
    repo.commit("one", {"f": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("two", {"f": "2\n"})
    repo.git("checkout", "-q", "main")
    other = repo.path.parent / "linked tree"
    repo.git("worktree", "add", "-q", str(other), "topic")
    opened = repo.open()
    assert checked_out_at(opened, "refs/heads/main") == repo.path
    assert checked_out_at(opened, "refs/heads/topic") == other
    assert checked_out_at(opened, "refs/heads/nobody") is None
    there = TestRepository(other)
    repo.commit("clash", {"f": "3\n"})
    with pytest.raises(AssertionError):
        there.git("rebase", "main")
    assert there.git("rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    assert checked_out_at(opened, "refs/heads/topic") is not None


@pytest.mark.parametrize("name", ["a..b", "-x", "a b", "x.lock", "", "a/", "@{"])
def test_names_git_would_not_take_are_refused(repo: TestRepository, name: str) -> None:
    with pytest.raises(Fatal, match="is not a valid branch name"):
        branch_ref(repo.open().git, name)


def test_a_name_for_the_branch_before_is_no_name(repo: TestRepository) -> None:
    repo.commit("one")
    repo.git("checkout", "-q", "-b", "other")
    with pytest.raises(Fatal, match="is not a valid branch name"):
        branch_ref(repo.open().git, "@{-1}")


def test_a_ref_is_found_by_its_full_name_alone(repo: TestRepository) -> None:
    one = repo.commit("one")
    repo.git("update-ref", "refs/heads/refs/heads/a", one)
    assert read_ref(repo.open().git, "refs/heads/a") is None


def test_short_and_full_names_are_one_branch(repo: TestRepository) -> None:
    git = repo.open().git
    assert branch_ref(git, "a/b") == branch_ref(git, "refs/heads/a/b") == "refs/heads/a/b"
