"""Tables that enums make by a method, written where they are asked."""

import pytest

from tests.allium.extract.declared import declare_python

ORDER = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

    @classmethod
    def allowed(cls):
        return {cls.NEW: [cls.PAID], cls.PAID: [cls.SENT]}

    def may_become(self, other):
        return ASKED

class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        if not self.status.may_become(Status.PAID):
            raise ValueError
        self.status = Status.PAID

    def send(self):
        if not self.status.may_become(Status.SENT):
            raise ValueError
        self.status = Status.SENT
"""


@pytest.mark.parametrize(
    "asked",
    [
        "other in self.allowed().get(self, [])",
        "other in Status.allowed().get(self, ())",
        "other in self.allowed()[self]",
    ],
)
def test_what_is_asked_of_them_is_demanded(asked: str) -> None:
    found = declare_python(ORDER.replace("ASKED", asked))
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> sent"]
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found


@pytest.mark.parametrize(
    "asked", ["other in self.others().get(self, [])", "store.has(other, self)"]
)
def test_what_is_asked_of_others_leaves_it_open(asked: str) -> None:
    found = declare_python(ORDER.replace("ASKED", asked))
    assert "->" not in found
    assert "requires" not in found
