"""What is still to be described."""

import pytest

from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.request import Range, resolve_source
from git_retcon.allium.evolve.run import lock_branch
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.errors import Fatal, WrongUsage
from tests.allium.history_shapes import BRANCH, evolve, make_branchy
from tests.repository import TestRepository


def agenda_of(repo: TestRepository, **asked: object) -> list[str]:
    """The subjects to describe, in order."""
    repository = repo.open()
    with lock_branch(repository, SpecBranch(repository, f"refs/heads/{BRANCH}")) as branch:
        wanted = Range()._replace(**asked)  # type: ignore[arg-type]
        tip = resolve_source(repository, wanted.revision)
        agenda = make_agenda(repository, branch, wanted, tip)
    return [repo.git("log", "-1", "--format=%s", commit) for commit in agenda.graph.parents]


def test_a_new_branch_tells_all_of_one_history(repo: TestRepository) -> None:
    make_branchy(repo)
    found = agenda_of(repo)
    assert len(found) == 15
    assert "back" not in agenda_of(repo, revision="topic")
    assert sorted(agenda_of(repo, is_all=True)) == sorted(found)


def test_spec_branches_are_no_source(repo: TestRepository) -> None:
    repo.commit("a")
    evolve(repo)
    repo.git("branch", "copy", BRANCH)
    edited = repo.git("commit-tree", "-p", BRANCH, "-m", "by hand", repo.tree(BRANCH))
    repo.git("update-ref", "refs/remotes/origin/specs", edited)
    assert agenda_of(repo, is_all=True) == []


def test_the_last_ones_begin_where_they_begin(repo: TestRepository) -> None:
    for name in "abcd":
        repo.commit(name)
    assert agenda_of(repo, last=2) == ["c", "d"]
    assert agenda_of(repo, since="HEAD~2") == ["b", "c", "d"]
    assert agenda_of(repo, last=99) == ["a", "b", "c", "d"]


def test_a_start_that_cannot_be_is_refused(repo: TestRepository) -> None:
    repo.commit("a")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("o")
    with pytest.raises(Fatal, match="no ancestor"):
        agenda_of(repo, since="main")
    with pytest.raises(Fatal, match="no such commit"):
        agenda_of(repo, since="nowhere")
    with pytest.raises(WrongUsage, match="contradict"):
        agenda_of(repo, since="HEAD", last=1)


def test_a_branch_without_a_commit_is_refused(repo: TestRepository) -> None:
    with pytest.raises(Fatal, match="no commit yet"):
        resolve_source(repo.open(), "HEAD")
