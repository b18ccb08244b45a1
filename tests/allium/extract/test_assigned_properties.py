"""Assignments to properties as what their setters do."""

import ast

import pytest

from git_retcon.allium.extract.assigned_properties import open_assignments, read_setter
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

STREAM = """
from enum import Enum

class State(Enum):
    OPEN = 1
    PAUSED = 2
    CLOSED = 3

NEXT = {
    State.OPEN: {State.PAUSED, State.CLOSED},
    State.PAUSED: {State.OPEN, State.CLOSED},
    State.CLOSED: set(),
}

class Stream:
    def __init__(self):
        self._state = State.OPEN

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, new):
        SETTER

    def pause(self):
        if self.state is not State.OPEN:
            raise ValueError
        self.state = State.PAUSED

    def resume(self):
        self.state = State.OPEN

    def close(self):
        self.state = State.CLOSED
"""


def test_an_operation_that_sets_a_property_moves_the_field_behind_it() -> None:
    told = declare_python(STREAM.replace("SETTER", "self._state = new"))
    assert "rule StreamClose" in told and "rule StreamResume" in told
    assert "    requires: stream.state = open\n    ensures: stream.state = paused\n" in told


def test_what_the_setter_refuses_every_operation_refuses() -> None:
    told = declare_python(STREAM.replace(
        "SETTER", "if new not in NEXT[self._state]:\n            raise ValueError(new)\n"
        "        self._state = new",
    ))  # fmt: skip
    assert "    requires: stream.state = paused\n    ensures: stream.state = open\n" in told
    assert (
        "    requires: stream.state in {open, paused}\n    ensures: stream.state = closed" in told
    )


def test_what_a_table_lets_in_is_told_once() -> None:
    told = declare_python(STREAM.replace(
        "SETTER", "if new not in NEXT[self._state]:\n            raise ValueError(new)\n"
        "        self._state = new",
    ))  # fmt: skip
    assert "    requires: stream.state = paused\n" in told
    assert "Fails if" not in told


def open_class(setter: str, method: str) -> str:
    """A method of a class with a property, as it is read."""
    source = (
        "class A:\n    @state.setter\n    def state(this, new):\n        "
        + setter.replace("\n", "\n        ")
        + "\n    def go(self, x):\n        "
        + method.replace("\n", "\n        ")
    )
    tree = ast.parse(source)
    node = tree.body[0]
    assert isinstance(node, ast.ClassDef)
    setting, found = node.body
    assert isinstance(setting, ast.FunctionDef) and isinstance(found, ast.FunctionDef)
    read = read_setter(setting)
    open_assignments(found, "self", {"state": read} if read is not None else {})
    return "\n".join(map(ast.unparse, found.body))


@pytest.mark.parametrize(
    ("setter", "method", "meant"),
    [
        ("this._s = new", "self.state = x", "self._s = x"),
        (
            "this._s = new\nlog(new)",
            "if x:\n    self.state = A.B",
            "if x:\n    self._s = A.B\n    log(A.B)",
        ),
        (
            "if new == this._s:\n    return\nthis._s = new",
            "self.state = A.B",
            "if not A.B == self._s:\n    self._s = A.B",
        ),
        ("this._s = new", "try:\n    pass\nexcept E:\n    self.state = x",
         "try:\n    pass\nexcept E:\n    self._s = x"),
        (
            "if new == A.B:\n    new = A.C\nthis._s = new",
            "self.state = A.B",
            "new = A.B\nif new == A.B:\n    new = A.C\nself._s = new",
        ),
        # What may leave it in the middle, or sets nothing, is not done in its place.
        ("if new:\n    if a:\n        return\nthis._s = new", "self.state = x", "self.state = x"),
        ("if not new:\n    raise E\nthis._s = new", "self.state = x", "self.state = x"),
        ("this.store(new)", "self.state = x", "self.state = x"),
        ("new = fix(new)\nthis._s = new", "self.state = x", "self.state = x"),
        ("if a:\n    new = A.C\nthis._s = new", "new = 1\nself.state = x",
         "new = 1\nself.state = x"),
        ("y = 1\nthis._s = new", "y = 2\nself.state = y", "y = 2\nself.state = y"),
        ("this._s = new", "other.state = x", "other.state = x"),
        ("this._s = new", "def inner():\n    self.state = x", "def inner():\n    self.state = x"),
    ],
)  # fmt: skip
def test_what_a_setter_does_is_written_where_something_is_assigned(
    setter: str, method: str, meant: str
) -> None:
    assert open_class(setter, method) == meant


def test_texts_that_operations_give_a_property_are_the_states_behind_it() -> None:
    source = """
STATE_STOPPED = "stopped"
STATE_PLAYING = "playing"
STATE_PAUSED = "paused"

class Player:
    def __init__(self):
        self._state = STATE_STOPPED

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, new):
        if new == self._state:
            return
        old, self._state = self._state, new
        self.tell(old, new)

    def play(self):
        self.state = STATE_PLAYING

    def pause(self):
        if self.state != STATE_PLAYING:
            return
        self.state = STATE_PAUSED

    def stop(self):
        self.state = STATE_STOPPED
"""
    told = declare_python(source)
    assert "    state: stopped | playing | paused\n" in told
    assert "        playing -> paused\n        paused -> stopped\n" in told
    assert "        stopped -> paused\n" not in told
    asked = source.replace("self.state = STATE_PAUSED", "self.state = self.choose()").replace(
        "STATE_", ""
    )
    assert "->" not in declare_python(asked)


PAINTER = """
IDLE = "idle"
WAITING = "waiting"
PAINTING = "painting"

class Painter:
    def __init__(self, page):
        self.page = page
        self._state = None
        self.state = IDLE

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        if value not in (IDLE, WAITING, PAINTING):
            value = IDLE
        if value == IDLE:
            self.template = None
        elif value == WAITING:
            if self.page.chosen is not None:
                value = PAINTING
        self._state = value

    def click(self):
        if self.state == IDLE:
            self.state = WAITING
        else:
            self.state = IDLE
"""


def test_a_setter_may_set_another_state_than_it_is_given() -> None:
    found = declare_python(PAINTER)
    assert "    state: idle | painting | waiting\n" in found
    edges = sorted(line.strip() for line in found.split("\n") if "->" in line)
    clicked = ["idle -> painting", "idle -> waiting", "painting -> idle", "waiting -> idle"]
    # The property may be set from outside as well.
    assert edges == sorted([*clicked, "painting -> waiting", "waiting -> painting"])
    other = PAINTER.replace("value = PAINTING", "value = self.page.choose()")
    assert "painting ->" not in declare_python(other)


LINK = """
from enum import IntEnum
class Stage(IntEnum):
    OPEN = 0
    CLOSING = 1
    CLOSED = 2
class Link:
    def __init__(self):
        self._stage = Stage.OPEN

    @property
    def stage(self):
        return self._stage

    @stage.setter
    def stage(self, new):
        if new < self._stage:
            raise ValueError(new)
        self._stage = new
"""
CLOSER = """
from net.link import Link, Stage
def begin(link: Link):
    link.stage = Stage.CLOSING
def end(link: Link):
    link.stage = Stage.CLOSED
"""


def test_what_another_file_assigns_is_refused_too() -> None:
    found = declare({"net/link.py": LINK, "net/closer.py": CLOSER})
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["open -> closing", "open -> closed", "closing -> closed"]
    assert "    requires: link.stage in {open, closing}\n    ensures: link.stage = closing" in found


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_setters_of_other_languages_may_compute_what_they_set() -> None:
    source = """
enum Mode { Idle, Waiting, Busy }
export class Page {
  private _mode = Mode.Idle;
  get mode() { return this._mode; }
  set mode(next: Mode) {
    if (next === Mode.Busy) throw new Error('busy');
    next = this.fix(next);
    this._mode = next;
  }
  wait() { if (this._mode === Mode.Idle) this._mode = Mode.Waiting; }
  stop() { this._mode = Mode.Idle; }
}
"""
    found = declare({"net/page.ts": source})
    assert "        idle -> waiting\n        waiting -> idle\n" in found
