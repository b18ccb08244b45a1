"""A rule is about an object that is there."""

import ast

import pytest

from git_retcon.allium.extract.found_objects import assume_found


def assume(body: str) -> str:
    (node,) = ast.parse(f"def f(order):\n    {body}\n    g()").body
    assert isinstance(node, ast.FunctionDef)
    return "\n".join(map(ast.unparse, assume_found(node, "order").body[:-1]))


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("if not order: return", "pass"),
        ("if order is None: raise E", "pass"),
        ("if order == None: raise E", "pass"),
        ("if order: a()", "a()"),
        ("if order is not None: a()", "a()"),
        ("if not order: return\n    else: a()", "a()"),
        ("if not order or order.done: return", "if order.done:\n    return"),
        ("if order and order.done: return", "if order.done:\n    return"),
        ("if a or not order or b: return", "if a or b:\n    return"),
        ("if order or a: b()", "b()"),
        ("if not (order and a): return", "if not (order and a):\n    return"),
        ("if other is None: return", "if other is None:\n    return"),
        ("if not order.done: return", "if not order.done:\n    return"),
        ("if order == 3: return", "if order == 3:\n    return"),
    ],
)
def test_what_asks_whether_it_is_there_is_settled(body: str, left: str) -> None:
    assert assume(body) == left
