"""What expressions of a class name that may be a table."""

import pytest

from tests.allium.extract.declared import declare_python
from tests.allium.extract.python.tabled_order import TABLE, list_graph


@pytest.mark.parametrize(
    "code",
    [
        "    def may(self, new):\n        return new in NEXT[self.status]\n",
        "    def may(self, new):\n        old = self.status\n        return new in NEXT[old]\n",
        "    def may(self, new):\n        return bool(self.status) and new in self._list()\n"
        "    def _list(self):\n        return NEXT[self.status]\n",
    ],
)
def test_a_question_names_a_table_itself_or_by_a_variable_or_a_method(code: str) -> None:
    assert list_graph(code) == [*TABLE, "terminal: sent"]


@pytest.mark.parametrize(
    "code",
    [
        "    def may(self, old, new):\n        return new in NEXT[old]\n",
        "    def list_next(self):\n        return NEXT[self.status]\n",
        "    def has(self, word):\n        word = str(word)\n        return self.status in word\n",
    ],
)
def test_what_asks_nothing_of_its_own_state_names_none(code: str) -> None:
    assert list_graph(code) == []


BY_EVENTS = """
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    DONE = 3

NEXT = {State.NEW: {"open": State.OPEN, "drop": State.DONE}, State.OPEN: {"close": State.DONE}}
PAIRS = {(State.NEW, "open"): State.OPEN, (State.OPEN, "close"): State.DONE}

class Door:
    def __init__(self):
        self.state = State.NEW

    def is_new(self):
        return self.state == State.NEW

    def handle(self, event):
"""


@pytest.mark.parametrize(
    ("code", "is_long"),
    [
        ("self.state = NEXT[self.state][event]", True),
        ("self.state = NEXT.get(self.state, {}).get(event, self.state)", True),
        ("self.state = PAIRS[self.state, event]", False),
        ("new = PAIRS.get((self.state, event))\n        if new is None:\n            return\n"
         "        self.state = new", False),
    ],
)  # fmt: skip
def test_what_gets_the_entry_of_its_own_state_goes_through_the_table(
    code: str, is_long: bool
) -> None:
    found = declare_python(f"{BY_EVENTS}        {code}\n")
    assert "        new -> open\n" in found and "        open -> done\n" in found
    assert "        terminal: done\n" in found
    assert ("        new -> done\n" in found) is is_long


@pytest.mark.parametrize(
    "code",
    [
        "self.state = NEXT[event][self.state]",
        "self.state = PAIRS.get((self.state, event), State.NEW)",
        "self.state = choose(NEXT[self.state])",
    ],
)
def test_what_gets_another_entry_does_not(code: str) -> None:
    assert "->" not in declare_python(f"{BY_EVENTS}        {code}\n")
