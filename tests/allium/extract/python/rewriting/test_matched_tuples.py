"""A case of several things asks for each of them."""

import pytest

from tests.allium.extract.declared import declare_python

LAMP = """
from enum import Enum

class Phase(Enum):
    OFF = 0
    RED = 1
    GREEN = 2
    DIM = 3

class Lamp:
    def __init__(self):
        self.phase = Phase.OFF

    def handle(self, event):
        match (self.phase, event.name):
            case (Phase.OFF, "power"):
                self.phase = Phase.RED
            case (Phase.RED | Phase.DIM, "tick"):
                self.phase = Phase.GREEN
            case (Phase.GREEN, "tick") if self.is_late:
                self.phase = Phase.DIM
            case (Phase.GREEN, name):
                self.seen.append(name)
            case (_, "power"):
                self.phase = Phase.OFF
            case _:
                raise ValueError(event)
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_a_case_is_entered_from_the_states_that_it_names() -> None:
    assert list_edges(LAMP) == [
        "off -> red",
        "red -> off",
        "red -> green",
        "green -> dim",
        "dim -> off",
        "dim -> green",
    ]


def test_a_tuple_without_brackets_says_the_same() -> None:
    plain = LAMP.replace("(self.phase, event.name)", "self.phase, event.name")
    assert list_edges(plain) == list_edges(LAMP)


def test_a_case_of_tuples_asks_for_one_of_them() -> None:
    source = LAMP.replace('(Phase.OFF, "power")', '(Phase.OFF, "power") | (Phase.DIM, "off")')
    assert "dim -> red" in list_edges(source)
    assert "green -> red" not in list_edges(source)


def test_an_operation_refuses_what_no_case_is_for() -> None:
    source = LAMP.replace('case (_, "power")', 'case (Phase.RED, "power")')
    source = source.replace("case (Phase.GREEN, name)", 'case (Phase.RED, "x")')
    source = source.replace("case (Phase.RED | Phase.DIM", "case (Phase.RED")
    source = source.replace('case (Phase.GREEN, "tick") if self.is_late', 'case (Phase.RED, "y")')
    assert "requires: lamp.phase in {off, red}" in declare_python(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Each may be another state when it is asked again, or asks for more than what is there.
        ("(self.phase, event.name)", "(self.take_phase(), event.name)"),
        ('(Phase.RED | Phase.DIM, "tick")', "(Phase.RED | Phase.DIM, *rest)"),
        ('(Phase.RED | Phase.DIM, "tick")', "(Phase.RED | Phase.DIM, Tick())"),
        ("(Phase.GREEN, name)", '(Phase.GREEN, name) if name != "x"'),
    ],
)
def test_what_cannot_be_said_in_conditions_may_come_from_anywhere(old: str, new: str) -> None:
    assert "green -> red" in list_edges(LAMP.replace(old, new))
