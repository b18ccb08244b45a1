"""What people wrote of a declaration, by the names that it had."""

from git_retcon.allium.reconcile.compared_sides import Sides
from git_retcon.allium.store.module_text import MARKER, DeclarationText, cut_module

ORDER = b"-- Source: shop/order.py, Order\n%b {\n    total: Integer\n}\n"


def declare(head: bytes) -> DeclarationText:
    (declaration,) = cut_module(MARKER + ORDER % head).declarations
    return declaration


def test_items_that_people_wrote_are_theirs_and_comments_are_not() -> None:
    order = declare(b"entity Order")
    field = Sides("shop/order.py", {}, {("entity", "Order", "field total")})
    assert field.has_items_by_hand(order)
    assert field.is_by_hand(order, {"field total"})
    assert not field.is_by_hand(order)
    comment = Sides("shop/order.py", {}, {("entity", "Order", "comment -- why")})
    assert not comment.has_items_by_hand(order)
    assert comment.is_comment_by_hand(order, "-- why")


def test_what_has_the_name_of_its_file_before_its_own_is_known_by_that() -> None:
    sides = Sides("shop/order.py", {}, {("entity", "Order", "field total")})
    assert sides.has_items_by_hand(declare(b"entity ShopOrder"))
    assert not sides.has_items_by_hand(declare(b"entity Cart"))
