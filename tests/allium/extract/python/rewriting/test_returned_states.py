"""A function that says which state is next means the states that it returns."""

import ast
import textwrap

import pytest

from git_retcon.allium.extract.python.rewriting.returned_states import name_answered, name_returned
from tests.allium.extract.declared import declare_python


def name_states(called: str, call: str = "order.status = choose(order)") -> str:
    """What is left of a call of a function with this body."""
    tree = ast.parse(
        f"def choose(order):\n{textwrap.indent(called, '    ')}\ndef settle(order):\n    {call}\n"
    )
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    name_returned(functions, [])
    return ast.unparse(functions["settle"].body[0])


CHOSEN = "order.status = Status.A if _(0) else Status.B"


@pytest.mark.parametrize(
    "called",
    [
        "if order.total:\n    return Status.A\nreturn Status.B",
        "return Status.A if order.total else Status.B",
        "if order.total:\n    found = Status.A\nelse:\n    found = Status.B\nreturn found",
        "for each in order.lines:\n    if each:\n        return Status.A\nreturn Status.B",
        "try:\n    return Status.A\nexcept E:\n    return Status.B",
        "match order:\n    case 1:\n        return Status.A\n    case _:\n        return Status.B",
        "if order.total:\n    return Status.A\nif order.fee:\n    return None\nreturn Status.B",
        "def inner():\n    return 3\nif order.total:\n    return Status.A\nreturn Status.B",
    ],
)
def test_all_that_it_may_return(called: str) -> None:
    assert name_states(called) == CHOSEN
    assert name_states(called, "order.status = await choose(order)") == CHOSEN


@pytest.mark.parametrize(
    "called",
    [
        "return Status.A",
        "if order.total:\n    return Status.A\nreturn order.status",
        "if order.total:\n    return Status.A\nreturn found",
        "found = Status.A\nfound += 1\nif order.total:\n    return Status.B\nreturn found",
        "if order.total:\n    return 1\nreturn 2",
        "order.seen = True\nif order.total:\n    return Status.A\nreturn Status.B",
        "if order.total:\n    return Status.A\nreturn other()",
        "return",
    ],
)
def test_what_returns_or_does_anything_else_stays_a_call(called: str) -> None:
    assert name_states(called) == "order.status = choose(order)"


def test_an_operation_leads_to_each_of_them() -> None:
    found = declare_python("""
from enum import Enum
class Status(Enum):
    NEW = 1
    PAID = 2
    PART_PAID = 3
class Order:
    id: int
    paid: int
    status: Status = Status.NEW
    def _choose_status(self):
        if self.paid > 3:
            return Status.PAID
        return Status.PART_PAID
    def pay(self, amount):
        if self.status != Status.NEW:
            raise ValueError("not new")
        self.status = self._choose_status()
""")
    assert "        new -> paid\n        new -> part_paid\n" in found
    assert "ensures: order.status in {paid, part_paid}" in found


def test_a_method_that_runs_others_of_its_class_may_do_more_than_to_answer() -> None:
    source = """
def settle(self):
    self.status = self.choose()
def choose(self):
    if self.total:
        return Status.A
    return Status.B
def drop(self):
    self.status = Status.A
"""
    nodes = ast.parse(source).body
    name_answered(methods := {e.name: e for e in nodes if isinstance(e, ast.FunctionDef)})
    assert ast.unparse(methods["settle"].body[0]) == "self.status = Status.A if _(0) else Status.B"
    other = source.replace("    if self.total:", "    self.drop()\n    if self.total:")
    nodes = ast.parse(other).body
    name_answered(methods := {e.name: e for e in nodes if isinstance(e, ast.FunctionDef)})
    assert ast.unparse(methods["settle"].body[0]) == "self.status = self.choose()"


def test_a_method_that_asks_for_the_state_does_not_answer_all_in_each() -> None:
    source = """
def settle(self):
    self.status = self.choose()
def choose(self):
    if self.status == Status.A:
        return Status.B
    return Status.A
"""
    nodes = ast.parse(source).body
    name_answered(methods := {e.name: e for e in nodes if isinstance(e, ast.FunctionDef)})
    assert ast.unparse(methods["settle"].body[0]) == "self.status = self.choose()"
