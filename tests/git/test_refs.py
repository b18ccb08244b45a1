"""Refs move together or not at all, from the value expected, with a word in the reflog."""

import os

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.refs import (
    NOTHING,
    RefUpdate,
    branch_ref,
    checked_out_at,
    read_ref,
    reasons,
    update_refs,
)
from tests.repository import TestRepository


def test_all_move_and_the_reflog_says_why(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    updates = [RefUpdate("refs/heads/a", NOTHING, one), RefUpdate("refs/x/b", NOTHING, two)]
    update_refs(git, updates, "retcon: try")
    update_refs(git, [RefUpdate("refs/heads/a", one, two)], "retcon: again")
    assert (read_ref(git, "refs/heads/a"), read_ref(git, "refs/x/b")) == (two, two)
    assert repo.git("reflog", "--format=%gs", "a").splitlines() == ["retcon: again", "retcon: try"]
    assert repo.git("reflog", "--format=%gs", "refs/x/b") == "retcon: try"
    update_refs(git, [RefUpdate("refs/heads/a", two, NOTHING)], "gone")
    assert read_ref(git, "refs/heads/a") is None


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


@pytest.mark.parametrize("fault", ["moved", "locked", "exists"])
def test_one_that_cannot_move_keeps_all_where_they_are(repo: TestRepository, fault: str) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    git = repo.open().git
    update_refs(git, [RefUpdate("refs/heads/a", NOTHING, one)], "start")
    expected = two if fault == "moved" else NOTHING if fault == "exists" else one
    lock = repo.path / ".git/refs/heads/a.lock"
    if fault == "locked":
        lock.touch()
    with pytest.raises(Fatal, match="nothing was moved"):
        update_refs(
            git,
            [RefUpdate("refs/heads/b", NOTHING, two), RefUpdate("refs/heads/a", expected, two)],
            "try",
        )
    lock.unlink(missing_ok=True)
    assert read_ref(git, "refs/heads/a") == one
    assert read_ref(git, "refs/heads/b") is None


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


def test_an_interrupt_waits_for_the_refs_to_have_moved(repo: TestRepository) -> None:
    one = repo.commit("one")
    hook = repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\n[ "$1" = prepared ] && kill -INT {os.getpid()} && sleep 0.6\n:\n')
    hook.chmod(0o755)
    names = ("refs/heads/a", "refs/x/b")
    with pytest.raises(KeyboardInterrupt):
        update_refs(repo.open().git, [RefUpdate(name, NOTHING, one) for name in names], "try")
    assert {read_ref(repo.open().git, name) for name in names} == {one}
    assert not list((repo.path / ".git").rglob("*.lock"))


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        ("moved", "something else moved it meanwhile"),
        ("below", "something else moved it meanwhile"),
        ("locked", "remove the lock file that a killed one left"),
        ("unwritable", "free some space or mend its permissions"),
        ("refused", "mend what it says (a reference-transaction hook may refuse)"),
    ],
)
def test_each_refusal_has_its_own_remedy(repo: TestRepository, fault: str, remedy: str) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    refs, expected = repo.path / ".git/refs", NOTHING
    match fault:
        case "moved":
            expected = two
            repo.git("branch", "a", one)
        case "below":
            repo.git("branch", "a/b", one)
        case "locked":
            (refs / "heads/a.lock").touch()
        case "unwritable":
            (repo.path / ".git/logs/refs/heads/a").symlink_to("/dev/full")
        case "refused":
            hook = repo.path / ".git/hooks/reference-transaction"
            hook.parent.mkdir(exist_ok=True)
            hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
            hook.chmod(0o755)
    with pytest.raises(Fatal) as caught:
        update_refs(repo.open().git, [RefUpdate("refs/heads/a", expected, two)], "try")
    assert caught.value.hint is not None
    assert remedy in caught.value.hint
    assert caught.value.hint.endswith(", then run the same command again")
