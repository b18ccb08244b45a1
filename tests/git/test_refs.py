"""Refs are read by their full names, and found where they are checked out."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import (
    Ref,
    check_branch_name,
    find_checkout_of,
    find_place,
    list_refs,
    list_refs_in_the_way,
    read_ref,
    read_reflog,
    read_symbolic_ref,
    refuse_checked_out,
)
from tests.repository import TestRepository


def test_reasons_are_none_where_the_reflog_is_empty_or_gone(repo: TestRepository) -> None:
    one, _ = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    update_refs(repo.open(), [RefUpdate("refs/heads/a", NOTHING, one)], "retcon: one")
    assert read_reflog(git, "refs/heads/a") == ["retcon: one"]
    repo.git("branch", "-f", "a", "main")
    assert read_reflog(git, "refs/heads/a") == ["branch: Reset to main", "retcon: one"]
    repo.git("reflog", "expire", "--expire=now", "--all")
    assert read_reflog(git, "refs/heads/a") == []
    (repo.path / ".git/logs/refs/heads/a").unlink()
    assert read_reflog(git, "refs/heads/a") == []


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_branch_is_found_where_it_is_checked_out_or_being_rebased(
    repo: TestRepository, backend: str
) -> None:
    repo.commit("one", {"f": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("two", {"f": "2\n"})
    repo.git("checkout", "-q", "main")
    other = repo.path.parent / "linked tree"
    repo.git("worktree", "add", "-q", str(other), "topic")
    opened = repo.open()
    assert find_checkout_of(opened, "refs/heads/main") == repo.path
    assert find_checkout_of(opened, "refs/heads/topic") == other
    assert find_checkout_of(opened, "refs/heads/nobody") is None
    there = TestRepository(other)
    repo.commit("clash", {"f": "3\n"})
    with pytest.raises(AssertionError):
        there.git("rebase", backend, "main")
    assert there.git("rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    assert find_checkout_of(opened, "refs/heads/topic") is not None


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.from_regex(r"(HEAD|[a-zA-Z0-9_./@é-]{1,6}){1,2}", fullmatch=True))
def test_git_is_the_judge_of_every_name(repo: TestRepository, name: str) -> None:
    git = repo.open().git
    is_valid = git.try_run("check-ref-format", "--branch", name).returncode == 0 and name != "@"
    try:
        assert check_branch_name(git, name) == f"refs/heads/{name}"
        assert is_valid
    except Fatal:
        assert not is_valid


@pytest.mark.parametrize(
    "name", ["a..b", "-x", "a b", "x.lock", "", "a/", "@{", "HEAD", "@", "refs/tags/v1"]
)
def test_names_git_would_not_take_are_refused(repo: TestRepository, name: str) -> None:
    with pytest.raises(Fatal, match="is not a valid branch name"):
        check_branch_name(repo.open().git, name)


@pytest.mark.parametrize("name", ["@", "refs/tags/v1", "refs/heads/refs/stash"])
def test_no_branch_is_called_what_git_takes_for_another_ref(
    repo: TestRepository, name: str
) -> None:
    with pytest.raises(Fatal, match="is not a valid branch name"):
        check_branch_name(repo.open().git, name)


def test_a_name_for_the_branch_before_is_no_name(repo: TestRepository) -> None:
    repo.commit("one")
    repo.git("checkout", "-q", "-b", "other")
    with pytest.raises(Fatal, match="is not a valid branch name"):
        check_branch_name(repo.open().git, "@{-1}")


def test_a_ref_is_found_by_its_full_name_alone(repo: TestRepository) -> None:
    one = repo.commit("one")
    repo.git("update-ref", "refs/heads/refs/heads/a", one)
    assert read_ref(repo.open().git, "refs/heads/a") is None


def test_short_and_full_names_are_one_branch(repo: TestRepository) -> None:
    git = repo.open().git
    assert (
        check_branch_name(git, "a/b")
        == check_branch_name(git, "refs/heads/a/b")
        == "refs/heads/a/b"
    )


def test_refs_at_and_below_a_name_are_listed_with_their_commits(repo: TestRepository) -> None:
    one = repo.commit("one", {"f": "x\n"})
    for name in ("a", "ab", "topic/a", "topic/b"):
        repo.git("branch", name)
    repo.git("tag", "-a", "-m", "v1", "v1")
    repo.git("tag", "blob", "main:f")
    repo.git("symbolic-ref", "refs/heads/link", "refs/heads/a")
    git = repo.open().git
    places = ("refs/heads/a", "refs/heads/topic", "refs/tags", "refs/heads/link", "refs/nowhere")
    assert list_refs(git, *places) == {
        "refs/heads/a": Ref(one, one, None),
        "refs/heads/link": Ref(one, one, "refs/heads/a"),
        "refs/heads/topic/a": Ref(one, one, None),
        "refs/heads/topic/b": Ref(one, one, None),
        "refs/tags/blob": Ref(repo.rev("main:f"), None, None),
        "refs/tags/v1": Ref(repo.rev("v1"), one, None),
    }


def test_head_is_that_of_the_worktree(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("begin", {"a": "1\n"})
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    repo.git("switch", "-q", "--detach")
    side = TestRepository(tmp_path / "side")
    assert read_symbolic_ref(side.open(), "HEAD") == "refs/heads/side"
    assert read_symbolic_ref(repo.open(), "HEAD") is None


def test_a_symbolic_ref_is_read_even_where_it_leads_nowhere(repo: TestRepository) -> None:
    repo.commit("one")
    repo.git("symbolic-ref", "refs/heads/link", "refs/heads/absent")
    opened = repo.open()
    assert read_symbolic_ref(opened, "refs/heads/link") == "refs/heads/absent"
    assert read_symbolic_ref(opened, "refs/heads/main") is None
    repo.git("pack-refs", "--all")
    assert read_symbolic_ref(opened, "refs/heads/main") is None


def test_what_excludes_a_ref_is_every_name_above_it() -> None:
    assert list_refs_in_the_way("refs/heads/a/b/c") == ["refs/heads/a", "refs/heads/a/b"]
    assert list_refs_in_the_way("refs/heads/a") == []


def test_a_branch_that_is_checked_out_does_not_move(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("one")
    other = tmp_path / "other"
    repo.git("worktree", "add", "-q", "-b", "topic", str(other))
    opened = repo.open()
    refuse_checked_out(opened, "refs/heads/nobody")
    with pytest.raises(Fatal, match=f"^'topic' is checked out at '{other}'$") as caught:
        refuse_checked_out(opened, "refs/heads/topic", otherwise=", or go home")
    assert str(caught.value.hint).endswith("to another branch ('git switch -'), or go home")
    assert caught.value.commands == [["git", "-C", str(other), "switch", "-"]]
    shutil.rmtree(other)
    with pytest.raises(Fatal, match="is checked out at") as gone:
        refuse_checked_out(opened, "refs/heads/topic")
    assert gone.value.commands == [["git", "worktree", "prune"]]


def test_a_place_is_where_git_moved_the_ref_last(repo: TestRepository) -> None:
    """libgit2 keeps what it read of a ref, packed or not, and must look again."""
    one, two = repo.commit("one"), repo.commit("two")
    opened = repo.open()
    assert find_place(opened, "refs/heads/a") is None
    for place in (one, two, one):
        repo.git("update-ref", "refs/heads/a", place)
        assert find_place(opened, "refs/heads/a") == place
        repo.git("pack-refs", "--all")
        assert find_place(opened, "refs/heads/a") == place
    repo.git("symbolic-ref", "refs/heads/b", "refs/heads/a")
    assert find_place(opened, "refs/heads/b") == one
    repo.git("update-ref", "-d", "refs/heads/a")
    assert find_place(opened, "refs/heads/a") is None


@pytest.mark.parametrize("branch", ["main", "a/b-c.d", "ünder", "x..y", "a.lock"])
def test_head_is_what_git_says_whatever_the_branch_is_called(
    repo: TestRepository, branch: str
) -> None:
    head = repo.path / ".git/HEAD"
    head.write_bytes(f"ref: refs/heads/{branch}\n".encode())
    said = repo.open().git.try_run("symbolic-ref", "-q", "HEAD").stdout.decode().strip()
    assert read_symbolic_ref(repo.open(), "HEAD") == (said or None)


def test_head_is_followed_where_its_branch_is_another_name(repo: TestRepository) -> None:
    repo.commit("one")
    repo.git("symbolic-ref", "refs/heads/other", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/other")
    assert read_symbolic_ref(repo.open(), "HEAD") == "refs/heads/main"
