"""What people wrote on the spec branch."""

from git_retcon.allium.reconcile.hand_edits import find_hand_edits
from tests.allium.history_shapes import BRANCH, entity, evolve
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository


def test_commits_without_our_trailers_are_peoples(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo)
    assert find_hand_edits(repo.open(), repo.rev(BRANCH)) == frozenset()
    edit(repo, "shop", "total: Integer", "total: Decimal")
    edit(repo, "shop", "    paid: Integer\n", "")
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    # Kept for the day on which the entity is a value.
    assert find_hand_edits(repo.open(), repo.rev(BRANCH)) == {
        (kind, "Order", field)
        for kind in ("entity", "value")
        for field in ("field total", "field paid")
    }
    assert find_hand_edits(repo.open(), None) == frozenset()
