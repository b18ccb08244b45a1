"""Tables of transitions."""

import re

import pytest

from tests.allium.extract.declared import ORDER, declare, declare_python

MOVE = """
    def move(self, new):
        if not may_follow(self.status, new):
            raise ValueError(new)
        self.status = new

"""
# A class that has its states set where a table allows it.
ASKING = ORDER.partition("    def pay")[0] + MOVE


def test_a_table_of_transitions_is_the_whole_graph() -> None:
    source = ASKING.replace("may_follow(self.status, new)", "new in NEXT[self.status]") + (
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
    source = ASKING + table
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

    def may_become(self, other):
        return {asked}

{table}
"""


@pytest.mark.parametrize(
    ("asked", "method", "table"),
    [
        (
            "(self.status, other) in ALLOWED_TRANSITIONS",
            "",
            "ALLOWED_TRANSITIONS = [(Status.new, Status.paid), (Status.paid, Status.sent)]",
        ),
        (
            "self.status.may_become(other)",
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
    asked: str, method: str, table: str
) -> None:
    found = declare_python(PAIRS.format(asked=asked, method=method, table=table))
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
    asked = f"(self.status, other) in {table.partition(' ')[0]}"
    assert "->" not in declare_python(PAIRS.format(asked=asked, method="", table=table))


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
    asked = "self.status.spell(other)"
    assert "->" not in declare_python(PAIRS.format(asked=asked, method=method, table=""))


def test_of_several_classes_only_those_that_ask_a_table_go_through_it() -> None:
    found = declare_python(PAIRS.format(asked="other in Status", method="", table=SEVERAL))
    blocks = re.split(r"^(?=value |entity |enum )", found, flags=re.MULTILINE)
    assert [each.split()[1] for each in blocks if "->" in each] == ["Line"]


STATES = """
from enum import Enum
class Status(Enum):
    NEW = 1
    PAID = 2
    SENT = 3
"""
TABLES = """
from app.states import Status
LAST = [Status.SENT]
NEXT = {None: [Status.NEW], Status.NEW: [Status.PAID] + LAST, Status.PAID: LAST, Status.SENT: ()}
"""
ORDERS = """
from dataclasses import dataclass
from app.states import Status
from app.tables import NEXT

@dataclass
class Order:
    status: Status

    def move(self, new):
        if new not in NEXT.get(self.status, ()):
            raise ValueError(new)
        self.status = new
"""


def test_a_table_may_be_in_a_file_of_its_own() -> None:
    files = {"app/states.py": STATES, "app/tables.py": TABLES, "app/orders.py": ORDERS}
    edges = (
        "        new -> paid\n        new -> sent\n        paid -> sent\n        terminal: sent\n"
    )
    assert edges in declare(files)
    whole = ORDERS.replace("tables import NEXT", "tables import *")
    assert edges in declare({**files, "app/orders.py": whole})
    module = ORDERS.replace("from app.tables import NEXT", "from app import tables")
    module = module.replace("NEXT.get", "tables.NEXT.get")
    assert edges in declare({**files, "app/orders.py": module})


def test_what_is_no_table_of_one_kind_of_states_is_none() -> None:
    files = {"app/states.py": STATES, "app/orders.py": ORDERS}
    for old, new in [
        ("Status.SENT: ()", "Status.SENT: list_next()"),
        ("Status.SENT: ()", "**others"),
        ("Status.SENT: ()", "Status.SENT: (other(), )"),
        (" + LAST", " + MORE"),
    ]:
        assert old in TABLES
        assert "->" not in declare({**files, "app/tables.py": TABLES.replace(old, new)})
