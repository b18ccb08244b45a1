"""A call that reads or sets a field of a bean is that field."""

import ast

import pytest

from git_retcon.allium.extract.bean_accessors import read_accessors
from git_retcon.allium.extract.source_facts import BOOLEAN, STRING, Field

FIELDS = {"status": Field("status", STRING), "open": Field("open", BOOLEAN)}


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("order.setStatus(PAID)", "order.status = PAID"),
        ("x = order.getStatus()", "x = order.status"),
        ("x = order.isOpen()", "x = order.open"),
        ("order.setTotal(1)", "order.setTotal(1)"),
        ("other.setStatus(PAID)", "other.setStatus(PAID)"),
    ],
)
def test_a_call_is_the_field_that_it_names(code: str, meaning: str) -> None:
    (node,) = ast.parse(f"def work(order):\n    {code}\n").body
    assert isinstance(node, ast.FunctionDef)
    read_accessors(node, "order", FIELDS)
    assert ast.unparse(ast.fix_missing_locations(node.body[0])) == meaning
