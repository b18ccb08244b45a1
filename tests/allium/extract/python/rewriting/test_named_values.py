"""Ways to say one thing may be mixed: each is read behind those that were opened before it."""

from tests.allium.extract.declared import declare_python

SOURCE = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    DONE = 3

class Job:
    def __init__(self):
        self._state = State.NEW

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value

    @property
    def is_open(self):
        return self._state is State.OPEN

    def open(self):
        target = State.OPEN
        if self._state is not State.NEW:
            raise RuntimeError
        self.state = target

    def finish(self):
        can_finish = self.is_open
        if not can_finish:
            raise RuntimeError
        self.state = State.DONE
"""


def test_a_setter_is_given_a_variable_and_a_question_is_kept_in_one() -> None:
    told = declare_python(SOURCE)
    assert "        new -> open\n        open -> done\n" in told
    assert "requires: job.state = open" in told
