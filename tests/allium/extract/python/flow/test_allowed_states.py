"""Guards that ask a table, a list or a property which states are allowed."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python

TABLE = "{Status.NEW: [Status.PAID], Status.PAID: (Status.NEW, Status.SHIPPED), Status.SHIPPED: []}"


def declare_refund(guard: str, table: str = TABLE) -> str:
    """The rule of an operation whose guard asks a table."""
    source = f"""
NEXT = {table}
{ORDER}
    NEXT = {table}

    @property
    def next_status(self):
        table = {table}
        return table[self.status]

    def refund(self):
        {guard}
            raise ValueError
        self.status = Status.NEW
"""
    return declare_python(source).partition("rule OrderRefund")[2]


@pytest.mark.parametrize(
    "table",
    [
        "self.next_status",
        "NEXT[self.status]",
        "self.NEXT[self.status]",
        "NEXT.get(self.status, [])",
    ],
)
def test_a_table_of_what_may_follow_says_where_an_operation_works(table: str) -> None:
    told = declare_refund(f"if Status.NEW not in {table}:")
    assert "requires: order.status = paid" in told


def test_nothing_may_follow_in_any_words() -> None:
    told = declare_refund(
        "if Status.NEW not in NEXT[self.status]:",
        "{Status.NEW: set(), Status.PAID: {Status.NEW}, Status.SHIPPED: frozenset()}",
    )
    assert "requires: order.status = paid" in told


def test_a_table_that_is_not_read_whole_says_nothing() -> None:
    told = declare_refund(
        "if Status.NEW not in self.next_status:",
        "{Status.NEW: follow(), Status.PAID: [Status.NEW]}",
    )
    assert "requires: order.status" not in told
    assert "Fails if Status.NEW not in self.next_status" in told


def test_another_way_to_pass_makes_it_no_demand() -> None:
    told = declare_refund("if not FORCED and Status.NEW not in self.next_status:")
    assert "requires: order.status" not in told


def test_a_local_list_of_states_is_read() -> None:
    told = declare_refund("allowed = [Status.PAID]\n        if self.status not in allowed:")
    assert "requires: order.status = paid" in told


def test_a_local_list_that_is_changed_says_nothing() -> None:
    told = declare_refund(
        "allowed = [Status.PAID]\n        allowed += more()\n        if self.status not in allowed:"
    )
    assert "requires" not in told


def test_what_a_guard_allows_that_cannot_be_read_moves_no_state() -> None:
    told = declare_python(
        ORDER.partition("    def pay")[0]
        + """
    def settle(self):
        if not self.is_open():
            raise ValueError
        self.status = Status.PAID

    def is_open(self):
        return policies.ask(self.status)
"""
    )
    assert "->" not in told
    assert "order.status = paid" in told


def test_what_a_property_gives_as_a_boolean_is_asked() -> None:
    source = ORDER.replace(
        "return self.status is Status.PAID", "return bool(self.status is Status.PAID)"
    )
    assert "requires: order.status = paid" in declare_python(source)


def test_a_question_may_be_asked_under_a_lock() -> None:
    source = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    FAILED = 3

class Door:
    def __init__(self, lock):
        self._lock = lock
        self._state = State.NEW

    def has_failed(self):
        with self._lock:
            return self._state is State.FAILED

    def open(self):
        if self.has_failed():
            raise ValueError("failed")
        self._state = State.OPEN

    def fail(self):
        self._state = State.FAILED
"""
    told = declare_python(source)
    assert "        new -> open\n        new -> failed\n        open -> failed\n" in told
    assert "failed -> open" not in told
    assert "    requires: door.state != failed\n" in told
    assert "requires: door.state" not in declare_python(
        source.replace("with self._lock:", "with self._ask() as _:")
    )


@pytest.mark.parametrize(
    ("guard", "states"),
    [
        ("if self.status in early | {Status.SHIPPED}:", "= paid"),
        ("if self.status not in (early + late) - {Status.NEW}:", "in {paid, shipped}"),
        ("if self.status not in early + late:", ""),
        ("if self.status in early + late[:1]:", ""),
    ],
)
def test_lists_with_names_may_be_joined(guard: str, states: str) -> None:
    source = f"""
{ORDER}
    def refund(self, total):
        early = (Status.NEW,)
        late = (Status.PAID, Status.SHIPPED)
        {guard}
            raise ValueError
        if total and self.status in late:
            self.status = Status.NEW
        elif self.status in early:
            self.status = Status.PAID
"""
    told = declare_python(source).partition("rule OrderRefund")[2].partition("}\n\n")[0]
    requires = told.partition("requires: order.status ")[2].partition("\n")[0]
    assert requires == states
