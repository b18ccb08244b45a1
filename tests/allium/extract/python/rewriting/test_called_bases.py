"""Methods that let a base class of their file do what they override."""

import pytest

from tests.allium.extract.declared import declare_python

CLIENT = """
IDLE = 0
WAITING = 1
DONE = 2
FAILED = 3

class Transaction:
    def __init__(self, owner):
        self.state = IDLE

    def set_state(self, state, timer=0):
        if self.state in (DONE, FAILED):
            error = RuntimeError("it is over")
            raise error
        self.stop()
        self.state = state

class Client(Transaction):
    def set_state(self, state, timer=0):
        Transaction.set_state(self, state, timer)
        self.tell(state)

    def send(self):
        if self.state != IDLE:
            raise RuntimeError
        self.set_state(WAITING)

    def finish(self):
        self.set_state(DONE, 3)

    def fail(self):
        self.set_state(FAILED)
"""
SENT = [
    "idle -> waiting", "idle -> done", "idle -> failed", "waiting -> done", "waiting -> failed",
]  # fmt: skip


@pytest.mark.parametrize(
    "call",
    ["Transaction.set_state(self, state, timer)", "super().set_state(state, timer=timer)"],
)
def test_an_heir_does_what_the_base_class_does_that_it_calls(call: str) -> None:
    found = declare_python(CLIENT.replace("Transaction.set_state(self, state, timer)", call))
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == SENT
    # A base class refuses for its heirs.
    finish = found.partition("rule ClientFinish {")[2]
    assert "    requires: client.state in {idle, waiting}\n" in finish


@pytest.mark.parametrize(
    ("line", "other"),
    [
        # Another object, or another method.
        ("Transaction.set_state(self, state, timer)", "Transaction.set_state(other, state, timer)"),
        ("Transaction.set_state(self, state, timer)", "Transaction.set_now(self, state, timer)"),
        # Of two base classes, another one may come between.
        ("class Client(Transaction)", "class Client(Transaction, Other)"),
        # What it leaves early, or names as its caller does, cannot be told here.
        ("        self.stop()\n", "        super().stop()\n"),
        ("        self.stop()\n", "        if timer:\n            return\n"),
        ("        self.tell(state)\n", "        self.tell(error=1)\n        error = 3\n"),
        ("Transaction.set_state(self, state, timer)", "Transaction.set_state(self, state, 1 + 1)"),
    ],
)
def test_what_cannot_be_told_of_a_base_class_stays_a_call(line: str, other: str) -> None:
    assert line in CLIENT
    assert "->" not in declare_python(CLIENT.replace(line, other, 1))
