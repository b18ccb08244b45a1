"""Variables that hold what a field says are read as the field, as long as that is true."""

import ast
import textwrap

import pytest

from git_retcon.allium.extract.python.syntax.local_values import inline_values
from tests.allium.extract.declared import ORDER, declare_python


def inline(body: str) -> str:
    (node,) = ast.parse(f"def f(self, wanted):\n{textwrap.indent(body, '    ')}").body
    assert isinstance(node, ast.FunctionDef)
    before = ast.unparse(node)
    found = inline_values(node)
    assert ast.unparse(node) == before, "it is a copy"
    return "\n".join(map(ast.unparse, found.body))


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("state = self.state\nif state == 'new':\n    g(state)",
         "if self.state == 'new':\n    g(self.state)"),
        ("is_new = self.state == 'new'\nif not is_new:\n    return", "if not self.state == 'new':"),
        ("is_open = self.is_open()\nassert is_open", "assert self.is_open()"),
        ("a = self.a\nb = not a\nreturn b", "return not self.a"),
        ("x: str = self.x\nwith lock:\n    return x", "return self.x"),
        ("x = self.x\nfor y in g():\n    if x:\n        h()", "if self.x:"),
        ("x = self.x\ntry:\n    g(x)\nexcept E as e:\n    h(x)", "h(self.x)"),
        ("x = self.x\nwhile x:\n    g()", "while self.x:"),
        ("x = self.x\nmatch x:\n    case 'a':\n        g(x)", "match self.x:"),
        ("x = self.x\nif (y := x):\n    g(y)", "if self.x:"),
        ("x = self.x\nif a:\n    raise E\nreturn x", "return self.x"),
    ],
)  # fmt: skip
def test_a_variable_is_what_it_holds(body: str, read: str) -> None:
    assert read in inline(body)


@pytest.mark.parametrize(
    "body",
    [
        "x = self.x\nself.x = 'b'\nreturn x",
        "x = self.x\nself.x += 1\nreturn x",
        "x = self.x\nx = g()\nreturn x",
        "x = self.x\nself.go()\nreturn x",
        "x = self.x\ny = self.pop()\nreturn x",
        "x = self.x\nif a:\n    x = 1\nreturn x",
        "x = self.x\nif a:\n    self.x = 1\nreturn x",
        "x = self.x\nfor self.x in g():\n    return x",
        "x = self.x\nwhile a:\n    g(x)\n    self.x = 1\nreturn x",
        "x = self.x\ntry:\n    self.x = 1\nfinally:\n    return x",
        "x = self.x\nwith g() as x:\n    return x",
        "x = self.x\ndel x\nreturn x",
        "x = self.x\n(x, y) = g()\nreturn x",
        "x = self.x == wanted\nwanted = 1\nreturn x",
        "if a:\n    x = self.x\nreturn x",
        "x = self.count + 1\nreturn x",
        "x = self.find()\nreturn x",
        "x = self.x\nreturn lambda x: x",
        # An object is not what it was found by.
        "order = self.order\norder.state = 1\norder.save()\nreturn order[0]",
    ],
)
def test_a_variable_that_may_hold_something_else_stays_one(body: str) -> None:
    assert inline(body) == ast.unparse(ast.parse(body))


def test_guards_ask_through_variables() -> None:
    found = declare_python("""
from enum import Enum
class Status(Enum):
    NEW = 1
    PAID = 2
    SENT = 3
class Order:
    id: int
    status: Status = Status.NEW
    def pay(self):
        is_new = self.status == Status.NEW
        if not is_new:
            raise ValueError("not new")
        self.status = Status.PAID
    def _is_paid(self):
        status = self.status
        return status == Status.PAID
    def send(self):
        status = self.status
        if status != Status.PAID:
            raise ValueError("not paid")
        self.status = Status.SENT
""")
    assert "new -> paid\n        paid -> sent\n        terminal: sent\n" in found
    assert "requires: order.status = paid\n    ensures: order.status = sent" in found


TABLE = """
NEXT = {Status.NEW: [Status.PAID], Status.PAID: [Status.SHIPPED], Status.SHIPPED: []}
"""
MOVE = """
    def move_on(self):
        allowed = NEXT.get(self.status, [])
        if Status.SHIPPED not in allowed:
            raise ValueError
        self.status = Status.SHIPPED
"""


@pytest.mark.parametrize("code", [MOVE, MOVE.replace(".get(self.status, [])", "[self.status]")])
def test_a_variable_may_hold_what_a_table_has_for_a_field(code: str) -> None:
    found = declare_python(ORDER.partition("    def pay")[0] + code + TABLE)
    assert "requires: order.status = paid\n    ensures: order.status = shipped" in found


def test_what_anything_but_a_constant_has_for_a_field_may_change() -> None:
    body = "found = things.get(self.status)\nif found:\n    pass"
    assert inline(body) == body
    assert "if NEXT.get(self.status):" in inline(body.replace("things", "NEXT"))
