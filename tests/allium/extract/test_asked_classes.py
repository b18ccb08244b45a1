"""Whose rows a query has."""

import ast

import pytest

from git_retcon.allium.extract.asked_classes import find_asked_class, find_queried_class
from git_retcon.allium.extract.row_queries import list_chained


def list_calls(text: str) -> list[ast.Call]:
    """The calls of a query, which a variable ``known`` may begin."""
    known = ast.parse("Order.objects.filter(status='new')", mode="eval").body
    return [*list_chained(ast.parse(text, mode="eval").body, {"known": known})]


def is_type(name: str) -> bool:
    return name in ("Order", "OrderEntity", "LineModel")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("session.query(Order).filter(a)", "Order"),
        ("session.scalars(select(Order).where(a)).all()", "Order"),
        ("get_object_or_404(Order, pk=pk)", "Order"),
        ("select(Order.id)", ""),
        ("session.query(Other)", ""),
    ],
)
def test_the_class_that_a_query_is_made_for(text: str, kind: str) -> None:
    assert find_queried_class(list_calls(text), is_type) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Order.objects.filter(a=b)", "Order"),
        ("known.first()", "Order"),
        ("Order.query.get(1)", "Order"),
        ("Order.find(a)", "Order"),
        ("Order.pending.all()", ""),  # a manager of the project's own, which may choose
        ("self.order_repository.find(a)", "Order"),
        ("self.lineModel.find(a)", "LineModel"),
        ("self.orders.find(a)", ""),
    ],
)
def test_the_class_that_is_asked_itself(text: str, kind: str) -> None:
    assert find_asked_class(list_calls(text), is_type) == kind
