"""Steps that answer several things at once."""

import pytest

from tests.allium.extract.declared import declare_python

DOOR = """
class Door:
    def __init__(self):
        self.state = "shut"

    def unlock(self):
        if self.state != "shut":
            raise RuntimeError
        self.state = "unlocked"

    def open(self):
        ok, message = self._check()
        if not ok:
            raise RuntimeError(message)
        self.state = "open"

    def shut(self):
        done, error = self._turn()
        if done:
            self.state = "shut"
        return done, error

    def _check(self):
        if self.state != "unlocked":
            return False, "not unlocked"
        return True, ""

    def _turn(self):
        if self.state == "open":
            self.state = "turning"
            return True, None
        return False, "not open"
"""
EDGES = ["shut -> unlocked", "unlocked -> open", "open -> turning", "turning -> shut"]


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if " -> " in line]


@pytest.mark.parametrize(
    "source",
    [
        DOOR,
        DOOR.replace("def _check", "async def _check")
        .replace("def open", "async def open")
        .replace("= self._check", "= await self._check"),
        DOOR + "\n    def turn(self):\n        done, error = self._turn()\n        return done\n",
    ],
    ids=["plain", "awaited", "asked-by-one"],
)
def test_a_condition_asks_one_of_the_answers_of_a_step(source: str) -> None:
    assert sorted(list_edges(source)) == sorted(EDGES)


@pytest.mark.parametrize(
    "source",
    [
        DOOR + "\n    def may(self):\n        return self._check()\n",
        DOOR.replace('return True, ""', "return self.found"),
        DOOR.replace("def open(self):", "def open(self, message):"),
    ],
    ids=["kept-whole", "not-always-two", "given-before"],
)
def test_what_is_not_always_taken_apart_is_not_known(source: str) -> None:
    assert "unlocked -> open" in list_edges(source)
    assert "shut -> open" in list_edges(source)


def test_the_answer_counts_that_is_asked() -> None:
    # The message is there where the door is not unlocked.
    found = list_edges(DOOR.replace("ok, message = ", "message, ok = "))
    assert "shut -> open" in found
    assert "unlocked -> open" not in found
