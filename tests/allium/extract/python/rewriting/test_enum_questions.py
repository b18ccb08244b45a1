"""A state answers what its enum says of its members."""

import textwrap

import pytest

from tests.allium.extract.declared import declare, declare_python

STATES = """
from enum import Enum

class Power(Enum):
    OFF = 1
    ON = 2
    BROKEN = 3

    @property
    def is_shut(self):
        return self in (Power.OFF, Power.BROKEN)

    def may_start(self):
        return self is Power.OFF
"""
MACHINE = """
class Machine:
    def __init__(self):
        self._state: Power = Power.OFF

    @property
    def state(self):
        return self._state

    @property
    def is_stopped(self):
        return self._state.is_shut

    def change(self):
        if ASKED:
            raise ValueError
        self._state = Power.ON

    def stop(self):
        self._state = Power.OFF

    def fail(self):
        self._state = Power.BROKEN
"""


def list_sources(told: str) -> list[str]:
    lines = [line.strip() for line in told.split("\n")]
    return [line.partition(" ")[0] for line in lines if line.endswith("-> on")]


ASKED = [
    ("not self._state.is_shut", ["off", "broken"]),
    ("not self.state.is_shut", ["off", "broken"]),
    ("not self.is_stopped", ["off", "broken"]),
    ("not self._state.may_start()", ["off"]),
    ("self._state.may_start()", ["broken"]),
    # Another object may mean something else by it.
    ("not self.tool.is_shut", ["off", "broken"]),
]


@pytest.mark.parametrize(("asked", "sources"), ASKED)
def test_what_asks_a_state_asks_for_what_its_enum_says(asked: str, sources: list[str]) -> None:
    assert list_sources(declare_python(STATES + MACHINE.replace("ASKED", asked))) == sources


@pytest.mark.parametrize(("asked", "sources"), ASKED)
def test_an_enum_of_another_file_says_the_same(asked: str, sources: list[str]) -> None:
    machine = "from .states import Power\n" + MACHINE.replace("ASKED", asked)
    files = {"a/states.py": STATES, "a/machine.py": machine}
    assert list_sources(declare({n: textwrap.dedent(t) for n, t in files.items()})) == sources


def test_what_two_enums_answer_is_not_known() -> None:
    other = STATES.replace("Power", "Light").replace("may_start", "may_shine")
    source = STATES + other + MACHINE.replace("ASKED", "not self._state.is_shut")
    assert list_sources(declare_python(source)) == []
