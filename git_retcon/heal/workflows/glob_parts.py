"""Names matched against patterns in time linear in both, for hostile patterns too.

A pattern is a list of pieces. Positions in it are followed all at once, so nothing is tried twice.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Accepts(Protocol):
    def __call__(self, char: str, /) -> bool: ...


class Piece(NamedTuple):
    """Takes one character that it accepts, or, if ``repeats``, several.

    ``jumps`` are the pieces, counted from this one, with which a match may go on in its stead.
    ``char`` is the only character that it accepts, if there is one and it must be there once.
    """

    accepts: Accepts
    repeats: bool = False
    jumps: tuple[int, ...] = ()
    char: str = ""


def take_one(char: str) -> Piece:
    """The piece for just this character."""
    return Piece(char.__eq__, char=char)


def is_any(char: str, /) -> bool:
    return True


def is_no_slash(char: str, /) -> bool:
    return char != "/"


def is_none(char: str, /) -> bool:
    return False


# Any number of folders: nothing, or something with a slash at its end (so the slash may be
# missing, and is no piece that must be there).
FOLDERS = (Piece(is_none, jumps=(1, 3)), Piece(is_any, repeats=True), Piece("/".__eq__))
ANYTHING = Piece(is_any, repeats=True, jumps=(1,))


def find_literal(pieces: Sequence[Piece]) -> str:
    """The longest text that every name these pieces take has in it: what most names lack."""
    return max("".join(piece.char or "\0" for piece in pieces).split("\0"), key=len)


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
    """These places and those to which one may jump from them."""
    reached = set(places)
    while places:
        place = places.pop()
        jumps = pieces[place].jumps if place < len(pieces) else ()
        further = [place + jump for jump in jumps if place + jump not in reached]
        reached.update(further)
        places += further
    return reached
