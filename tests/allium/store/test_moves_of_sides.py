"""What one side of a merge moved and the other changed is one declaration."""

import pytest

from git_retcon.allium.evolve.merging import merge_stores
from git_retcon.allium.store.moves_of_sides import follow_other_side
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n"
CART = b"\n-- Source: shop/cart.py, Cart\nentity Cart {\n    n: Integer\n}\n"
ORDER = b"\n-- Source: shop/order.py, Order\nentity Order {\n    cart: Cart\n}\n"
EDITED = ORDER.replace(b"    cart", b"    -- Agreed.\n    due: Timestamp\n    cart")
MOVED = ORDER.replace(b"shop/", b"post/").replace(b": Cart", b": shop/Cart")
USE = b'\nuse "./shop.allium" as shop\n'


def test_a_change_follows_the_declaration_whichever_side_moved_it() -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    one = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED})
    moved = {b"shop.allium": HEAD + CART, b"post.allium": HEAD + USE + MOVED}
    other = SpecStore(modules=moved)
    for ours, theirs in ((one, other), (other, one)):
        merged = merge_stores(base, ours, theirs)
        assert not merged.conflicts
        assert merged.store.module_spec(b"shop.allium") == HEAD + CART
        text = merged.store.module_spec(b"post.allium") or b""
        assert text.endswith(
            MOVED.replace(b"    cart", b"    -- Agreed.\n    due: Timestamp\n    cart")
        )
        assert text.count(b"entity") == 1
    assert follow_other_side(base, base, other) == (base, base), "nothing was changed"


def test_a_branch_that_moves_a_class_keeps_what_people_wrote_on_the_trunk(
    repo: TestRepository,
) -> None:
    files = {"src/shop/order.py": entity("Order", "id"), "src/shop/cart.py": entity("Cart", "id")}
    repo.commit("a", files)
    evolve(repo)
    repo.git("branch", "side")
    repo.commit("b", {"src/tax/rate.py": entity("Rate", "id")})
    evolve(repo)
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n    due: Timestamp\n")
    repo.git("checkout", "-q", "side")
    repo.git("mv", "src/shop/order.py", "src/post.py")
    repo.commit("move", {})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    evolve(repo)
    assert "-- Agreed.\nentity Order {\n    due: Timestamp\n" in spec(repo, "post")
    assert "Order" not in spec(repo, "shop")


@pytest.mark.parametrize("kept", ["post", "tax"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_declaration_that_both_sides_moved_is_where_the_merge_has_its_file(
    kept: str, *, is_first: bool
) -> None:
    due = CART.replace(b"    n: Integer\n", b"    due: Timestamp\n    n: Integer\n")
    grown = CART.replace(b"    n: Integer\n", b"    n: Integer\n    m: Integer\n")
    ours, theirs = (due, grown) if is_first else (grown, due)
    sides = put("shop", CART), put("post", ours), put("tax", theirs)
    merged = merge_stores(*sides, lambda path: path == f"{kept}/cart.py")
    assert not merged.conflicts
    (text,) = merged.store.all_modules().values()
    assert text.endswith(
        f"\n-- Source: {kept}/cart.py, Cart\nentity Cart {{\n    due: Timestamp\n".encode()
        + b"    n: Integer\n    m: Integer\n}\n"
    )
    both = merge_stores(*sides, lambda path: path != "shop/cart.py")
    assert len(both.store.all_modules()) == 2, "they are two declarations now"


def put(module: str, text: bytes) -> SpecStore:
    recited = text.replace(b"shop/cart.py", f"{module}/cart.py".encode())
    return SpecStore(modules={f"{module}.allium".encode(): HEAD + recited})


LINE = b"\n-- Source: shop/order.py, Line\nentity Line {\n    user: User\n}\n"
USER = b"\n-- Source: shop/cart.py, Cart.user\n-- Source: shop/order.py, Line.user\n"
USER += b"external entity User {}\n"


@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_side_adds_to_a_file_is_in_the_module_that_the_other_split_off(
    *, is_first: bool
) -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    split = SpecStore(
        modules={b"shop/cart.allium": HEAD + CART, b"shop/order.allium": HEAD + ORDER}
    )
    grown = SpecStore(modules={b"shop.allium": HEAD + USER + CART + EDITED + LINE})
    merged = merge_stores(base, *((split, grown) if is_first else (grown, split)))
    assert not merged.conflicts
    modules = merged.store.all_modules()
    assert [*modules] == [b"shop/cart.allium", b"shop/order.allium"]
    order = modules[b"shop/order.allium"]
    assert order.count(b"entity Order") == order.count(b"entity Line") == 1
    assert b"-- Agreed." in order
    assert b"-- Source: shop/order.py, Line.user\nexternal entity User {}\n" in order
    assert b"Line" not in modules[b"shop/cart.allium"]


def test_a_file_that_a_side_lost_and_got_back_is_declared_once() -> None:
    base = SpecStore(modules={b"shop/order.allium": HEAD + ORDER})
    back = SpecStore(modules={b"shop.allium": HEAD + EDITED})
    grown = SpecStore(modules={b"shop/order.allium": HEAD + ORDER + LINE})
    for ours, theirs in ((back, grown), (grown, back)):
        (order,) = merge_stores(base, ours, theirs).store.all_modules().values()
        assert order.count(b"entity Order") == 1
        assert b"-- Agreed." in order and b"entity Line" in order


def test_what_people_put_into_the_module_of_a_folder_stays_there() -> None:
    by_hand = {b"shop.allium": HEAD + ORDER, b"shop/order.allium": HEAD + LINE}
    base = SpecStore(modules=by_hand)
    ours = SpecStore(modules={**by_hand, b"shop/cart.allium": HEAD + CART})
    merged = merge_stores(base, ours, SpecStore(modules={b"shop.allium": HEAD + EDITED, **by_hand}))
    assert b"entity Order" in (merged.store.module_spec(b"shop.allium") or b"")
