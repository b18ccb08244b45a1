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


@pytest.mark.parametrize(
    ("line", "other"),
    [
        # What does more than to ask is a step.
        ("        return True\n\n    def receive", "        self.run()\n\n    def receive"),
        ("_may_settle(self):", "_may_settle(self, by=None):"),
        ("    def _may", "    @cached\n    def _may"),
    ],
)
def test_a_question_that_nobody_can_tell_is_left_open(line: str, other: str) -> None:
    assert line in MESSAGE
    accept = declare_python(MESSAGE.replace(line, other, 1)).partition("rule MessageAccept")[2]
    assert "May change the state." in accept
