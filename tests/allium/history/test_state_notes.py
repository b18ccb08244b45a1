"""The counters of a branch, from notes and from trailers."""

import pytest

from git_retcon.allium.history.reconciliations import Counters
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.state_notes import StateNotes
from tests.allium.history_shapes import BRANCH, entity, evolve, make_branchy
from tests.repository import TestRepository


def load(repo: TestRepository) -> StateNotes:
    branch = SpecBranch(repo.open(), f"refs/heads/{BRANCH}")
    branch.load()
    return branch.load_states()


def test_a_branch_without_any_begins_at_nothing(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "a")})
    assert load(repo).state.counters == Counters()


def test_trailers_give_the_same_as_notes(repo: TestRepository) -> None:
    make_branchy(repo)
    evolve(repo, "--reconciliation-interval", "2")
    states = load(repo)
    assert states.state.counters.done == len(states.records) > 1
    repo.git("update-ref", "-d", "refs/notes/allium-state")
    again = load(repo)
    assert again.state == states.state
    plain = {c: r._replace(time="") for c, r in states.records.items()}
    assert {c: r._replace(time="") for c, r in again.records.items()} == plain
    committed = repo.git("log", "--format=%cI", BRANCH).splitlines()
    assert {r.time for r in again.records.values()} <= {
        date.replace("+00:00", "Z") for date in committed
    }


@pytest.mark.parametrize("lines", [("side", "main"), ("main", "--all")])
def test_the_last_reconciliation_is_that_of_the_highest_step(
    repo: TestRepository, lines: tuple[str, str]
) -> None:
    """Whatever line it is on, and in whatever order they are read."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "a")})
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/order.py": entity("Order", "a", "b")})
    repo.git("checkout", "-q", "side")
    repo.commit("s", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "main")
    options = ("--reconciliation-strategy", "n-commits", "--reconciliation-interval", "1")
    for line in lines:
        evolve(repo, line, *options)
    repo.git("update-ref", "-d", "refs/notes/allium-state")
    assert load(repo).state.counters.last_step == 3


def test_records_of_another_spec_branch_are_not_taken_for_ours(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "a")})
    evolve(repo, "--reconciliation-interval", "1")
    repo.git("config", "allium.branch", "allium/other")
    repo.git("config", "allium.root", "elsewhere")
    repo.git("update-ref", "refs/heads/kept", BRANCH)
    evolve(repo, "--reconciliation-strategy", "none")
    branch = SpecBranch(repo.open(), "refs/heads/allium/other")
    branch.load()
    states = branch.load_states()
    same = repo.rev("allium/other") == repo.rev(BRANCH)
    assert not same
    assert states.records == {}
