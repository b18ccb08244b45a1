"""What a query asks of its rows."""

import ast

import pytest

from git_retcon.allium.extract.row_queries import (
    list_chained,
    list_row_tests,
    lists_rows,
)


def list_calls(text: str) -> list[ast.Call]:
    """The calls of a query, which a variable ``known`` may begin."""
    known = ast.parse("Order.objects.filter(status='new')", mode="eval").body
    return [*list_chained(ast.parse(text, mode="eval").body, {"known": known})]


def list_tests(text: str) -> list[str]:
    wanted = ast.parse("Q(status=NEW)", mode="eval").body
    tests = list_row_tests(list_calls(text), "row", {"wanted": wanted})
    return [ast.unparse(each) for each in tests]


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("known.first()", ["row.status == 'new'"]),
        ("list(known)", ["row.status == 'new'"]),
        ("Order.objects.get(pk=pk, open=True, a__in=A)", ["row.open", "row.a in A"]),
        ("Order.objects.exclude(status='new')", ["not row.status == 'new'"]),
        ("Order.objects.exclude(status='new', open=True)", []),
        ("query(Order).where(Order.status != NEW, lower == 1)", ["row.status != NEW"]),
        ("Order.findOne({'where': {'status': NEW}, 'take': 1})", ["row.status == NEW"]),
        ("Order.find({'status': {'$in': ALL}})", ["row.status in ALL"]),
        ("Order.updateMany({'status': NEW}, {'status': PAID})", ["row.status == NEW"]),
        ("Order.objects.filter(total__gt=1)", []),
        ("known[:5]", ["row.status == 'new'"]),
        ("Order.objects.filter(Q(a=A) & ~Q(b__in=B))", ["row.a == A", "not row.b in B"]),
        ("Order.objects.filter(Q(a=A) | Q(b=B))", ["row.a == A or row.b == B"]),
        ("Order.objects.filter(wanted)", ["row.status == NEW"]),
        # What cannot be read whole says that nothing is known of its fields.
        ("Order.objects.filter(~Q(a=A, b=B))", ["_(row.a)", "_(row.b)"]),
        ("Order.objects.filter(Q(a=A) | Q(b__gt=B))", ["_(row.a)", "_(row.b)"]),
    ],
)
def test_what_a_query_asks_of_a_row(text: str, tests: list[str]) -> None:
    assert list_tests(text) == tests


@pytest.mark.parametrize(
    ("text", "is_list"),
    [("Order.objects.filter(pk__in=keys)", True), ("Order.objects.filter(a__in=keys)", False)],
)
def test_whether_a_query_names_its_rows(text: str, is_list: bool) -> None:
    assert any(map(lists_rows, list_calls(text))) is is_list
