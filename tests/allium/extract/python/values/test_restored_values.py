"""Attributes that get back what they had."""

import pytest

from tests.allium.extract.declared import declare_python

DRIVER = """
from .device import STATE_IDLE, STATE_MOVING, STATE_HELD

class Driver:
    def __init__(self):
        self.state = STATE_IDLE

    def move(self):
        if self.state != STATE_IDLE:
            return
        self.state = STATE_MOVING

    def stop(self):
        if self.state != STATE_MOVING:
            return
        self.state = STATE_IDLE

    def hold(self):
        if self.state == STATE_HELD:
            return
        original = self.state
        self.state = STATE_HELD
        self.send("hold")
        self.state = original
"""
EDGES = [
    "held -> idle",
    "held -> moving",
    "idle -> held",
    "idle -> moving",
    "moving -> held",
    "moving -> idle",
]


def list_edges(source: str) -> list[str]:
    return sorted(line.strip() for line in declare_python(source).split("\n") if "->" in line)


def test_a_variable_gives_a_field_back_what_it_had() -> None:
    assert "    state: idle | moving | held\n" in declare_python(DRIVER)
    assert list_edges(DRIVER) == EDGES
    # What comes in between, and after an error, leads there too.
    tried = DRIVER.replace(
        '        self.send("hold")\n', "        try:\n            self.send(1)\n"
    )
    tried = tried.replace(
        "        self.state = original\n",
        "        finally:\n            self.state = original\n",
    )
    assert list_edges(tried) == EDGES


def test_behind_a_step_that_waits_nobody_knows_where_it_is_given_back() -> None:
    source = DRIVER.replace("        self.state = STATE_HELD\n", "        await self.load()\n")
    source = (
        source.replace("def hold", "async def hold")
        + """
    async def load(self):
        self.state = STATE_HELD
        await self.send("load")
"""
    )
    assert "held -> moving" not in list_edges(source)
    assert "held -> moving" in list_edges(source.replace("async ", "").replace("await ", ""))


def test_another_attribute_gives_it_back() -> None:
    kept = DRIVER.replace("original", "self._original")
    assert list_edges(kept) == EDGES
    begun = kept.replace("        self.state = STATE_IDLE\n", "{}{}", 1).format(
        "        self.state = STATE_IDLE\n", "        self._original = None\n"
    )
    assert list_edges(begun) == EDGES


@pytest.mark.parametrize(
    "other",
    [
        DRIVER.replace("def hold(self)", "def hold(self, original)"),
        DRIVER.replace("        original = self.state\n", "        original = self.choose()\n"),
        DRIVER.replace('        self.send("hold")\n', "        original = self.choose()\n"),
        DRIVER.replace('        self.send("hold")\n', "        original, rest = self.choose()\n"),
        DRIVER.replace("original", "self._original").replace(
            '        self.send("hold")\n', "        self._original = self.choose()\n"
        ),
    ],
)
def test_what_may_be_anything_else_is_not_what_it_had(other: str) -> None:
    assert "state: idle" not in declare_python(other)


def test_a_step_that_sets_the_field_is_given_back_what_another_gives() -> None:
    source = DRIVER.replace("        original = self.state\n", "        original = self.read()\n")
    source = source.replace("self.state = original", "self.change(original)").replace(
        "self.state = STATE_HELD", "self.change(STATE_HELD)"
    )
    source += """
    def read(self):
        return self.state

    def change(self, state):
        self.state = state
        self.log(state)
"""
    assert list_edges(source) == EDGES
    # A variable of the step itself is another one.
    other = source.replace("        self.log(state)\n", "        original = 1\n")
    assert "held -> moving" not in list_edges(other)


@pytest.mark.parametrize("read", ["self.choose()", "self.read(1)", "self.peer.read()"])
def test_a_step_that_sets_the_field_may_be_given_anything_else(read: str) -> None:
    source = DRIVER.replace("        original = self.state\n", f"        original = {read}\n")
    source = source.replace("self.state = original", "self._change(original)")
    source += """
    def read(self):
        return self.state

    def _change(self, state):
        self.state = state
"""
    assert "state: idle" not in declare_python(source)


SAVING = """
class Load:
    def __init__(self):
        self.status = "waiting"

    def start(self):
        if self.status != "waiting":
            raise ValueError
        self.status = "going"

    def stop(self):
        self.status = "waiting"

    def save(self, kept):
        SAVE

    def restore(self, kept):
        self.status = GIVEN
"""


@pytest.mark.parametrize("save", ['return {"a": 1, "b": self.status}', 'kept["b"] = self.status'])
@pytest.mark.parametrize("given", ['kept["b"]', 'kept.get("b")', 'kept.load.get("b", "waiting")'])
def test_a_field_gets_back_what_its_class_saves_of_it_under_a_key(save: str, given: str) -> None:
    source = SAVING.replace("SAVE", save).replace("GIVEN", given)
    assert "    status: waiting | going\n" in declare_python(source)
    assert list_edges(source) == ["going -> waiting", "waiting -> going"]


@pytest.mark.parametrize(
    ("save", "given"),
    [
        ('return {"b": self.status}', 'kept["a"]'),
        ('return {"b": self.size}', 'kept["b"]'),
        ('return {"b": kept.status}', 'kept["b"]'),
        ('return {**kept, "c": self.status}', 'kept["b"]'),
        ('return {"b": self.status}', "kept[b]"),
    ],
)
def test_what_others_save_under_a_key_may_be_anything(save: str, given: str) -> None:
    source = SAVING.replace("SAVE", save).replace("GIVEN", given)
    assert "status: waiting" not in declare_python(source)


JOB = """
from enum import Enum

class State(Enum):
    NEW = 1
    RUNNING = 2
    WAITING = 3
    PAUSED = 4

class Job:
    def __init__(self):
        self.state = State.NEW
        self._before = None

    def run(self):
        if self.state != State.NEW:
            raise ValueError
        self.state = State.RUNNING

    def wait(self):
        if self.state != State.RUNNING:
            raise ValueError
        self.state = State.WAITING

    def pause(self):
        if self.state not in (State.RUNNING, State.WAITING):
            raise ValueError
        self._before = self.state
        self.state = State.PAUSED

    def resume(self):
        if self.state != State.PAUSED:
            raise ValueError
        self.state = self._before
        self._before = None
"""


def test_an_operation_goes_on_where_another_one_kept_the_state() -> None:
    assert list_edges(JOB) == [
        "new -> running",
        "paused -> running",
        "paused -> waiting",
        "running -> paused",
        "running -> waiting",
        "waiting -> paused",
    ]


def test_before_anything_is_kept_nothing_is_given_back() -> None:
    source = JOB.replace(
        "        if self.state != State.PAUSED:\n            raise ValueError\n", ""
    )
    assert not [each for each in list_edges(source) if each.startswith(("new -> w", "paused"))]
