"""An error interrupts what may raise one, and not what only sets the state."""

import pytest

from tests.allium.extract.declared import declare_python

LINK = """
from enum import Enum

class State(Enum):
    IDLE = 1
    CONNECTING = 2
    UP = 3
    FAILED = 4

class Link:
    def __init__(self):
        self.state = State.IDLE

    def _set_state(self, state):
        self.state = state
        self.tell()

    def connect(self):
        if self.state is not State.IDLE:
            raise ValueError
        try:
            BEGIN
            self.open()
            END
        except OSError:
            self.state = State.FAILED
"""


def list_failing(begin: str, end: str) -> list[str]:
    told = declare_python(LINK.replace("BEGIN", begin).replace("END", end))
    return [line.strip() for line in told.split("\n") if line.endswith("-> failed")]


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("self.state = State.CONNECTING", "self.state = State.UP"),
        ("self._set_state(State.CONNECTING)", "self._set_state(State.UP)"),
    ],
)
def test_what_sets_the_state_first_or_last_raises_no_error(begin: str, end: str) -> None:
    assert list_failing(begin, end) == ["connecting -> failed"]


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        ("self.ask()\n            self.state = State.CONNECTING", "idle -> failed"),
        ("self._set_state(self.choose())", "idle -> failed"),
        ("self.state = State.CONNECTING\n            self.state = State.UP", "up -> failed"),
    ],
)
def test_what_may_raise_one_ends_in_the_state_before_it(begin: str, more: str) -> None:
    assert more in list_failing(begin, "self.state = State.UP")


def test_a_step_that_refuses_may_raise_one_before_it_sets_the_state() -> None:
    source = LINK.replace(
        "        self.state = state\n",
        "        if self.is_shut:\n            raise OSError\n        self.state = state\n",
    )
    source = source.replace("BEGIN", "self._set_state(State.CONNECTING)")
    assert "        idle -> failed\n" in declare_python(
        source.replace("END", "self.state = State.UP")
    )
