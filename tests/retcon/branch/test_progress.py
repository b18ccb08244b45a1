"""Positions of the branch: their trees are base plus what was taken, and nothing is lost."""

import pytest

from git_retcon.git.atoms import WholeHunks
from git_retcon.git.commits import write_commit
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.engine import Bridge, Choice
from tests.repository import TestRepository

BASE = {"a": "1\n", "run": "#!/bin/sh\n"}
SOURCE = {"a": "2\n", "b": "new\n", "run": "#!/bin/sh\nexit\n"}


@pytest.fixture
def tracker(repo: TestRepository) -> ProgressTracker:
    repo.write(BASE)
    (repo.path / "run").chmod(0o755)
    repo.commit("base")
    repo.commit("source", SOURCE)
    repository = repo.open()
    return ProgressTracker(repository, WholeHunks(), repository.trees)


def start(repo: TestRepository, tracker: ProgressTracker) -> Position:
    return tracker.start(repo.tree("HEAD~"), repo.tree("HEAD"), repo.rev("HEAD~"))


def commit(repository: Repository, position: Position, tree: str) -> str:
    return write_commit(repository, tree, [position.tip], "made\n")


def of_path(position: Position, path: bytes) -> Choice:
    return Choice(frozenset(atom.id for atom in position.left if atom.path == path))


def test_commit_by_commit_the_branch_becomes_the_source(
    repo: TestRepository, tracker: ProgressTracker
) -> None:
    position = start(repo, tracker)
    assert position.tree == repo.tree("HEAD~") and not position.is_complete
    for index, path in enumerate((b"b", b"a", b"run")):
        choice = of_path(position, path)
        tip = commit(tracker.repository, position, tracker.tree(position, choice))
        position = tracker.after(position, tip, index, choice)
        assert path not in {atom.path for atom in position.left}
    assert position.is_complete and position.left == []
    assert sorted(position.taken.values()) == [0, 1, 2]


def test_a_resumed_position_is_the_one_that_was_left(
    repo: TestRepository, tracker: ProgressTracker
) -> None:
    begun = start(repo, tracker)
    choice = of_path(begun, b"a")
    tip = commit(tracker.repository, begun, tracker.tree(begun, choice))
    went_on = tracker.after(begun, tip, 0, choice)
    assert tracker.resume(begun, tip, went_on.taken) == went_on


def test_where_a_person_committed_the_difference_is_computed_again(
    repo: TestRepository, tracker: ProgressTracker
) -> None:
    begun = start(repo, tracker)
    theirs = tracker.trees.edit(begun.tree, {b"a": None})
    tip = commit(tracker.repository, begun, theirs)
    resumed = tracker.resume(begun, tip, {})
    assert resumed.tree == theirs
    assert resumed.tree_with({atom.id for atom in resumed.left}) == repo.tree("HEAD")


def test_a_bridge_keeps_the_mode_and_is_undone_later(
    repo: TestRepository, tracker: ProgressTracker
) -> None:
    position = start(repo, tracker)
    bridges = (Bridge(b"a", None), Bridge(b"run", b"between\n"), Bridge(b"between", b"x\n"))
    choice = Choice(frozenset(), bridges)
    tree = tracker.tree(position, choice)
    before, made = (tracker.trees.find(each, b"run") for each in (position.tree, tree))
    assert before is not None and made is not None and made.mode == before.mode == b"100755"
    assert tracker.trees.find(tree, b"a") is None
    after = tracker.after(position, commit(tracker.repository, position, tree), 0, choice)
    assert after.tree_with({atom.id for atom in after.left}) == repo.tree("HEAD")
