"""Modules that are split, renamed and listed as the source grows."""

from git_retcon.allium.language import check, is_error, parse
from git_retcon.allium.store.module_layout import (
    Move,
    list_in_master,
    make_head,
    move_declarations,
    rename_modules,
    split_modules,
)
from git_retcon.allium.store.module_text import cut_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.model.token_count import count_tokens

USER = b"""-- allium: 3
-- Users.

-- Source: src/user/profile.py, User
entity User {
    team: Team
}

-- Source: src/user/team.py, Team
entity Team {
    owner: User
}

open question "Who may leave?"
"""
ORDER = b"""-- allium: 3
-- Orders.

use "./user.allium" as user

-- Source: src/order/order.py, Order
entity Order {
    buyer: user/User
}
"""


def make_store() -> SpecStore:
    return SpecStore(modules={b"user.allium": USER, b"order.allium": ORDER})


def errors(store: SpecStore) -> list[str]:
    found = check(parse(content, path) for path, content in store.to_file_map().items())
    return [each.message for each in found if is_error(each)]


def test_a_large_module_is_split_by_the_files_that_it_cites() -> None:
    store = split_modules(make_store(), 40)
    assert list(store.all_modules()) == [
        b"order.allium",
        b"user.allium",
        b"user/profile.allium",
        b"user/team.allium",
    ]
    assert store.module_spec(b"user/profile.allium") == (
        make_head(b"user/profile.allium")
        + b'\n\nuse "./team.allium" as team\n\n-- Source: src/user/profile.py, User\n'
        b"entity User {\n    team: team/Team\n}\n"
    )
    assert b'use "./user/profile.allium" as profile' in store.all_modules()[b"order.allium"]
    assert b"buyer: profile/User" in store.all_modules()[b"order.allium"]
    assert store.module_spec(b"user.allium") == (
        b'-- allium: 3\n-- Users.\n\nopen question "Who may leave?"\n'
    )
    assert errors(store) == []


EXTERNAL = b"""-- allium: 3
-- Shop.

-- Source: shop/cart/cart.py, Cart.user
-- Source: shop/order/order.py, Order.user
-- Of the framework.
external entity User {}

-- Source: shop/cart/cart.py, Cart
entity Cart {
    user: User
}

-- Source: shop/order/order.py, Order
entity Order {
    user: User
    from: Cart
}
"""


def test_an_external_entity_is_in_each_part_that_refers_to_it() -> None:
    """As each file names it: a field is not described by another module's external entity."""
    store = split_modules(SpecStore(modules={b"shop.allium": EXTERNAL}), 40)
    head = b"-- allium: 3\n-- Mirrors shop/%b.\n-- Shop.\n\n%b-- Source: shop/%b, %b.user\n"
    body = b"-- Of the framework.\nexternal entity User {}\n\n-- Source: shop/%b, %b\nentity %b {\n"
    use = b'use "./cart.allium" as cart\n\n'
    cart, order = (b"cart/cart.py", b"Cart"), (b"order/order.py", b"Order")
    assert dict(store.all_modules()) == {
        b"shop/cart.allium": head % (b"cart", b"", *cart)
        + body % (*cart, b"Cart")
        + b"    user: User\n}\n",
        b"shop/order.allium": head % (b"order", use, *order)
        + body % (*order, b"Order")
        + b"    user: User\n    from: cart/Cart\n}\n",
    }
    assert errors(store) == []


CONTRACT = b"""-- allium: 3
-- Shop.

-- Source: shop/types/a.py, Resource
value Resource {
    name: String
}

-- Source: shop/types/a.py, Listing
value Listing {
    resources: List<Resource>
}

-- Source: shop/server/b.py, Resource
contract Resource {
    read: () -> Void
}
"""


def test_a_field_means_the_type_and_not_a_contract_of_its_name() -> None:
    store = split_modules(SpecStore(modules={b"shop.allium": CONTRACT}), 20)
    assert list(store.all_modules()) == [b"shop/server.allium", b"shop/types.allium"]
    assert b"resources: List<Resource>" in store.all_modules()[b"shop/types.allium"]
    assert b"use " not in store.all_modules()[b"shop/types.allium"]


def test_a_module_of_one_file_stays_whole() -> None:
    store = make_store()
    assert split_modules(store, 1_000) is store
    assert split_modules(store, 5).module_spec(b"order.allium") is not None


def test_a_module_follows_its_folder() -> None:
    store = rename_modules(
        make_store(),
        {
            b"src/user/profile.py": b"src/account/profile.py",
            b"src/user/team.py": b"src/account/team.py",
        },
    )
    # The question cites nothing: it goes with the module that it is in.
    assert list(store.all_modules()) == [b"account.allium", b"order.allium"]
    assert b"-- Source: src/account/team.py, Team" in store.all_modules()[b"account.allium"]
    assert b"buyer: account/User" in store.all_modules()[b"order.allium"]
    assert errors(store) == []


def test_a_module_of_which_one_file_moved_stays_and_cites_the_new_path() -> None:
    store = rename_modules(make_store(), {b"src/user/team.py": b"src/user/group.py"})
    assert list(store.all_modules()) == [b"order.allium", b"user.allium"]
    assert b"-- Source: src/user/group.py, Team" in store.all_modules()[b"user.allium"]
    assert rename_modules(store, {b"x.py": b"y.py"}) is store


def test_a_module_whose_files_went_to_another_one_s_folder_stays_itself() -> None:
    old = (b"src/user/profile.py", b"src/user/team.py")
    moved = {name: name.replace(b"user", b"order") for name in old}
    store = rename_modules(make_store(), moved)
    assert list(store.all_modules()) == [b"order.allium", b"user.allium"]
    assert b"-- Source: src/order/team.py, Team" in store.all_modules()[b"user.allium"]


def test_a_module_of_just_the_limit_stays_whole() -> None:
    store = make_store()
    most = max(map(count_tokens, store.all_modules().values()))
    assert split_modules(store, most) is store
    assert split_modules(store, most - 1) is not store


def test_the_master_uses_the_modules_that_are_there() -> None:
    store = list_in_master(make_store())
    assert store.master_spec().endswith(
        b'\n\nuse "./order.allium" as order\nuse "./user.allium" as user\n'
    )
    assert list_in_master(store) is store
    fewer = list_in_master(store.remove_module_spec(b"user.allium"))
    assert b"user" not in fewer.master_spec()


def test_no_move_changes_nothing() -> None:
    store = make_store()
    assert move_declarations(store, []) is store


ANN = b"\n-- Ask Ann before a change."


def test_what_people_wrote_at_the_top_goes_to_each_part_of_a_module_that_is_split_off() -> None:
    written = EXTERNAL.replace(b".\n\n", b"." + ANN + b"\n\n", 1)
    split = split_modules(SpecStore(modules={b"shop.allium": written}), 40).all_modules()
    assert [*split] == [b"shop/cart.allium", b"shop/order.allium"]
    assert all(
        text.startswith(make_head(path) + b"\n-- Shop." + ANN + b"\n\n")
        for path, text in split.items()
    )


def test_what_people_wrote_at_the_top_is_added_to_the_module_that_takes_all() -> None:
    store = make_store().set_module_spec(
        b"order.allium", ORDER.replace(b"Orders.", b"Orders." + ANN)
    )
    text = cut_module(store.module_spec(b"order.allium") or b"")
    (order,) = (each for each in text.declarations if each.kind == "entity")
    after = move_declarations(store, [Move(order, b"order.allium", b"user.allium")])
    assert [*after.all_modules()] == [b"user.allium"]
    assert (after.module_spec(b"user.allium") or b"").startswith(
        b"-- allium: 3\n-- Users.\n-- Orders." + ANN + b"\n\n"
    )
