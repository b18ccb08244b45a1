"""What a variable says of a state, a question about the variable asks of the state."""

import pytest

from tests.allium.extract.declared import declare_python

READER = """
from enum import Enum

class State(Enum):
    NEW = 0
    RUN = 1
    DONE = 2

class Reader:
    def __init__(self, socket):
        self.state = State.NEW
        self.socket = socket

    def start(self):
        self.state = State.RUN

    def read(self):
        data = self._read()
        if data is None:
            self.state = State.DONE
        return data

    def _read(self):
        STEP
"""


@pytest.mark.parametrize(
    "step",
    [
        "print(self.state)\n        return self.socket.receive()",
        "if self.state == State.NEW:\n            raise ValueError\n"
        "        return self.socket.receive()",
        "logger.info('it is %s', self.state)\n        return self.socket.receive()",
    ],
)
def test_what_a_step_only_checks_or_logs_its_answer_does_not_say(step: str) -> None:
    told = declare_python(READER.replace("STEP", step))
    assert "        run -> done\n" in told


@pytest.mark.parametrize(
    "step",
    [
        "if self.state == State.DONE:\n            return self.socket.name\n        return None",
        "return self.state == State.DONE or self.socket.find()",
        "found = self.state == State.DONE and self.socket.find()\n        return found",
        "return self._find()\n\n    def _find(self):\n        return self.socket.find() "
        "if self.state == State.RUN else None",
        "errors = []\n        if self.state != State.RUN:\n            errors.append(1)\n"
        "        return errors or None",
        "return REASONS.get(self.state)",
        "return Result(self.state == State.RUN)",
        "return {State.RUN: self.socket}[self.state]",
        "while self.state == State.RUN:\n            if self.socket.find():\n"
        "                return True\n        return None",
    ],
)
def test_what_its_answer_goes_by_it_says(step: str) -> None:
    told = declare_python(READER.replace("STEP", step))
    assert "        new -> done\n" not in told
