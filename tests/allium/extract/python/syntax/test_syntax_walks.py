"""Walks over syntax nodes."""

import ast

from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes, walk_own

SOURCE = """\
from order import Order as Bought

@mark(1, by="me", **more)
async def pay(self, *orders: Order, by=None, to) -> None:
    global paid
    for order in [each for each in orders if not each.is_paid and each.total > 1]:
        with order.lock() as held:
            order.state = PAID if held else f"{order.state!r:>10}"
    try:
        del kept[{**rest, "key": -self.key}]
    except Refused as error:
        raise Failed(error) from error
    match by:
        case {"name": str(name), **rest} | [name, *rest] | None:
            return lambda x: -x[1:2]
"""
_LEFT_OUT = (
    ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop,
)  # fmt: skip


def test_all_nodes_are_walked_in_order_but_for_operators_and_contexts() -> None:
    tree = ast.parse(SOURCE)
    assert [*walk_nodes(tree)] == [
        each for each in ast.walk(tree) if not isinstance(each, _LEFT_OUT)
    ]


def test_what_is_only_defined_is_no_part_of_what_runs() -> None:
    tree = ast.parse("run(lambda: hidden)\ndef later():\n    hidden()\nclass Kept:\n    x = hidden")
    names = {each.id for each in walk_own(tree) if isinstance(each, ast.Name)}
    assert names == {"run"}
    assert any(isinstance(each, ast.ClassDef) for each in walk_own(tree))
    assert [*walk_own(tree.body[1])] == [tree.body[1]]


def test_nodes_that_lack_parts_are_walked() -> None:
    made = ast.Call(ast.Name("pay"), [], [])
    assert [*walk_nodes(made)] == [made, made.func]
