"""Tables of transitions."""

import re

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def test_a_table_of_transitions_is_the_whole_graph() -> None:
    source = ORDER.partition("    def pay")[0] + (
        "NEXT = {Status.NEW: {Status.PAID, Status.SHIPPED}, Status.PAID: [Status.SHIPPED],\n"
        "        Status.SHIPPED: set()}\n"
    )
    assert """
    transitions status {
        new -> paid
        new -> shipped
        paid -> shipped
        terminal: shipped
    }""" in declare_python(source)


BEFORE = """
BEFORE = {Status.NEW: [], Status.PAID: [Status.NEW], Status.SHIPPED: [Status.NEW, Status.PAID]}

def may_follow(old, new):
    return old in BEFORE[new]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("BEFORE[new]", "BEFORE.get(to_state, ())"),
        ("BEFORE[new]", "BEFORE[self.new_state]"),
        ("BEFORE[new]", "BEFORE[each]"),  # called after what it has
    ],
)
def test_a_table_may_have_the_states_before_each(old: str, new: str) -> None:
    table = BEFORE.replace(old, new)
    table = table.replace("BEFORE", "ALLOWED_FROM") if "each" in new else table
    source = ORDER.partition("    def pay")[0] + table
    edges = "        new -> paid\n        new -> shipped\n        paid -> shipped\n"
    assert edges in declare_python(source)


PAIRS = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    new = 1
    paid = 2
    sent = 3
{method}
@dataclass
class Order:
    status: Status

{table}
"""


@pytest.mark.parametrize(
    ("method", "table"),
    [
        ("", "ALLOWED_TRANSITIONS = [(Status.new, Status.paid), (Status.paid, Status.sent)]"),
        (
            """
    def may_become(self, other):
        allowed: dict = {Status.new: {Status.paid}, Status.paid: {Status.sent}, Status.sent: set()}
        return other in allowed[self]
""",
            "",
        ),
    ],
)
def test_a_list_of_pairs_and_a_table_in_a_method_of_the_enum_are_tables(
    method: str, table: str
) -> None:
    found = declare_python(PAIRS.format(method=method, table=table))
    assert "        new -> paid\n        paid -> sent\n        terminal: sent\n" in found


@pytest.mark.parametrize(
    "table",
    [
        "PAIRS = [(Status.new, Status.paid), (Status.paid, Status.sent)]",
        "TRANSITIONS = [(Status.new, Status.paid), (Status.paid, other())]",
        "TRANSITIONS = [(Status.new, Status.paid, Status.sent), (Status.paid, Status.sent)]",
        "TRANSITIONS = [Status.new, Status.paid]",
        "TRANSITIONS = Status.new",
    ],
)
def test_pairs_of_anything_else_are_none(table: str) -> None:
    assert "->" not in declare_python(PAIRS.format(method="", table=table))


SEVERAL = """
@dataclass
class Line:
    status: Status

    def may_become(self, other):
        return (self.status, other) in TRANSITIONS

@dataclass
class Reply:
    status: Status

    def serialize(self):
        return {"status": self.status}

TRANSITIONS = [(Status.new, Status.paid), (Status.paid, Status.sent)]
"""


def test_a_table_of_one_other_for_each_is_no_table_of_transitions() -> None:
    method = """
    def spell(self):
        others = {Status.new: Status.paid, Status.paid: Status.sent}
        return others[self]
"""
    assert "->" not in declare_python(PAIRS.format(method=method, table=""))


def test_of_several_classes_only_those_that_ask_for_a_state_go_through_it() -> None:
    found = declare_python(PAIRS.format(method="", table=SEVERAL))
    blocks = re.split(r"^(?=value |entity |enum )", found, flags=re.MULTILINE)
    assert [each.split()[1] for each in blocks if "->" in each] == ["Line"]
