"""Names matched against patterns in time linear in both, for hostile patterns too.

A pattern is a list of parts. Positions in it are followed all at once, so nothing is tried twice.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from git_retcon.lazy_named_tuple import NamedTuple


class Accepts(Protocol):
    def __call__(self, char: str, /) -> bool: ...


class GlobPart(NamedTuple):
    """Takes one character that it accepts, or, if ``repeats``, several.

    ``jumps`` are the parts, counted from this one, with which a match may go on instead.
    ``char`` is the only character that it accepts, if there is one and it must be there once.
    """

    accepts: Accepts
    repeats: bool = False
    jumps: tuple[int, ...] = ()
    char: str = ""


def take_one(char: str) -> GlobPart:
    """The part for just this character."""
    return GlobPart(char.__eq__, char=char)


def is_any(char: str, /) -> bool:
    return True


def is_no_slash(char: str, /) -> bool:
    return char != "/"


def is_none(char: str, /) -> bool:
    return False


# Any number of folders: nothing, or something with a slash at its end (so the slash may be
# missing, and is no part that must be there).
FOLDERS = (GlobPart(is_none, jumps=(1, 3)), GlobPart(is_any, repeats=True), GlobPart("/".__eq__))
ANYTHING = GlobPart(is_any, repeats=True, jumps=(1,))


def find_literal(parts: Sequence[GlobPart]) -> str:
    """The longest text that every name these parts take has in it: what most names lack."""
    return max("".join(part.char or "\0" for part in parts).split("\0"), key=len)


def matches_name(parts: Sequence[GlobPart], name: str) -> bool:
    """Whether the parts take the whole name."""
    places = _reach_places(parts, [0])
    for char in name:
        places = _reach_places(parts, _advance_places(parts, places, char))
        if not places:
            return False
    return len(parts) in places


def _advance_places(parts: Sequence[GlobPart], places: Iterable[int], char: str) -> list[int]:
    after: list[int] = []
    for place in places:
        if place < len(parts) and parts[place].accepts(char):
            after.append(place + 1)
            if parts[place].repeats:
                after.append(place)
    return after


def _reach_places(parts: Sequence[GlobPart], places: list[int]) -> set[int]:
    """These places and those to which one may jump from them."""
    reached = set(places)
    while places:
        place = places.pop()
        jumps = parts[place].jumps if place < len(parts) else ()
        further = [place + jump for jump in jumps if place + jump not in reached]
        reached.update(further)
        places += further
    return reached
