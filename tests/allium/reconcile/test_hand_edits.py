"""What people wrote on the spec branch."""

import pytest

from git_retcon.allium.reconcile.hand_edits import find_hand_edits
from tests.allium.history_shapes import BRANCH, entity, evolve, merge, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.allium.subcommands.test_drift_check import drift
from tests.allium.subcommands.test_reconciliation import reconcile
from tests.program import allium_here
from tests.repository import TestRepository

ORDER = "src/shop/order.py"


def test_commits_without_our_trailers_are_peoples(repo: TestRepository) -> None:
    repo.commit("a", {ORDER: entity("Order", "total", "paid")})
    evolve(repo)
    assert find_hand_edits(repo.open(), [repo.rev(BRANCH)]) == frozenset()
    edit(repo, "shop", "total: Integer", "total: Decimal")
    edit(repo, "shop", "    paid: Integer\n", "")
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    # Kept for the day on which the entity is a value.
    assert find_hand_edits(repo.open(), [repo.rev(BRANCH)]) == {
        (kind, "Order", field)
        for kind in ("entity", "value")
        for field in ("field total", "field paid")
    }
    assert find_hand_edits(repo.open(), []) == frozenset()


@pytest.fixture
def branched(repo: TestRepository) -> TestRepository:
    """A branch beside the trunk, each with a commit of its own that is described."""
    repo.commit("a", {ORDER: entity("Order", "total", "paid")})
    evolve(repo)
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/shop/tax.py": entity("Tax", "n")})
    evolve(repo)
    return repo


@pytest.mark.parametrize("options", [(), ("--reconciliation-interval", "1")])
def test_what_people_wrote_on_a_branch_is_theirs_where_it_is_merged(
    branched: TestRepository, options: tuple[str, ...]
) -> None:
    edit(branched, "shop", "    paid: Integer\n", "    colour: String\n")
    branched.git("checkout", "-q", "main")
    branched.commit("d", {"src/shop/cart.py": entity("Cart", "size", "weight")})
    evolve(branched)
    merge(branched, "merge side", "side")
    evolve(branched, *options)
    reconcile(branched, "--full").ok()
    said = spec(branched, "shop")
    assert "entity Order {\n    total: Integer\n    colour: String\n}\n" in said
    assert said.count("open question") == 2


def test_what_people_accepted_on_a_branch_is_accepted_where_it_is_merged(
    branched: TestRepository,
) -> None:
    branched.commit("e", {ORDER: entity("Order", "total", "sent", "late")})
    allium_here(branched.path, "accept", "entity Order: field sent").ok()
    allium_here(branched.path, "reconcile", "--offline").ok()
    branched.git("checkout", "-q", "main")
    evolve(branched)
    merge(branched, "merge side", "side")
    evolve(branched, "--reconciliation-interval", "1")
    assert "sent" not in spec(branched, "shop")
    assert drift(branched).ok().err == "no divergence\n"


def merge_by_hand(repo: TestRepository, old: str, new: str) -> None:
    """A person joins the specifications of both lines, and has the last word on their module."""
    repo.git("worktree", "add", "-q", "../spec", BRANCH)
    place = TestRepository(repo.path.parent / "spec")
    mine = repo.git("notes", "--ref=allium", "show", "main").split("Spec: ")[1].split()[0]
    place.git("merge", "-q", "--no-commit", "-s", "ours", mine)
    text = place.git("show", f"{mine}:spec/shop.allium") + "\n"
    assert old in text
    place.write({"spec/shop.allium": text.replace(old, new)})
    place.git("commit", "-q", "-a", "-m", "Merge by hand")
    repo.git("worktree", "remove", "--force", "../spec")


def test_a_merge_by_hand_takes_what_both_sides_say(branched: TestRepository) -> None:
    merge_by_hand(branched, "    paid: Integer\n", "    paid: Decimal\n")
    found = find_hand_edits(branched.open(), [branched.rev(BRANCH)])
    assert {name[1:] for name in found} == {("Order", "field paid")}
