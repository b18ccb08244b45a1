"""What both sides of a merge say together is checked: in a module, and between modules."""

from git_retcon.allium.evolve.merging import add_questions, merge_stores
from git_retcon.allium.store.checked_merge import find_dangling, merge_checked
from git_retcon.allium.store.spec_store import SpecStore

HEAD = b"-- allium: 3\n-- For tests.\n\n"
USE = b'use "./shop.allium" as shop\n\n'
ORDER = b"entity Order {\n    total: Integer\n}\n"
CART = b"entity Cart {\n    size: Integer\n}\n"
REFERS = CART.replace(b"}", b"    order: shop/Order\n}")
STATES = b"""entity Order {
    status: new | paid | sent

    transitions status {
        new -> paid
        paid -> sent
        terminal: sent
    }
}
"""


def test_what_one_side_took_away_and_the_other_began_to_use_is_a_conflict() -> None:
    base = {b"shop.allium": HEAD + ORDER + b"\n" + STATES, b"cart.allium": HEAD + CART}
    ours = {**base, b"cart.allium": HEAD + USE + REFERS}
    theirs = {**base, b"shop.allium": HEAD + STATES.replace(b"Order", b"Parcel")}
    for one, other in ((ours, theirs), (theirs, ours)):
        sides = [SpecStore(modules=each) for each in (base, one, other)]
        merged = merge_stores(sides[0], sides[1], sides[2])
        (conflict,) = merged.conflicts[b"cart.allium"]
        assert (conflict.title, conflict.why) == ("entity Cart", "'shop' declares no 'Order'")
        asked = add_questions(merged.store, merged.conflicts).module_spec(b"cart.allium") or b""
        assert asked.startswith(HEAD + USE + REFERS)
        question = b"entity Cart: 'shop' declares no 'Order', since the branch and what is merged"
        assert asked.count(b'open question "' + question) == 1


def test_a_module_that_is_gone_is_missed_and_what_was_wrong_before_is_not_asked() -> None:
    shop, cart = {b"shop.allium": HEAD + ORDER}, {b"cart.allium": HEAD + USE + REFERS}
    assert list(find_dangling(cart, {**shop, **cart}, shop)) == [b"cart.allium"]
    assert not find_dangling(cart, cart, cart)
    assert not find_dangling(cart, {**shop, **cart}, cart), "one side had it so"
    assert not find_dangling({**shop, **cart}, {**shop, **cart}, shop)


def test_an_edge_to_a_state_that_the_other_side_removed_is_a_conflict() -> None:
    ours = STATES.replace(b" | sent", b"").replace(b"        paid -> sent\n", b"")
    ours = ours.replace(b"terminal: sent", b"terminal: paid")
    theirs = STATES + b"\nrule Send {\n    when: Sending(order: Order)\n"
    theirs += b"    requires: order.status = paid\n    ensures: order.status = sent\n}\n"
    sides = [HEAD + each for each in (STATES, ours, theirs)]
    assert merge_checked(sides[0], sides[1], sides[2]).conflicts
    stores = [SpecStore(modules={b"shop.allium": each}) for each in sides]
    merged = merge_stores(stores[0], stores[1], stores[2])
    assert [each.title for each in merged.conflicts[b"shop.allium"]] == ["rule Send"]
