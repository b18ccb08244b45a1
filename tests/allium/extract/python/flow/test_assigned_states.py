"""What a field gets is read where it is assigned."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python


@pytest.mark.parametrize(
    "demand",
    [
        "assert to in (Status.PAID, Status.SHIPPED)",
        "if to not in (Status.PAID, Status.SHIPPED): raise ValueError",
    ],
)
def test_a_state_that_is_given_is_one_of_those_that_are_demanded(demand: str) -> None:
    source = f"""{ORDER.partition("    def pay")[0]}
    def go(self, to):
        {demand}
        if self.status == Status.NEW:
            self.status = to
"""
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "new -> shipped"]


def test_a_choice_between_two_states_moves_to_each_where_its_condition_says_so() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def go(self):
        self.status = Status.PAID if self.status == Status.NEW else Status.SHIPPED
"""
    )
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> shipped"]


def test_where_there_is_no_state_no_transition_begins() -> None:
    source = (
        ORDER.partition("    status:")[0]
        + """    status: Status | None = None

    def renew(self):
        self.status = None
        self.status = Status.PAID

    def ship(self):
        if self.status != Status.PAID:
            raise ValueError
        self.status = Status.SHIPPED
"""
    )
    told = declare_python(source)
    assert [line.strip() for line in told.split("\n") if "->" in line] == []
    assert "        order.status = paid\n" in told or "ensures: order.status = paid\n" in told


def test_what_an_operation_is_given_at_times_is_one_state_where_it_is_not() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def go(self, status=None):
        self.status = status or Status.PAID
"""
    )
    assert "may set any state" in declare_python(source)
    leaving = (
        source
        + """
    def ship(self):
        self.status = Status.SHIPPED

    def renew(self):
        self.status = Status.NEW
"""
    )
    assert "shipped -> paid" in declare_python(leaving)
    assert "shipped -> paid" not in declare_python(leaving.replace("or Status", "and Status"))
    # A field that has a state keeps it.
    assert "shipped -> paid" not in declare_python(leaving.replace("status or", "self.status or"))


TRIAL = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    BUSY = "is busy"
    OVER = "over"

class Trial:
    def __init__(self):
        self.status = Status.NEW

    def run(self):
        if self.status is not Status.NEW:
            raise ValueError
        self.SET("is busy")

    def stop(self):
        if self.status is not Status.BUSY:
            raise ValueError
        self.SET("over")

    def _become(self, status):
        self.status = Status(status)
"""


@pytest.mark.parametrize(
    "source",
    [
        TRIAL.replace("self.SET", "self._become"),
        TRIAL.replace("self.SET(", "self.status = Status(").partition("    def _become")[0],
        TRIAL.replace('self.SET("is busy")', 'self._become("BUSY")')
        .replace('self.SET("over")', 'self._become("OVER")')
        .replace("Status(status)", "Status[status]"),
        TRIAL.replace('self.SET("is busy")', "self._become(Status.BUSY)").replace(
            'self.SET("over")', "self._become(Status.OVER)"
        ),
    ],
)
def test_a_member_may_be_taken_by_its_name_or_by_its_value(source: str) -> None:
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> busy", "busy -> over"]
    assert "requires: trial.status = busy\n    ensures: trial.status = over\n" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Others say which one, or it is no member of this enum.
        ("def _become", "def become"),
        ("Status(status)", "Status(status.lower())"),
        ("Status(status)", "Phase(status)"),
        ("Status(status)", "find(status)"),
        ('self.SET("is busy")', "self._become(self.next)"),
    ],
)
def test_a_member_that_is_taken_by_anything_else_may_be_any(old: str, new: str) -> None:
    source = TRIAL.replace(old, new).replace("self.SET", "self._become")
    assert "terminal: over" not in declare_python(source)
