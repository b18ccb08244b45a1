"""Private steps of a class whose states another file has begin where those that run them are."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rules.step_runners import list_runners
from tests.allium.extract.declared import declare

STATES = """
from enum import Enum

class State(Enum):
    READY = 1
    BUSY = 2
    DONE = 3
    CLOSED = 4
"""
READER = """
from .states import State

class Reader:
    def __init__(self):
        self._state: State = State.READY

    async def read(self, query):
        self._check_open()
        self._begin()
        answer = await self.line.ask(query)
        self._end()
        return answer

    async def read_all(self):
        self._check_open()
        self._begin()
        MORE

    def close(self):
        self._state = State.CLOSED

    def _check_open(self):
        if self._state == State.CLOSED:
            raise ValueError

    def _begin(self):
        self._state = State.BUSY

    def _end(self):
        self._state = State.DONE
"""


def declare_reader(source: str) -> str:
    return declare({"net/reader.py": source, "net/states.py": STATES, "net/__init__.py": ""})


def test_a_step_begins_where_those_that_run_it_do() -> None:
    told = declare_reader(READER.replace("MORE", "self._end()"))
    assert "        ready -> busy\n" in told and "        done -> busy\n" in told
    assert "closed -> busy" not in told


@pytest.mark.parametrize(
    "more",
    [
        "self._end()\n\n    def again(self):\n        self._begin()",
        "self.line.listen(self._begin)",
    ],
)
def test_what_others_may_run_begins_anywhere(more: str) -> None:
    assert "        closed -> busy\n" in declare_reader(READER.replace("MORE", more))
    known = READER.replace("MORE", "self._end()")
    beside = known + "\ndef begin(reader):\n    reader._begin()\n"
    assert "        closed -> busy\n" in declare_reader(beside)


def list_methods(source: str) -> dict[str, Function]:
    [owner] = ast.parse(source).body
    assert isinstance(owner, ast.ClassDef)
    return {each.name: each for each in owner.body if isinstance(each, Function)}


DOOR = """
class Door:
    def open(self):
        self._turn()

    def _turn(self):
        self._move()

    def _move(self):
        pass
"""


@pytest.mark.parametrize(
    ("old", "new", "runners"),
    [
        ("", "", ["_turn", "open"]),
        ("        self._move()", "        if self._move(): pass", []),
        ("        self._turn()", "        later(self._turn)", []),
        ("    def open", "    @locked\n    def open", []),
        ("    def open", "    def __init__", []),
        ("    def _move", "    async def _move", []),  # what nobody waits for
        ("_move", "move", []),
    ],
)
def test_all_that_runs_a_step_is_known_or_nothing(old: str, new: str, runners: list[str]) -> None:
    source = DOOR.replace(old, new) if old else DOOR
    step = "move" if new == "move" else "_move"
    found = list_runners(step, list_methods(source), source.encode(), "Door")
    assert [each.name for each in found] == runners
