"""Copies of syntax nodes."""

import ast

import pytest

from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree

SOURCE = """\
@mark(1)
async def pay(self, *orders: Order, by=None) -> None:
    for order in [each for each in orders if not each.is_paid]:
        with order.lock() as held:
            order.state = PAID if held else f"{order.state!r:>10}"
    match by:
        case {"name": str(name), **rest} | [name, *rest]:
            return lambda x: -x[1:2]
"""


def test_a_copied_tree_reads_the_same() -> None:
    tree = ast.parse(SOURCE)
    assert ast.dump(copy_tree(tree), include_attributes=True) == ast.dump(
        tree, include_attributes=True
    )


def test_what_changes_in_a_copied_tree_leaves_the_first_one_as_it_was() -> None:
    tree = ast.parse(SOURCE)
    before = ast.dump(tree)
    copied = copy_tree(tree)
    for node in ast.walk(copied):
        if isinstance(node, ast.Name):
            node.id = "other"
        if isinstance(node, ast.For | ast.Call):
            getattr(node, "body", node.__dict__.get("args", [])).clear()
    assert ast.dump(tree) == before
    assert ast.dump(copied) != before


def test_a_copied_node_has_its_own_attributes_and_shares_what_is_in_it() -> None:
    first = ast.parse("order.state = PAID").body[0]
    assert isinstance(first, ast.Assign)
    copied = copy_node(first)
    assert copied.value is first.value
    copied.value = ast.Constant(1)
    assert ast.unparse(first) == "order.state = PAID"


def test_a_tree_nested_beyond_anything_is_refused() -> None:
    deep: ast.expr = ast.Name("a")
    for _ in range(100_000):
        deep = ast.Attribute(deep, "b")
    with pytest.raises(RecursionError):
        copy_tree(deep)
    # Let it go from the outside: Python would free it by a recursion of its own.
    while isinstance(deep, ast.Attribute):
        deep = deep.value
