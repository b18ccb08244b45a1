"""Names matched against patterns in time linear in both, whatever a repository writes.

A pattern is a list of pieces. Positions in it are followed all at once, so nothing is tried twice.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Accepts(Protocol):
    def __call__(self, char: str, /) -> bool: ...


class Piece(NamedTuple):
    """Takes one character that it accepts, or, if ``repeats``, several.

    ``skips`` is the number of pieces, this one first, that may be left out.
    """

    accepts: Accepts
    repeats: bool = False
    skips: int = 0


def is_any(char: str, /) -> bool:
    return True


def is_no_slash(char: str, /) -> bool:
    return char != "/"


def matches(pieces: Sequence[Piece], name: str) -> bool:
    """Whether the pieces take the whole name."""
    places = _reach(pieces, [0])
    for char in name:
        places = _reach(pieces, _advance(pieces, places, char))
        if not places:
            return False
    return len(pieces) in places


def _advance(pieces: Sequence[Piece], places: Iterable[int], char: str) -> list[int]:
    after: list[int] = []
    for place in places:
        if place < len(pieces) and pieces[place].accepts(char):
            after.append(place + 1)
            if pieces[place].repeats:
                after.append(place)
    return after


def _reach(pieces: Sequence[Piece], places: list[int]) -> set[int]:
    """These places and those behind pieces that may be left out.

    A piece that has taken a character may not be left out any more, but then the place behind it
    is reached by that character too.
    """
    reached = set(places)
    while places:
        place = places.pop()
        if place < len(pieces) and pieces[place].skips:
            further = place + pieces[place].skips
            if further not in reached:
                reached.add(further)
                places.append(further)
    return reached
