"""The commit of a fix has its files alone, and is taken off only where nobody else's work is."""

import pytest

from git_retcon.errors import Fatal, Refused
from git_retcon.heal.check_situation import Checkout, open_checkout
from git_retcon.heal.review.fix_commit import (
    FixCommit,
    make_commit_of_fix,
    plan_commit,
    refuse_commit_elsewhere,
    refuse_kept_commit,
    take_commit_off,
)
from tests.repository import TestRepository

PATHS = [b"a.py", b"new.py"]


def commit_fix(repo: TestRepository) -> tuple[Checkout, FixCommit]:
    """A fix of one file that adds another, committed beside the user's own staged change."""
    repo.commit("one", {"a.py": "bad\n", "b.py": "1\n"})
    checkout = open_checkout(repo.path)
    planned = plan_commit(checkout, "Heal a.py\n", PATHS)
    repo.write({"a.py": "good\n", "new.py": "new\n", "b.py": "mine\n"})
    repo.git("add", "b.py")
    return checkout, make_commit_of_fix(checkout, planned, PATHS)


def test_the_commit_has_the_fix_and_nothing_else(repo: TestRepository) -> None:
    checkout, made = commit_fix(repo)
    changed = repo.git("diff-tree", "-r", "--name-only", "--no-commit-id", made.made)
    assert changed.split() == ["a.py", "new.py"]
    assert repo.git("diff", "--cached", "--name-only").split() == ["b.py"]
    # A killed command that had made it makes no second one.
    assert make_commit_of_fix(checkout, made._replace(made=""), PATHS) == made
    take_commit_off(checkout, made, PATHS)
    assert repo.git("rev-parse", "HEAD").strip() == made.head
    assert repo.git("diff", "--cached", "--name-only").split() == ["b.py"]
    assert (repo.path / "a.py").read_text() == "good\n"


def test_own_changes_of_the_same_file_are_not_committed(repo: TestRepository) -> None:
    repo.commit("one", {"a.py": "bad\n"})
    repo.write({"a.py": "mine\n"})
    with pytest.raises(Fatal, match="your own changes of the same files"):
        plan_commit(open_checkout(repo.path), "Heal a.py\n", PATHS)


def test_a_commit_that_is_not_the_last_or_is_published_stays(repo: TestRepository) -> None:
    checkout, made = commit_fix(repo)
    refuse_kept_commit(checkout, made)
    repo.git("update-ref", "refs/remotes/origin/main", made.made)
    with pytest.raises(Refused, match="is on a remote's branch"):
        refuse_kept_commit(checkout, made)
    repo.commit("two")
    with pytest.raises(Refused, match="is not the last one of this branch"):
        refuse_kept_commit(checkout, made)
    with pytest.raises(Fatal, match="HEAD has moved"):
        make_commit_of_fix(checkout, made._replace(made="", message="other"), PATHS)


def test_a_commit_on_another_branch_is_named_with_the_way_there(repo: TestRepository) -> None:
    checkout, made = commit_fix(repo)
    refuse_commit_elsewhere(checkout, made, "refs/heads/main")
    repo.git("checkout", "-q", "-b", "topic")
    with pytest.raises(Refused, match="made on 'main', and 'topic' is checked out") as refused:
        refuse_commit_elsewhere(checkout, made, "refs/heads/main")
    assert next(iter(refused.value.commands or ())) == ["git", "switch", "main"]
