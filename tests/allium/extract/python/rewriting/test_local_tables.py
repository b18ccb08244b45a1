"""Tables that a method has in a variable, written where it asks them."""

import pytest

from tests.allium.extract.declared import declare, declare_python

STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"
"""
ORDER = """
class Order:
    def __init__(self, status: Status = Status.NEW):
        self.status = status
{asking}
    def update(self, new: Status) -> None:
        {refusing}
        self.status = new
        self.touch()

    def send(self):
        self.update(Status.SENT)
"""
TABLE = "moves = {Status.NEW: [Status.PAID], Status.PAID: [Status.SENT], Status.SENT: []}"
ASKING = f"""
    def may_become(self, new: Status) -> bool:
        {TABLE}
        return new in moves.get(self.status, [])
"""
ASKED = ORDER.format(
    asking=ASKING,
    refusing="if not self.may_become(new):\n            raise ValueError(new)",
)
PLAIN = ORDER.format(
    asking="",
    refusing=f"{TABLE}\n        if new not in moves.get(self.status, []):\n"
    "            raise ValueError(new)",
)
ENTRY = ORDER.format(
    asking="",
    refusing=f"{TABLE}\n        allowed = moves.get(self.status, [])\n"
    "        if new not in allowed:\n            raise ValueError(allowed)",
)
EDGES = ["new -> paid", "paid -> sent", "terminal: sent"]


def list_edges(text: str) -> list[str]:
    lines = [each.strip() for each in text.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


@pytest.mark.parametrize("order", [ASKED, PLAIN, ENTRY])
@pytest.mark.parametrize("in_one_file", [True, False])
def test_an_operation_goes_through_them(order: str, *, in_one_file: bool) -> None:
    files = {"app/order.py": STATUS + order}
    if not in_one_file:
        files = {"app/order.py": f"from app.status import Status\n{order}", "app/status.py": STATUS}
    found = declare(files)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found


def test_a_table_that_changes_says_nothing() -> None:
    changing = PLAIN.replace("        if new", "        moves = load(moves)\n        if new")
    assert list_edges(declare_python(STATUS + changing)) == []


def test_an_entry_is_of_the_state_that_was_there() -> None:
    moved = ENTRY.replace("        if new", "        self.status = Status.NEW\n        if new")
    assert "requires: order.status = paid" not in declare_python(STATUS + moved)
