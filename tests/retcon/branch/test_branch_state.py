"""Which histories change before the loop goes on."""

from git_retcon.git.graph import Commit
from git_retcon.retcon.branch.branch_state import Adoption, BranchState, Rewind
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, Stuck
from git_retcon.retcon.spec.model import LogicalCommit, Spec


def _make_spec(*histories: tuple[Event, ...]) -> Spec:
    commits = tuple(LogicalCommit(f"Commit {n}", history=each) for n, each in enumerate(histories))
    return Spec("source", "remote", "cleaned", commits)


def _make_commit(oid: str) -> Commit:
    return Commit(oid, "", (), "", "", "Fix by hand")


FIRST = (CommitCreated("a1"), Complete())
SECOND = (CommitCreated("b1"), CommitCreated("b2"), Complete())


def test_nothing_to_do_changes_nothing() -> None:
    assert BranchState("b2").histories(_make_spec(FIRST, SECOND)) == {}


def test_what_is_built_again_loses_its_history_and_what_only_says_stuck_keeps_it() -> None:
    stuck = (Stuck("no hunk defines 'run'"),)
    spec = _make_spec(FIRST, SECOND, (Complete(),), stuck)
    state = BranchState("a1", Rewind(1, "a1", "its message changed"))
    assert state.histories(spec) == {1: (), 2: ()}


def test_an_adopted_commit_comes_last_in_the_history_of_its_logical_commit() -> None:
    spec = _make_spec(FIRST, (CommitCreated("b1"),))
    adoptions = tuple(Adoption(1, _make_commit(oid), by_person=True) for oid in ("c1", "c2"))
    changed = BranchState("c2", adoptions=adoptions).histories(spec)
    assert changed == {1: (CommitCreated("b1"), CommitCreated("c1"), CommitCreated("c2"))}


def test_a_commit_adopted_after_a_rewind_is_the_first_of_its_history() -> None:
    spec = _make_spec(FIRST, SECOND)
    state = BranchState(
        "c1",
        Rewind(1, "a1", "a hunk is pinned"),
        (Adoption(1, _make_commit("c1"), by_person=True),),
    )
    assert state.histories(spec) == {1: (CommitCreated("c1"),)}


def test_a_folded_commit_is_the_whole_history() -> None:
    state = BranchState("f1", finished=True, folded={1: "f1"})
    assert state.histories(_make_spec(FIRST, SECOND)) == {1: (CommitCreated("f1"), Complete())}
