"""A function that answers a question is read as its answer, where a condition asks it."""

import pytest

from tests.allium.extract.declared import declare_python

MACHINE = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"

    @classmethod
    def may_follow(cls, source, target):
        '''Whether an order may go on.'''
        if target == cls.PAID:
            return source == cls.NEW
        elif target == cls.SHIPPED:
            return source in [cls.PAID]
        return False

def may_follow(source, target=Status.PAID):
    return source == Status.NEW if target == Status.PAID else source == Status.PAID

class Order:
    def __init__(self):
        self.status = Status.NEW

    def _may_follow(self, target):
        if target == Status.PAID:
            return self.status == Status.NEW
        return Status.may_follow(self.status, target)

    def _go(self, target):
        assert {question}
        self.status = target

    def pay(self):
        self._go(Status.PAID)

    def ship(self):
        self._go(Status.SHIPPED)
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


@pytest.mark.parametrize(
    "question",
    [
        "Status.may_follow(self.status, target)",
        "Status.may_follow(target=target, source=self.status)",
        "may_follow(self.status, target)",
        "self._may_follow(target)",
    ],
)
def test_what_it_returns_is_demanded(question: str) -> None:
    source = MACHINE.replace("{question}", question)
    assert list_edges(source) == ["new -> paid", "paid -> shipped"]
    told = declare_python(source)
    assert "rule OrderPay {\n    when: PayOrder(order)\n    requires: order.status = new\n" in told
    refusing = source.replace(f"assert {question}", f"if not {question}: raise ValueError")
    assert list_edges(refusing) == list_edges(source)


@pytest.mark.parametrize(
    "question",
    [
        "may_follow(self.status, self.choose())",  # what that gives is not known
        "may_follow(*self.status)",
        "may_go(self.status, target)",
        "Other.may_follow(self.status, target)",
    ],
)
def test_no_transition_is_claimed_behind_a_question_that_cannot_be_read(question: str) -> None:
    assert list_edges(MACHINE.replace("{question}", question)) == []


def test_a_function_that_does_something_is_no_answer() -> None:
    busy = MACHINE.replace("    return source == Status.NEW if", "    log()\n    return source if")
    assert list_edges(busy.replace("{question}", "may_follow(self.status, target)")) == []


def test_answers_that_ask_each_other_come_to_an_end() -> None:
    turning = MACHINE.replace("Status.may_follow(self.status, target)", "self._may_follow(target)")
    assert list_edges(turning.replace("{question}", "self._may_follow(target)")) == []


ENUM = """
from enum import IntEnum

class State(IntEnum):
    NEW = 0
    OPEN = 1
    GONE = 2

    @classmethod
    def may_follow(cls, source, target):
        if target == cls.OPEN:
            return source in (cls.NEW, cls.GONE)
        elif target == cls.GONE:
            return source == cls.OPEN

class Door:
    def __init__(self):
        self._state = State.NEW

    def open(self):
        self._become(State.OPEN)

    def leave(self):
        self._become(State.GONE)

    def _become(self, target):
        if not self._state.may_follow(self._state, target):
            raise ValueError(target)
        self._state = target
"""


def test_a_state_is_asked_itself_and_what_gives_no_answer_says_no() -> None:
    told = declare_python(ENUM)
    assert "        new -> open\n        open -> gone\n        gone -> open\n" in told
    assert "    requires: door.state = open\n    ensures: door.state = gone\n" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # What is asked is no state, or of an unknown class.
        ("self._state.may_follow(", "self._book.may_follow("),
        ("class State(IntEnum)", "class Other: pass\nclass State(Thing)"),
        ("            return source == cls.OPEN", "            cls.note(source)"),
    ],
)
def test_what_any_other_object_answers_is_not_known(old: str, new: str) -> None:
    assert "->" not in declare_python(ENUM.replace(old, new))
