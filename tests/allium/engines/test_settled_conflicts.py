"""What a merge of the source chose is no question; what people wrote is one, whatever it chose."""

import pytest

from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.allium.subcommands.test_drift_check import drift
from tests.repository import TestRepository

PATH = "src/shop/order.py"


def shop(total: str, *cart: str) -> dict[str, str]:
    """Far apart, so that git merges them by themselves."""
    order = entity("Order", "id", "total", "paid").replace("total: int", total)
    return {PATH: order + "\n" * 9 + entity("Cart", "size", *cart)}


@pytest.fixture
def forked(repo: TestRepository) -> TestRepository:
    """Both sides changed the type of one field; one of them has a field more elsewhere."""
    repo.commit("a", shop("total: int"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", shop("total: str", "weight"))
    repo.git("checkout", "-q", "main")
    repo.commit("c", shop("total: bool"))
    return repo


@pytest.mark.parametrize(("strategy", "kind"), [("ours", "Boolean"), ("theirs", "String")])
def test_what_a_merge_chose_of_a_file_that_both_sides_changed(
    forked: TestRepository, strategy: str, kind: str
) -> None:
    forked.git("merge", "-q", "--no-edit", f"-X{strategy}", "side")
    evolve(forked)
    said = spec(forked, "shop")
    assert f"    total: {kind}\n" in said
    assert "    weight: Integer\n" in said
    assert "open question" not in said
    assert drift(forked).ok().err == "no divergence\n"


CART = entity("Cart", "size")
GROWN = entity("Cart", "size", "more")


def far(order: str, cart: str) -> dict[str, str]:
    return {PATH: order + "\n" * 9 + cart}


@pytest.mark.parametrize("remover", ["main", "side"])
def test_a_class_that_one_side_removed_and_a_merge_kept(repo: TestRepository, remover: str) -> None:
    other = "side" if remover == "main" else "main"
    repo.commit("a", far(entity("Order", "id"), CART))
    repo.git("branch", "side")
    repo.git("checkout", "-q", remover)
    repo.commit("b", far(entity("Order", "id", "late"), ""))
    repo.git("checkout", "-q", other)
    repo.commit("c", far(entity("Order", "id"), GROWN))
    repo.git("checkout", "-q", "main")
    strategy = "theirs" if remover == "main" else "ours"
    repo.git("merge", "-q", "--no-edit", f"-X{strategy}", "side")
    evolve(repo)
    said = spec(repo, "shop")
    assert "    late: Integer\n" in said
    assert "entity Cart {\n    size: Integer\n    more: Integer\n}\n" in said
    assert "open question" not in said


def test_a_type_that_a_person_took_out_and_a_merge_changed_is_asked_about(
    repo: TestRepository,
) -> None:
    repo.commit("a", far(entity("Order", "id"), CART))
    repo.git("branch", "side")
    repo.commit("b", far(entity("Order", "id", "late"), CART))
    evolve(repo)
    cart = "\n-- Source: src/shop/order.py, Cart\nentity Cart {\n    size: Integer\n}\n"
    edit(repo, "shop", cart, "")
    repo.git("checkout", "-q", "side")
    repo.commit("c", far(entity("Order", "id"), GROWN))
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    evolve(repo)
    assert spec(repo, "shop").count('open question "entity Cart: ') == 1


def test_what_a_person_wrote_on_the_side_that_a_merge_left_is_asked_about(
    forked: TestRepository,
) -> None:
    forked.git("checkout", "-q", "side")
    evolve(forked)
    edit(forked, "shop", "total: String", "total: Decimal")
    forked.git("checkout", "-q", "main")
    forked.git("merge", "-q", "--no-edit", "-Xours", "side")
    evolve(forked)
    assert spec(forked, "shop").count("open question") == 1


@pytest.mark.parametrize("is_edited", [True, False])
def test_a_type_that_both_sides_made(repo: TestRepository, *, is_edited: bool) -> None:
    repo.commit("a", far(entity("Order", "id"), "x = 1\n"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", far(entity("Order", "id", "late"), entity("Cart", "weight")))
    evolve(repo)
    if is_edited:
        edit(repo, "shop", "weight: Integer", "weight: Decimal")
    repo.git("checkout", "-q", "main")
    repo.commit("c", far(entity("Order", "id"), CART))
    repo.git("merge", "-q", "--no-edit", "-Xours", "side")
    evolve(repo)
    said = spec(repo, "shop")
    assert "entity Cart {\n    size: Integer\n}\n" in said
    assert said.count('open question "entity Cart: ') == is_edited


def test_a_merge_that_chose_something_else_is_described_as_it_is(forked: TestRepository) -> None:
    forked.git("merge", "-q", "--no-commit", "-Xours", "side")
    forked.commit("merge", shop("total: float", "weight"))
    evolve(forked)
    said = spec(forked, "shop")
    assert "    total: Decimal\n" in said
    assert "open question" not in said
