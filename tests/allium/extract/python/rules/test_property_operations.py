"""Properties that refuse, or set a state, are operations."""

import pytest

from tests.allium.extract.declared import declare

STATES = """
from enum import Enum

class State(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3
"""
JOB = """
class Job:
    def __init__(self):
        self._state = State.NEW
        self._found = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, state):
        {set}

    @property
    def found(self):
        if self._state is not State.DONE:
            raise ValueError
        return self._found

    @property
    def text(self):
        if self._state is not State.DONE:
            return None
        return self._found

    @property
    def is_good(self):
        if self._state is not State.DONE:
            raise ValueError
        return self._found > 3

    def run(self):
        if self._state is not State.NEW:
            raise ValueError
        self._state = State.BUSY
"""


def read(given: str, *, is_apart: bool = False) -> str:
    job = JOB.replace("{set}", given)
    if is_apart:
        return declare({"a/states.py": STATES, "a/job.py": f"from .states import State\n{job}"})
    return declare({"a/job.py": STATES + job})


@pytest.mark.parametrize("is_apart", [False, True])
def test_what_sets_a_state_by_a_property_is_an_operation(is_apart: bool) -> None:
    told = read("self._state = state\n        self.tell(state)", is_apart=is_apart)
    assert "when: SetStateJob(job, state)\n    ensures: job.state = state\n" in told


def test_what_sets_no_state_is_none() -> None:
    assert "SetStateJob" not in read("self._found = state")


def test_a_property_that_fails_in_some_states_is_an_operation() -> None:
    told = read("self._state = state")
    assert "rule JobFound {\n    when: FoundJob(job)\n    requires: job.state = done\n" in told


def test_what_gives_nothing_or_answers_is_none() -> None:
    told = read("self._state = state")
    assert "rule JobText" not in told
    assert "rule JobIsGood" not in told


PLAN = (
    STATES
    + """
class Plan:
    def __init__(self):
        self._state = State.NEW

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, size):
        if self._state is not State.NEW:
            raise ValueError
        self._size = size

    def finish(self):
        self._state = State.DONE
"""
)


def test_what_is_set_only_in_some_states_is_an_operation() -> None:
    found = declare({"plan.py": PLAN})
    assert "when: SetSizePlan(plan)\n    requires: plan.state = new" in found
    asked = PLAN.replace("self._state is not State.NEW", "size < 0")
    assert "SetSizePlan" not in declare({"plan.py": asked})
