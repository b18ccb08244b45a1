"""Types that are in another file now, and their declarations that follow them."""

from git_retcon.allium.extract.moved_types import (
    FollowedTypes,
    TypeMove,
    TypeSource,
    follow_types,
    pair_types,
)
from git_retcon.allium.extract.spec_layout import Modules
from git_retcon.allium.store.spec_store import SpecStore

HEAD = b"-- allium: 3\n-- For tests.\n\n"
SHOP = b"""-- Source: src/shop/cart.py, Cart.user
-- Source: src/shop/order.py, Order.user
external entity User {}

-- Source: src/shop/cart.py, Cart
entity Cart {
    user: User
}

-- Source: src/shop/order.py, Order
-- Agreed.
entity Order {
    user: User
    cart: Cart
}

-- Source: src/shop/order.py, Order.pay
rule OrderPay {
    when: PayOrder(order)
}

rule ByHand {
    when: PayCart(cart)
}
"""
POST = b"-- Source: src/post/parcel.py, Parcel\nentity Parcel {\n    n: Integer\n}\n"
MOVE = TypeMove("Order", b"src/shop/order.py", b"src/post/order.py")


def source(path: bytes, *has: str) -> TypeSource:
    return TypeSource(path, "Order", frozenset(has))


def follow(post: bytes, *moves: TypeMove) -> FollowedTypes:
    modules = {b"shop.allium": HEAD + SHOP, b"post.allium": HEAD + post}
    return follow_types(SpecStore(modules=modules), Modules(), moves)


def test_a_type_moved_where_another_file_has_one_like_it() -> None:
    gone = source(b"a.py", "total", "paid")
    alike, other = source(b"b.py", "total", "sent"), source(b"b.py", "fee", "tax", "paid", "n")
    move = TypeMove("Order", b"a.py", b"b.py")
    assert pair_types([gone], [alike]) == [move]
    assert pair_types([gone], [other._replace(has=frozenset({"fee", "tax"}))]) == []
    assert pair_types([gone], [gone]) == [], "it did not move"
    assert pair_types([gone], [alike, alike._replace(path=b"c.py")]) == [], "which one?"
    same = gone._replace(path=b"c.py")
    assert pair_types([gone], [alike, same]) == [move._replace(new=b"c.py")]


def test_its_declarations_go_with_it_and_refer_as_before() -> None:
    store, moves = follow(POST, MOVE)
    assert moves == [MOVE]
    assert store.module_spec(b"post.allium") == HEAD + (
        b'use "./shop.allium" as shop\n\n'
        b"-- Source: src/post/order.py, Order.user\nexternal entity User {}\n\n" + POST + b"\n"
        b"-- Source: src/post/order.py, Order\n-- Agreed.\nentity Order {\n"
        b"    user: User\n    cart: shop/Cart\n}\n\n"
        b"-- Source: src/post/order.py, Order.pay\nrule OrderPay {\n    when: PayOrder(order)\n}\n"
    )
    left = store.module_spec(b"shop.allium") or b""
    assert left.startswith(HEAD + b"-- Source: src/shop/cart.py, Cart.user\nexternal entity User")
    assert b"Order" not in left.replace(b"PayOrder", b"")
    assert b"rule ByHand" in left


def test_it_gets_another_name_where_another_one_has_its_own() -> None:
    post = POST.replace(b"Parcel", b"Order") + b"\nrule OrderPay {\n    when: Paying()\n}\n"
    use = b"\nentity Line {\n    order: Order\n}\n\n"
    asked = b'open question "entity Order: field cart: src/shop/order.py says it otherwise. Why?"\n'
    modules = {b"shop.allium": HEAD + SHOP + use + asked, b"post.allium": HEAD + post}
    store, moves = follow_types(SpecStore(modules=modules), Modules(), [MOVE])
    assert moves == [MOVE]
    text = store.module_spec(b"post.allium") or b""
    assert post in text, "what was there is as it was"
    assert b"-- Agreed.\nentity OrderOrder {\n    user: User\n    cart: shop/Cart\n}\n" in text
    assert b"rule OrderOrderPay {" in text
    left = store.module_spec(b"shop.allium") or b""
    assert b"entity Line {\n    order: post/OrderOrder\n}\n" in left
