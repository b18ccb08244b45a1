"""Comments stay at what the source changes."""

import pytest

from git_retcon.allium.store.carried_comments import carry_comments
from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository


@pytest.mark.parametrize(
    ("old", "new", "carried"),
    [
        (b"    a: X -- one", b"    a: Y", b"    a: Y -- one"),
        (b"    -- one\n    a: X", b"    a: Y", b"    -- one\n    a: Y"),
        (b"    a: X -- one", b"    a: Y -- two", b"    -- one\n    a: Y -- two"),
        (b"\n    -- one\n    a: X", b"\n    a: Y", b"\n    -- one\n    a: Y"),
        (b"    a: X -- one", b"    a: Y -- one", b"    a: Y -- one"),
        (
            b"-- Source: a.py, A\n-- one\nenum A { x }",
            b"-- Source: b.py, A\nenum A { y }",
            b"-- Source: b.py, A\n-- one\nenum A { y }",
        ),
        (
            b"    t {\n        a -> b -- one\n        b -> c -- two\n    }",
            b"    t {\n        a -> b\n    }",
            b"    -- two\n    t {\n        a -> b -- one\n    }",
        ),
    ],
)
def test_a_comment_is_behind_its_line_or_above(old: bytes, new: bytes, carried: bytes) -> None:
    assert carry_comments(old, new) == carried
    assert carry_comments(old, new, lambda comment: comment == "none") == new


@pytest.mark.parametrize("evolves", [True, False])
def test_a_comment_makes_nothing_somebodys_own(repo: TestRepository, *, evolves: bool) -> None:
    files = {"src/shop/order.py": entity("Order", "total"), "src/shop/cart.py": entity("Cart", "n")}
    repo.commit("a", files)
    evolve(repo)
    edit(repo, "shop", "entity Order", "-- Agreed.\nentity Order")
    edit(repo, "shop", "total: Integer", "total: Integer -- cents")

    def follow() -> str:
        if evolves:
            evolve(repo)
        else:
            allium_here(repo.path, "reconcile", "--offline").ok()
        return spec(repo, "shop")

    repo.commit("b", {"src/shop/order.py": "class Order:\n    total: str\n"})
    assert "-- Agreed.\nentity Order {\n    total: String -- cents\n}\n" in follow()
    repo.commit("c", {"src/shop/order.py": "x = 1\n"})
    assert follow().endswith(
        "-- Agreed.\n-- cents\n"
        'open question "entity Order: src/shop/order.py does not declare it any more. '
        'Is the comment above still needed?"\n'
    ) or "-- Agreed.\n-- cents\nopen question" in spec(repo, "shop")
    assert "entity Order {" not in spec(repo, "shop")
