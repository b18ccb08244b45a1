"""Which method of the same object a statement runs, and what its parameters get."""

import ast

import pytest

from git_retcon.allium.extract.python.flow.called_methods import find_called, split_given
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from tests.allium.extract.declared import declare_python

DOOR = """
def move(self, state, reason=None): pass
async def swing(self, state): pass
def renew(self, state):
    state = 1
    self.state = OPEN
def count(self, state): state = 1
def keep(self, state, text):
    for text in self.texts: text.read()
    self.state = state
@property
def state(self): pass
def make(state): pass
"""
METHODS = {each.name: each for each in ast.parse(DOOR).body
           if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}  # fmt: skip


def find(code: str) -> str | None:
    value = ast.parse(code, mode="eval").body
    called = find_called(
        value,
        Subject("self", "door", {}, {"state": States()}, {}, {}, methods=METHODS),
        lambda each: each,
    )
    if called is None:
        return None
    return ", ".join(
        [called.name, *(ast.unparse(each) for _, each in sorted(called.given.items()))]
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("self.move(OPEN)", "move, None, OPEN"),
        ("self.move(OPEN, reason='asked')", "move, 'asked', OPEN"),
        ("await self.swing(OPEN)", "swing, OPEN"),
        # What it makes of its parameter is open.
        ("self.renew(OPEN)", "renew"),
    ],
)
def test_it_is_found_with_what_its_parameters_get(code: str, found: str) -> None:
    assert find(code) == found


@pytest.mark.parametrize(
    "code",
    [
        "other.move(OPEN)",
        "move(OPEN)",
        "self.knock()",
        # It is only made, and runs later or never.
        "self.swing(OPEN)",
        # What it gets may be a state, which it has a guard of its own for.
        "self.keep(OPEN, '')",
        # What it makes of its parameter is open, and it sets no state.
        "self.count(OPEN)",
        # What decorates it is open, and what has no object of its own.
        "self.state()",
        "self.make(OPEN)",
    ],
)
def test_what_does_something_else_is_none(code: str) -> None:
    assert find(code) is None


def test_what_a_condition_decides_on_is_given_by_either_answer() -> None:
    given = {"to": ast.parse("OPEN if wide else SHUT", mode="eval").body}
    move = METHODS["move"]
    assert [ast.unparse(each["to"]) for each in split_given(given, move)] == ["OPEN", "SHUT"]
    assert [*split_given({}, move)] == [{}]


def test_a_step_that_is_left_to_heirs_does_not_fail() -> None:
    found = declare_python("""
class Bus:
    def __init__(self):
        self._state = "init"

    def connect(self):
        if self._state != "init":
            raise RuntimeError
        try:
            self.found = self._connect()
        except Exception:
            return
        self._state = "adding"
        self._add_all()
        self._state = "listening"

    def _connect(self):
        raise NotImplementedError

    def _add_all(self):
        \"\"\"Add all devices.\"\"\"
        raise NotImplementedError("add")
""")
    assert "        init -> adding\n        adding -> listening\n" in found


JOB = """
from enum import Enum

class State(Enum):
    NEW = 1
    RUNNING = 2
    DONE = 3
    FAILED = 4

class Job:
    def __init__(self):
        self._state = State.NEW
        self._error = None

    def run(self):
        if self._state != State.NEW:
            raise RuntimeError
        self._state = State.RUNNING
        try:
            self.work()
        except Exception as error:
            self._fail(error)
        else:
            self._state = State.DONE

    def _fail(self, error):
        self._state = State.FAILED
        if not isinstance(error, OSError):
            error = OSError(str(error))
        self._error = error
"""


def test_what_a_step_keeps_of_what_it_makes_of_its_parameter_is_no_state() -> None:
    found = declare_python(JOB)
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["new -> running", "running -> done", "running -> failed"]


LASER = """
class Laser:
    def __init__(self):
        self.x = 0
        self.state = "idle"

    def rest(self):
        self.state = "idle"

    def burn(self, x):
        if self.state == "moving":
            self.rest()
        self._burn(x)

    def move(self, x):
        if self.state == "burning":
            self.rest()
        self._move(x)

    def _burn(self, x, speed=None):
        if speed is None:
            speed = 3
        self.program.run(x, speed)
        self.state = "burning"
        self.x = x

    def _move(self, x, speed=None):
        if speed is None:
            speed = 3
        self.program.run(x, speed)
        self.state = "moving"
        self.x = x
"""


def test_a_step_may_keep_what_is_no_state_beside_the_state() -> None:
    edges = [each.strip() for each in declare_python(LASER).split("\n") if " -> " in each]
    assert edges == ["idle -> burning", "idle -> moving", "burning -> idle", "moving -> idle"]
