"""Fields that have no state where they are an empty text."""

import pytest

from tests.allium.extract.declared import declare_python

PLAYER = """
class Player:
    def __init__(self):
        self._state = ""

    def play(self):
        if self._state == "playing":
            return
        self._state = "playing"

    def pause(self):
        if self._state in ("", "paused"):
            return
        self._state = "paused"

    def unload(self):
        self._state = ''
"""
EDGES = ["paused -> playing", "playing -> paused"]


def list_edges(source: str) -> list[str]:
    return sorted(line.strip() for line in declare_python(source).split("\n") if "->" in line)


def test_an_empty_text_is_no_state() -> None:
    assert "    state: playing | paused\n" in declare_python(PLAYER)
    assert list_edges(PLAYER) == EDGES
    begun = PLAYER.replace("class Player:\n", 'class Player:\n    _state = ""\n\n')
    assert list_edges(begun) == EDGES


def test_what_is_asked_to_be_empty_moves_no_state() -> None:
    for test in ('self._state != ""', "self._state", '"" != self._state'):
        asked = PLAYER.replace('if self._state == "playing"', f"if {test}")
        begun = asked.replace("self._state = ''", "self.title = ''")
        begun = begun.replace('in ("", "paused")', '!= "playing"')
        assert list_edges(begun) == ["playing -> paused"]


def test_a_plain_field_beside_it_has_not_its_name() -> None:
    source = PLAYER.replace('"playing"\n\n', '"playing"\n        self.state = "play"\n\n')
    source = source.replace('self._state = ""\n', 'self._state = ""\n        self.state = "stop"\n')
    found = declare_python(source)
    assert "    ensures: player.state = playing\n" in found
    assert '"play"' not in found


@pytest.mark.parametrize("nothing", ['""', "None"])
def test_what_may_leave_to_nothing_is_not_the_last(nothing: str) -> None:
    last = PLAYER.replace('if self._state == "playing"', "if self._state").replace("''", nothing)
    found = declare_python(last.replace('""', nothing))
    assert "terminal" not in found
    assert "an operation may set any state, or none. Does it leave paused?" in found
    # Where nothing gives it one again, that is the end of it.
    end = last.replace("if self._state:", 'if self._state != "paused":').replace('""', nothing)
    assert "        paused -> playing\n" in declare_python(end)


@pytest.mark.parametrize(
    "other",
    [
        PLAYER.replace("_state", "_title"),
        PLAYER.replace('self._state = "paused"', 'self._state = ""'),
        PLAYER.replace('self._state = "paused"', "self._state = self.ask()"),
    ],
)
def test_of_anything_else_it_is_just_a_text(other: str) -> None:
    assert "playing | paused" not in declare_python(other)
