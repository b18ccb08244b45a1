"""The spec branch and what it holds on to."""

from collections.abc import Sequence

import pytest

from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.spec_commit import Account, write_spec_commit
from git_retcon.errors import Fatal
from git_retcon.git.graph import read_commit
from git_retcon.git.ref_updates import RefMoved, RefUpdate, RefUpdater
from git_retcon.git.repository import Repository
from tests.repository import TestRepository

NAME = "refs/heads/allium/evolution"
KEEPER = "refs/allium/heads/allium/evolution"


def write(repository: Repository, source: str, *parents: str) -> SpecRecord:
    """The spec commit of a source commit, with the source's own tree."""
    commit = read_commit(repository, source)
    spec = write_spec_commit(repository, commit, commit.tree, parents, Account([], "offline"))
    return SpecRecord(spec, spec, 0)


def open_branch(repository: Repository) -> SpecBranch:
    branch = SpecBranch(repository, NAME)
    branch.load()
    return branch


def test_what_is_not_reached_is_held(repo: TestRepository) -> None:
    a, b = repo.commit("a"), repo.commit("b")
    repo.git("checkout", "-q", "-b", "side", a)
    side = repo.commit("side")
    repository = repo.open()
    branch = open_branch(repository)
    assert branch.is_new
    first = write(repository, a)
    branch.add(a, first, ())
    second, third = write(repository, b, first.spec), write(repository, side, first.spec)
    branch.add(b, second, [a])
    branch.add(side, third, [a])
    with RefUpdater(repository) as updater:
        branch.save(b, (), updater)
    assert repo.rev(NAME) == second.spec
    assert repo.git("rev-list", "--parents", "-1", KEEPER).split()[1:] == [third.spec]
    again = open_branch(repository)
    assert dict(again.heads) == {b: second.spec, side: third.spec}
    assert again.find(a) == first
    assert again.find("0" * 40) is None


def test_somebody_else_s_move_is_seen(repo: TestRepository) -> None:
    a = repo.commit("a")
    repository = repo.open()
    branch = open_branch(repository)
    branch.add(a, write(repository, a), ())
    repo.git("update-ref", NAME, a)
    with RefUpdater(repository) as updater, pytest.raises(RefMoved):
        branch.save(a, (), updater)
    assert repo.rev(NAME) == a
    assert repo.git("for-each-ref", "refs/notes") == ""


def test_a_note_that_lies_is_not_believed(repo: TestRepository) -> None:
    a, b = repo.commit("a"), repo.commit("b")
    repository = repo.open()
    branch = open_branch(repository)
    first = write(repository, a)
    branch.add(a, first, ())
    with RefUpdater(repository) as updater:
        branch.save(a, (), updater)
    lie = f"Version: 1\nSpec: {first.spec} step 0 of {NAME}\n"
    repo.git("notes", "--ref=allium", "add", "-m", lie, b)
    assert open_branch(repository).find(b) is None


def test_a_note_of_what_is_gone_is_no_record(repo: TestRepository) -> None:
    a, b = repo.commit("a"), repo.commit("b")
    repository = repo.open()
    branch = open_branch(repository)
    first = write(repository, a)
    branch.add(a, first, ())
    branch.add(b, write(repository, b, first.spec), [a])
    with RefUpdater(repository) as updater:
        branch.save(b, (), updater)
    gone = f"Version: 1\nSpec: {'1' * 40} step 0 of {NAME}\n"
    repo.git("notes", "--ref=allium", "add", "-f", "-m", gone, a)
    assert open_branch(repository).find(a) is None


def test_notes_of_another_spec_branch_of_the_same_name_are_made_again(
    repo: TestRepository,
) -> None:
    a, b = repo.commit("a"), repo.commit("b")
    repository = repo.open()
    branch = open_branch(repository)
    first = write(repository, a)
    branch.add(a, first, ())
    branch.add(b, write(repository, b, first.spec), [a])
    with RefUpdater(repository) as updater:
        branch.save(b, (), updater)
    # As of somebody else, who described the same source otherwise: fetched, and the branch moved.
    other = write_spec_commit(
        repository, read_commit(repository, a), repo.rev("HEAD^{tree}"), (), Account([], "other")
    )
    tip = write(repository, b, other)
    repo.git("update-ref", NAME, tip.spec)
    again = open_branch(repository)
    assert [again.find(each) for each in (a, b)] == [SpecRecord(other, other, 0), SpecRecord(
        tip.spec, tip.spec, 1)]  # fmt: skip


def test_a_branch_that_tells_nothing_is_refused(repo: TestRepository) -> None:
    repo.git("update-ref", NAME, repo.commit("a"))
    with pytest.raises(Fatal, match="holds no specification"):
        SpecBranch(repo.open(), NAME)


def test_a_branch_never_goes_ahead_of_its_notes(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = repo.commit("a")
    repository = repo.open()
    branch = open_branch(repository)
    branch.add(a, write(repository, a), ())
    moved: list[str] = []
    move = RefUpdater.move

    def watch(self: RefUpdater, updates: Sequence[RefUpdate], why: str) -> None:
        moved.extend(each.name for each in updates)
        move(self, updates, why)

    monkeypatch.setattr(RefUpdater, "move", watch)
    with RefUpdater(repository) as updater:
        branch.save(a, (), updater)
    # A kill between two moves leaves a branch that is behind, and the same command goes on.
    assert moved.index("refs/notes/allium") < moved.index(NAME)
