"""A value that is lost where it was got leaves its object in the state that it had before."""

import pytest

from tests.allium.extract.declared import declare_python

CLIENT = """
import socket
from enum import Enum

class State(Enum):
    OFF = 0
    ON = 1
    RUNNING = 2

class Client:
    def __init__(self):
        self._socket = None
        self.state = State.OFF

    def connect(self):
        if self._socket:
            return
        try:
            self._socket = socket.socket()
            self._socket.connect()
            self.state = State.ON
        except OSError:
            self._socket = None
            raise

    def run(self):
        answer = self._send("run")
        if answer:
            self.state = State.RUNNING

    def close(self):
        if self._socket:
            self._socket.close()
            self._socket = None
        self.state = State.OFF

    def _send(self, text):
        if self._put(text):
            return self._read()
        else:
            return None

    def _put(self, text):
        if self._socket is None:
            return False
        self._socket.send(text)
        return True

    def _read(self):
        while self.state is not State.OFF:
            return self._socket.read()
        raise OSError
"""


def test_what_has_the_value_does_not_get_it_again() -> None:
    told = declare_python(CLIENT)
    assert "        off -> on\n" in told
    assert "        running -> on\n" not in told


def test_a_step_that_answers_by_another_one_runs_on_where_that_answers_so() -> None:
    told = declare_python(CLIENT)
    assert "        on -> running\n" in told
    assert "        off -> running\n" not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        if self._socket:\n            return\n", ""),
        ("        self.state = State.OFF\n\n    def _send", "\n    def _send"),
        ("            self._socket = None\n            raise", "            raise\n\n    "
         "def lose(self):\n        self._socket = None\n        return 1"),
    ],
)  # fmt: skip
def test_it_may_get_it_in_any_state_where_it_may_be_lost_in_any(old: str, new: str) -> None:
    assert old in CLIENT
    assert "        running -> on\n" in declare_python(CLIENT.replace(old, new))
