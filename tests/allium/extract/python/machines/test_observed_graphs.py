"""Graphs of states that rules show, also where a state of an enum is never given to anything."""

import ast

import pytest

from git_retcon.allium.extract.python.machines.observed_graphs import list_given_words
from git_retcon.allium.extract.python.syntax.function_texts import Function, note_texts
from tests.allium.extract.declared import declare

STATES = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    CLOSED = 3
    LOST = 4
"""
FILE = """
class File:
    def __init__(self):
        self._state = State.NEW

    def open(self):
        if self._state is not State.NEW:
            raise ValueError
        self._state = State.OPEN

    def close(self):
        if self._state is not State.OPEN:
            raise ValueError
        self._state = State.CLOSED
"""
GRAPH = """\
    transitions state {
        new -> open
        open -> closed
        terminal: closed, lost
    }
"""
QUESTION = "File.state: no operation here leads to or from lost. What does?"


@pytest.mark.parametrize(
    "more",
    [
        "",
        "    def is_lost(self):\n        return self._state is State.LOST\n",
        "    def run(self):\n        match self._state:\n            case State.LOST:\n"
        "                raise ValueError\n",
    ],
    ids=["never", "asked", "pattern"],
)
@pytest.mark.parametrize("is_apart", [False, True])
def test_a_state_that_nothing_is_given_is_left_by_nothing(more: str, is_apart: bool) -> None:
    around = "from .states import State\n" if is_apart else STATES
    told = declare({"disk/states.py": STATES, "disk/file.py": around + FILE + more})
    assert GRAPH in told
    assert QUESTION in told


@pytest.mark.parametrize(
    "more",
    [
        "def lose(file):\n    show(State.LOST)\n",
        "ENDS = (State.CLOSED, State.LOST)\n",
        "def lose(file):\n    file.put('lost')\n",
        "STATE_LOST = State.OPEN\n",
    ],
    ids=["handed", "listed", "text", "constant"],
)
def test_where_it_may_be_given_the_graph_may_lack_something(more: str) -> None:
    told = declare({"disk/file.py": STATES + FILE + more})
    assert "transitions" not in told
    assert QUESTION in told


def test_where_an_operation_moves_it_from_nobody_knows_where_it_may_be_left() -> None:
    renew = (
        "    def renew(self):\n        self._state = None\n        self._state = State.OPEN\n"
        "    def begin(self):\n        self._state = None\n"
    )
    assert "transitions" not in declare({"disk/file.py": STATES + FILE + renew})


def test_what_a_base_class_gives_is_in_its_file() -> None:
    base = "class Base:\n    def __init__(self):\n        self._state = State.LOST\n"
    heir = FILE.replace("class File", "class File(Base)")
    files = {
        "disk/states.py": STATES,
        "disk/base.py": f"from .states import State\n{base}",
        "disk/file.py": f"from .states import State\nfrom .base import Base\n{heir}",
    }
    assert "terminal" not in declare(files)


LOSE = """
    def lose(self):
        if self._state is not State.OPEN:
            raise ValueError
        self._state = State.LOST
"""
REOPEN = """
    def reopen(self):
        if self._state is State.OPEN or {}:
            raise ValueError
        self._state = State.OPEN
"""


@pytest.mark.parametrize(
    ("guard", "left"),
    [
        ("self._disk.refuses(self._state)", "closed, lost"),
        ("self._state is State.CLOSED or self._disk.refuses(self._state)", "lost"),
        ("self._state in (State.CLOSED, State.LOST)", ""),
    ],
)
def test_no_state_is_the_last_where_an_unread_guard_may_let_it_be_left(
    guard: str, left: str
) -> None:
    told = declare({"disk/file.py": STATES + FILE + LOSE + REOPEN.format(guard)})
    question = f"File.state: what lets an operation leave {left} cannot be read. Does any?"
    assert (question in told) is bool(left)
    assert ("terminal: closed, lost" in told) is not bool(left)


def test_words_of_a_class_in_a_function_are_given_where_it_is_no_enum() -> None:
    code = "def find():\n    class Kind:\n        OPEN = shut\n"
    code += "    return Kind.NEW if late == LATE else early"
    words = {"shut", "open", "kind", "new", "early"}
    for enums in ([], ["Kind"], []):  # the same function, in files that have other enums
        statements = ast.parse(code).body
        note_texts(code.encode(), [each for each in statements if isinstance(each, Function)])
        left = {"shut", "open"} if enums else set()
        assert list_given_words(statements, enums) == words - left
