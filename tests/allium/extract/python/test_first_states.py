"""What an object does only once begins in the states that it has had before."""

import pytest

from tests.allium.extract.declared import declare

LOADER = """
from states import State

class Loader:
    def __init__(self):
        self._state = State.IDLE
        self._count = None

    def add(self, count, last):
        if self._count is None:
            self._count = count
            self._state = State.LOADING
        self.log(count)
        if last:
            self._state = State.LOADED

    def use(self):
        if self._state == State.LOADED:
            self._state = State.USED
"""
STATES = """
from enum import Enum

class State(Enum):
    IDLE = 1
    LOADING = 2
    LOADED = 3
    USED = 4
"""


def declare_loader(old: str = "", new: str = "", *, is_apart: bool = True) -> str:
    source = LOADER.replace(old, new)
    if is_apart:
        return declare({"states.py": STATES, "loader.py": source})
    return declare({"loader.py": STATES + source.replace("from states import State", "")})


@pytest.mark.parametrize("is_apart", [True, False])
def test_done_once(is_apart: bool) -> None:
    text = declare_loader(is_apart=is_apart)
    assert "idle -> loading" in text
    assert "loading -> loaded" in text
    assert "loaded -> used" in text
    assert "loaded -> loading" not in text
    assert "used -> loading" not in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "    def use(self):",
            "    def clear(self):\n        self._count = None\n\n    def use(self):",
        ),
        ("self._count", "self.count"),
        ("        self._count = None\n", ""),
        ("            self._count = count\n", ""),
        ("            self._count = count\n", "            self._count, self.total = count\n"),
    ],
)
def test_done_again(old: str, new: str) -> None:
    assert "used -> loading" in declare_loader(old, new)


def test_flag() -> None:
    source = LOADER.replace("_count = None", "_is_begun = False")
    source = source.replace("self._count is None", "not self._is_begun")
    text = declare(
        {"states.py": STATES, "l.py": source.replace("_count = count", "_is_begun = True")}
    )
    assert "idle -> loading" in text
    assert "used -> loading" not in text


def test_state_before_it() -> None:
    """What moves the state before it asks may begin it in that state."""
    old, new = (
        "        if self._count is None:",
        "        self._state = State.USED\n        if self._count is None:",
    )
    assert "used -> loading" in declare_loader(old, new)
