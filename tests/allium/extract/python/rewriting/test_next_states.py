"""The next state by a table, written as what it is for each state."""

import pytest

from tests.allium.extract.declared import declare_python

STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

STEPS = {Status.NEW: Status.PAID, Status.PAID: Status.SENT}

class Order:
    NEXT = {Status.NEW: Status.PAID, Status.PAID: Status.SENT}

    def __init__(self):
        self.status = Status.NEW

    def advance(self):
"""
ASKED = """
if self.status not in self.NEXT:
    raise ValueError
self.status = self.NEXT[self.status]
"""
HELD = """
found = STEPS.get(self.status)
if found is None:
    raise ValueError
self.status = found
"""
DENIED = """
found = Order.NEXT.get(self.status, None)
if not found:
    raise ValueError
self.notify(found)
self.status = found
"""
TAKEN = "found = self.NEXT[self.status]\nself.status = found"
STAYING = "self.status = self.NEXT.get(self.status, self.status)"
EDGES = ["new -> paid", "paid -> sent", "terminal: sent"]


def declare(body: str) -> str:
    lines = "\n        ".join(body.strip().split("\n"))
    return declare_python(f"{STATUS}        {lines}\n")


def list_edges(text: str) -> list[str]:
    lines = [each.strip() for each in text.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


@pytest.mark.parametrize("body", [ASKED, HELD, DENIED, TAKEN])
def test_an_operation_moves_each_state_that_has_a_next_one(body: str) -> None:
    found = declare(body)
    assert list_edges(found) == EDGES
    assert "    requires: order.status in {new, paid}\n" in found


def test_what_has_no_next_state_may_stay() -> None:
    found = declare(STAYING)
    assert list_edges(found) == EDGES
    assert "requires" not in found


@pytest.mark.parametrize(
    "body",
    [
        "self.status = self.NEXT[self.former]",
        "found = self.NEXT.get(self.status)\nfound = other(found)\nself.status = found",
        "self.status = self.NEXT.get(self.status, Status.NEW)",
    ],
)
def test_what_may_be_any_other_state_is_left_open(body: str) -> None:
    assert list_edges(declare(body)) == []


def test_an_action_is_allowed_in_the_states_that_a_table_lists_for_it() -> None:
    found = declare_python("""
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

class Order:
    ALLOWED = {"pay": {Status.NEW}, "send": [Status.PAID]}

    def __init__(self):
        self.status = Status.NEW

    def _check(self, action):
        if self.status not in self.ALLOWED[action]:
            raise ValueError(action)

    def pay(self):
        self._check("pay")
        self.status = Status.PAID

    def send(self):
        self._check("send")
        self.status = Status.SENT
""")
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found
