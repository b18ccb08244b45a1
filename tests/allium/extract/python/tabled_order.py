"""An order beside a table of the transitions of its status."""

from tests.allium.extract.declared import declare_python

HEAD = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

NEXT = {Status.NEW: {Status.PAID}, Status.PAID: {Status.SENT}, Status.SENT: set()}

def check(old, new):
    if new not in NEXT[old]:
        raise ValueError(new)

@dataclass
class Order:
    id: int
    status: Status = Status.NEW

    def show(self):
        return self.status in (Status.NEW, Status.PAID)
"""
TABLE = ["new -> paid", "paid -> sent"]


def list_graph(code: str) -> list[str]:
    """The transitions and the last states of an order with more methods."""
    lines = [each.strip() for each in declare_python(HEAD + code).split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]
