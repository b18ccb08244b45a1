"""What a step refuses that an operation has its object checked by is the operation's demand."""

import pytest

from tests.allium.extract.declared import declare_python

FILE = """
from enum import Enum

class State(Enum):
    IDLE = 1
    OPEN = 2
    CLOSED = 3

class File:
    def __init__(self):
        self.state = State.IDLE
        self._closed = False
        self._socket = None

    def _ensure_open(self):
        if self._closed:
            raise ValueError
        if self._socket is None:
            raise ValueError

    def check_state(self):
        if self.state is not State.OPEN:
            raise ValueError

    def _look(self):
        if self._closed:
            return
        if self._socket is None:
            raise ValueError

    async def _wait_open(self):
        if self._closed:
            raise ValueError

    def close(self):
        self._closed = True

    def write(self, data):
        {run}
        self.buffer.append(data)
"""


def write(run: str) -> str:
    told = declare_python(FILE.replace("{run}", run))
    return told.partition("rule FileWrite {")[2].partition("}")[0]


def test_what_a_private_step_refuses_is_demanded() -> None:
    told = write("self._ensure_open()")
    assert "    requires: not file.closed\n    requires: file.socket != null\n" in told


def test_a_step_that_is_called_after_a_check_needs_not_be_private() -> None:
    assert "    requires: file.state = open\n" in write("self.check_state()")


@pytest.mark.parametrize(
    "run",
    [
        "self._wait_open()",
        "other._ensure_open()",
        "self._look()",
        "self._closed = self.given; self._socket = data; self._ensure_open()",
        "try: self._ensure_open()\n        except ValueError: pass",
    ],
)
def test_nothing_is_demanded_that_the_step_may_not_refuse(run: str) -> None:
    assert write(run) == ""
