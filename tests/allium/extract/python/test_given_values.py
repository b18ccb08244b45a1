"""What a private method is given, also by another one that is given it."""

import pytest

from tests.allium.extract.declared import declare_python
from tests.allium.extract.python.test_inferred_states import list_edges, list_rules

JOB = """
import abc

_PENDING = "PENDING"
_RUNNING = "RUNNING"
_STOPPED = "STOPPED"
_FAILED = "FAILED"

class Job(abc.ABC):
    def __init__(self):
        self.__reset()

    def __reset(self):
        self.__state = _PENDING

    @abc.abstractmethod
    def work(self):
        pass

    def run(self):
        for each in self._step():
            pass

    def _step(self):
        return self.__go(_PENDING, _RUNNING)

    def __go(self, pending, running):
        self.__move(pending, running)
        try:
            yield self.work()
        except Exception:
            self.__move(running, _FAILED)
            raise
        self.__move(running, _STOPPED)

    def __move(self, old, new):
        if self.__state != old:
            raise ValueError(self.__state)
        self.__state = new
"""


def test_a_step_has_the_constants_that_other_steps_hand_on() -> None:
    found = declare_python(JOB)
    assert "    state: pending | running | stopped | failed\n" in found
    assert list_edges(found) == ["pending -> running", "running -> stopped", "running -> failed"]
    assert "JobMove" not in list_rules(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("__go", "go"),
        ("return self.__go(_PENDING, _RUNNING)", "return self.__go(*self.states)"),
        ("yield self.work()", "running = self.work()"),
        ("self.__move(running, _STOPPED)", "each(lambda running: self.__move(pending, running))"),
    ],
)
def test_what_may_be_given_anything_has_no_states(old: str, new: str) -> None:
    assert old in JOB
    assert "    state: " not in declare_python(JOB.replace(old, new))


def test_steps_that_hand_on_in_a_circle_end() -> None:
    code = JOB.replace("yield self.work()", "self.__move(running, pending)").replace(
        "self.__state = new", "self.__state = new\n        self.__go(old, new)"
    )
    assert "    state: " not in declare_python(code)
