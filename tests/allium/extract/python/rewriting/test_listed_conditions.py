"""Conditions in a list are joined ones."""

import pytest

from tests.allium.extract.declared import declare_python

BILL = """
from enum import Enum
class Status(Enum):
    DRAFT = 1
    SENT = 2
    PAID = 3
    VOID = 4
class Bill:
    def __init__(self):
        self.status = Status.DRAFT
        self.amount = 0
    def is_draft(self):
        return self.status == Status.DRAFT
    def is_sent(self):
        return self.status == Status.SENT
    def send(self):
        if not self.is_draft():
            raise ValueError
        self.status = Status.SENT
    def pay(self):
        if self.is_sent():
            self.status = Status.PAID
    def can_void(self):
        return CONDITION
    def void(self):
        if not self.can_void():
            raise ValueError
        self.status = Status.VOID
"""


@pytest.mark.parametrize(
    ("condition", "sources"),
    [
        ("any([self.is_draft(), self.is_sent()])", ["draft", "sent"]),
        ("any((self.is_draft(), self.is_sent()))", ["draft", "sent"]),
        ("all([self.is_sent(), self.amount == 0])", ["sent"]),
        ("bool(self.is_sent())", ["sent"]),
        ("bool(any([self.is_sent(), self.is_draft()]))", ["draft", "sent"]),
        ("any([self.amount, self.is_sent()])", ["draft", "sent", "paid"]),
    ],
)
def test_they_let_in_what_all_or_any_of_them_let_in(condition: str, sources: list[str]) -> None:
    found = declare_python(BILL.replace("CONDITION", condition))
    lines = [line.strip() for line in found.split("\n")]
    assert [each for each in lines if each.endswith("-> void")] == [f"{e} -> void" for e in sources]


def test_what_a_list_takes_from_another_says_nothing() -> None:
    found = declare_python(BILL.replace("CONDITION", "all([*self.checks(), self.is_sent()])"))
    assert "    requires: bill.status = sent\n    ensures: bill.status = void" not in found
