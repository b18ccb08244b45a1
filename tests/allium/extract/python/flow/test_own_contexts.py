"""What an own context manager sets around a body is set around it."""

import pytest

from tests.allium.extract.declared import declare_python

MOTOR = """
from contextlib import contextmanager
from enum import Enum

class State(Enum):
    IDLE = 1
    BUSY = 2
    HOT = 3
    BROKEN = 4

class Motor:
    def __init__(self):
        self.state = State.IDLE

    @contextmanager
    def _running(self):
        self.state = State.BUSY
        try:
            yield self
        except OSError:
            self.state = State.BROKEN
            raise
        else:
            self.state = State.IDLE

    def turn(self):
        if self.state is not State.IDLE:
            raise ValueError
        with self._running():
            self._heat()

    def _heat(self):
        self.state = State.HOT
        self.burner.burn()
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_it_begins_where_it_is_entered_and_ends_behind_what_the_body_sets() -> None:
    assert list_edges(MOTOR) == [
        "idle -> busy",
        "busy -> idle",
        "busy -> hot",
        "busy -> broken",
        "hot -> idle",
        "hot -> broken",
    ]
    turn = declare_python(MOTOR).partition("rule MotorTurn {")[2].partition("}")[0]
    assert "ensures: motor.state = idle" in turn


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Each of them may do anything.
        ("    @contextmanager\n", "    @ours\n"),
        ("with self._running():", "with self.peer._running():"),
        ("with self._running():", "with self.lock, self._running():"),
        ("yield self", "self.made = yield"),
    ],
)
def test_what_is_no_context_manager_of_its_own_begins_anywhere(old: str, new: str) -> None:
    assert "broken -> busy" in list_edges(MOTOR.replace(old, new))


def test_one_that_enters_itself_comes_to_an_end() -> None:
    source = MOTOR.replace(
        "            yield self\n",
        """            with self._running():
                yield self
""",
    )
    assert "idle -> busy" in list_edges(source)


GIVEN = (
    MOTOR.replace("def _running(self):", "def _running(self, state, after=State.IDLE):")
    .replace("self.state = State.BUSY", "self.state = state")
    .replace("            self.state = State.IDLE\n", "            self.state = after\n")
    .replace("with self._running():", "with self._running(State.BUSY):")
)


def test_it_sets_what_it_is_given() -> None:
    assert list_edges(GIVEN) == [
        "idle -> busy",
        "busy -> hot",
        "busy -> broken",
        "hot -> idle",
        "hot -> broken",
    ]
    other = list_edges(GIVEN.replace("(State.BUSY):", "(State.BUSY, State.BROKEN):"))
    assert other == ["idle -> busy", "busy -> hot", "busy -> broken", "hot -> broken"]


@pytest.mark.parametrize("given", ["self.next", "*self.given", "mode", "**self.words"])
def test_one_that_is_given_what_only_runs_know_is_not_opened(given: str) -> None:
    declared = declare_python(GIVEN.replace("(State.BUSY):", f"({given}):"))
    assert "requires: motor.state = idle" in declared
    assert "ensures: motor.state = idle" not in declared


def test_an_operation_demands_what_its_context_manager_refuses() -> None:
    source = MOTOR.replace(
        "    def _heat",
        """    @contextmanager
    def _expect(self, *states):
        if self.state not in states:
            raise ValueError(self.state)
        yield

    def look(self):
        with self._expect(State.IDLE, State.HOT):
            self.eye.look()

    def _heat""",
    )
    look = declare_python(source).partition("rule MotorLook {")[2].partition("\n}")[0]
    assert "requires: motor.state in {idle, hot}" in look
    assert "MotorLook" not in declare_python(source.replace("(State.IDLE, State.HOT)", "(*any)"))
