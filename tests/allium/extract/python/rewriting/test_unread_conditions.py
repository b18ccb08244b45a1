"""Conditions that nobody can read are known for it: nothing rests on them."""

import ast

from git_retcon.allium.extract.python.rewriting.unread_conditions import doubt_rest, leave_open
from tests.allium.extract.declared import declare_python

ORDER = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"

class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        {}
        self.status = Status.PAID
"""


def test_what_is_behind_one_is_no_transition() -> None:
    assert "new -> paid" in declare_python(ORDER.format("print(1)"))
    assert "new -> paid" not in declare_python(ORDER.format(ast.unparse(doubt_rest())))


def test_a_value_that_may_be_anything_is_no_state() -> None:
    source = ORDER.format("print(1)") + f"        self.status = {ast.unparse(leave_open())}\n"
    assert "-> paid" not in declare_python(source)
