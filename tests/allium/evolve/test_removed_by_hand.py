"""What people took out of a specification stays out where branches come together."""

import pytest

from git_retcon.allium.evolve.removed_by_hand import HandRemovals
from git_retcon.allium.store.spec_tree import SpecTrees
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository

QUESTION = (
    'open question "entity Order: field secret: src/shop/order.py says it, and it was taken out '
    'here. Is it right?"'
)


@pytest.mark.parametrize("is_merged_into_main", [True, False])
def test_what_a_branch_changed_that_people_took_out_meanwhile(
    repo: TestRepository, is_merged_into_main: bool
) -> None:
    order = entity("Order", "total", "secret")
    repo.commit("a", {"src/shop/order.py": order})
    evolve(repo)
    repo.git("branch", "side")
    edit(repo, "shop", "    secret: Integer\n", "")
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/shop/order.py": order.replace("secret: int", "secret: str")})
    one, other = ("main", "side") if is_merged_into_main else ("side", "main")
    repo.git("checkout", "-q", one)
    repo.git("merge", "-q", "--no-edit", other)
    evolve(repo)
    assert "secret:" not in spec(repo, "shop").replace(QUESTION, "")
    assert spec(repo, "shop").count("open question") == spec(repo, "shop").count(QUESTION) == 1


def test_what_the_source_itself_took_out_is_asked_about_as_ever(repo: TestRepository) -> None:
    order = entity("Order", "total", "secret")
    repo.commit("a", {"src/shop/order.py": order, "src/shop/cart.py": entity("Cart", "n")})
    evolve(repo)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("c", {"src/shop/order.py": order.replace("secret: int", "secret: str")})
    repo.git("checkout", "-q", "main")
    edit(repo, "shop", "    n: Integer\n", "    n: Integer\n    m: Integer\n")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total")})
    repo.git("merge", "-q", "--no-edit", "-Xtheirs", "side")
    evolve(repo)
    assert "secret: String" in spec(repo, "shop")
    assert "was taken out here" not in spec(repo, "shop")


def test_a_type_that_comes_back_has_no_field_that_people_took_out(repo: TestRepository) -> None:
    order = entity("Order", "total", "secret")
    repo.commit("a", {"src/shop/order.py": order})
    evolve(repo)
    edit(repo, "shop", "    secret: Integer\n", "")
    repo.commit("b", {"src/shop/order.py": entity("Bill", "sum")})
    evolve(repo)
    assert "entity Order {\n    total: Integer\n}" in spec(repo, "shop")
    repo.commit("c", {"src/shop/order.py": entity("Order", "total", "secret", "paid")})
    evolve(repo)
    assert "entity Order {\n    total: Integer\n    paid: Integer\n}" in spec(repo, "shop")


def test_what_people_took_out_is_known_from_any_commit_on(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total", "secret", "paid")})
    evolve(repo)
    edit(repo, "shop", "    secret: Integer\n", "")
    base = repo.rev(BRANCH)
    edit(repo, "shop", "    paid: Integer\n", "    sent: Integer\n")
    opened = repo.open()
    removals = HandRemovals(opened, SpecTrees(opened))
    secret, paid = (("entity", "Order", f"field {name}") for name in ("secret", "paid"))
    assert removals.find(base, repo.rev(BRANCH)) == {paid}
    assert removals.find(None, repo.rev(BRANCH)) == {secret, paid}


def test_a_merge_by_hand_takes_nothing_out_that_a_side_has_not(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total", "secret")})
    evolve(repo)
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    main = repo.rev(BRANCH)
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/tax.py": entity("Rate", "n")})
    evolve(repo)
    merged = repo.git("commit-tree", repo.tree(main), "-p", BRANCH, "-p", main, "-m", "By hand")
    opened = repo.open()
    assert HandRemovals(opened, SpecTrees(opened)).find(None, merged) == frozenset()
