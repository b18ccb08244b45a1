"""Questions of a class that refuse before they answer."""

import pytest

from tests.allium.extract.declared import declare_python

MESSAGE = """
from enum import Enum

class State(Enum):
    NEW = 1
    RECEIVED = 2
    SETTLED = 3

class Message:
    def __init__(self):
        self.state = State.NEW

    def _may_settle(self):
        if self.state == State.NEW:
            raise ValueError("not received")
        if self.state == State.SETTLED:
            return False
        return True

    def receive(self):
        if self.state != State.NEW:
            raise ValueError
        self.state = State.RECEIVED

    def accept(self):
        if self._may_settle():
            self.state = State.SETTLED
            return True
        return False
"""


@pytest.mark.parametrize(
    "asked",
    [
        "if self._may_settle():",
        "if self._may_settle() and self.peer:",
        "if not self._may_settle():\n            return False\n        if self.peer:",
    ],
)
def test_what_asks_a_question_that_refuses_refuses_the_same(asked: str) -> None:
    found = declare_python(MESSAGE.replace("if self._may_settle():", asked))
    assert "    requires: message.state != new\n" in found
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["new -> received", "received -> settled"]


def test_what_does_more_than_to_ask_is_followed_as_a_step() -> None:
    never = MESSAGE.replace(
        "        return True\n\n    def rec", "        self.run()\n\n    def rec", 1
    )
    found = declare_python(never)
    assert "rule MessageAccept" not in found, "it answers nothing, so nobody is settled"
    assert "no operation here leads to or from settled" in found
    given = declare_python(MESSAGE.replace("_may_settle(self):", "_may_settle(self, by=None):", 1))
    assert [line.strip() for line in given.split("\n") if "->" in line] == [
        "new -> received",
        "received -> settled",
    ]


def test_a_question_that_nobody_can_tell_is_left_open() -> None:
    cached = MESSAGE.replace("    def _may", "    @cached\n    def _may", 1)
    accept = declare_python(cached).partition("rule MessageAccept")[2]
    assert "May change the state." in accept
