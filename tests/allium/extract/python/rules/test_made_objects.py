"""A step of an object that a method has just made is none of the object that runs the method."""

import pytest

from tests.allium.extract.declared import declare_python

CLUSTER = """
class Cluster:
    def __init__(self, name):
        self._begin(name)

    @classmethod
    def from_name(cls, name):
        self = object.__new__(cls)
        self._begin(name)
        return self

    def _begin(self, name):
        self.name = name
        self.state = "created"

    def start(self):
        if self.state == "created":
            self.state = "running"

    def close(self):
        self.state = "closed"
"""

LINK = """
from enum import Enum

class State(Enum):
    OFF = 0
    OPENING = 1
    ON = 2

class Link:
    def __init__(self):
        self.state = State.OFF

    @classmethod
    def make(cls, name):
        link = cls()
        link._open(name)
        return link

    def _open(self, name):
        self.name = name
        self.state = State.OPENING

    def finish(self):
        if self.state == State.OPENING:
            self.state = State.ON
"""


def test_what_begins_an_object_is_no_transition() -> None:
    told = declare_python(CLUSTER)
    assert "        created -> running\n" in told
    assert "-> created" not in told
    assert "-> created" in declare_python(CLUSTER.replace("object.__new__(cls)", "cls.find(name)"))


def test_a_step_of_a_new_object_begins_where_that_does() -> None:
    told = declare_python(LINK)
    assert "        off -> opening\n" in told
    assert "        on -> opening\n" not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("link = cls()", "link = cls.find()"),
        ("        link._open", "        cls.known(link)\n        link._open"),
        ("def finish(self):", "def again(self):\n        self._open('')\n\n    def finish(self):"),
    ],
)
def test_it_may_begin_in_any_state_elsewhere(old: str, new: str) -> None:
    assert "        on -> opening\n" in declare_python(LINK.replace(old, new))
