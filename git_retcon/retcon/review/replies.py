"""What a person types below a page, as a value."""

import re
from collections.abc import Mapping
from typing import NamedTuple


class Accept(NamedTuple):
    """The page is right but for these: hunk → commit, both from 0; None leaves the hunk open."""

    moves: Mapping[int, int | None]


class Key(NamedTuple):
    """One letter that is no answer: ``u n w q Q h``."""

    letter: str


class Split(NamedTuple):
    """A hunk to be split, from 0, behind one of its lines; None: show which lines there are."""

    hunk: int
    line: int | None = None


class View(NamedTuple):
    """A hunk to be shown whole, from 0."""

    hunk: int


class Unclear(NamedTuple):
    """Nothing that we understand, and why."""

    why: str


Answer = Accept | Key | Split | View | Unclear

_LETTERS = "unwqQh?"
_VIEW = re.compile(r"v(?:\s*(\d+))?")
_SPLIT = re.compile(r"s(?:\s*(\d+)(?:\s+(\d+))?)?")
_MOVE = re.compile(r"(\d+)(?:-(\d+))?\s+(\d+|\?)")


def read_answer(line: str, hunks: int, commits: int) -> Answer:
    """Read one line: Enter accepts a page as shown, ``2 3`` puts hunk 2 into commit 3, ``1-4 2``
    several, ``2 ?`` leaves hunk 2 open; several of these are parted by commas. ``s 2 14`` splits
    hunk 2 behind its line 14, and ``v 2`` shows all of hunk 2."""
    text = line.strip()
    if not text:
        return Accept({})
    if len(text) == 1 and text in _LETTERS:
        return Key("h" if text == "?" else text)
    if split := _SPLIT.fullmatch(text):
        return _read_split(split[1], split[2], hunks)
    if view := _VIEW.fullmatch(text):
        return _read_view(view[1], hunks)
    moves: dict[int, int | None] = {}
    for part in text.split(","):
        found = _MOVE.fullmatch(part.strip())
        if found is None:
            return Unclear(f"'{part.strip()}' is no answer; h shows what is one")
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= hunks:
            return Unclear(f"the hunks here are 1 to {hunks}")
        if found[3] != "?" and not 1 <= int(found[3]) <= commits:
            return Unclear(f"the commits are 1 to {commits}")
        commit = None if found[3] == "?" else int(found[3]) - 1
        moves |= dict.fromkeys(range(first - 1, last), commit)
    return Accept(moves)


def _read_view(hunk: str | None, hunks: int) -> View | Unclear:
    number = int(hunk) if hunk else 1
    if hunk is None and hunks > 1:
        return Unclear("name the hunk too, as in 'v 2'")
    if not 1 <= number <= hunks:
        return Unclear(f"the hunks here are 1 to {hunks}")
    return View(number - 1)


def _read_split(hunk: str | None, line: str | None, hunks: int) -> Split | Unclear:
    number = int(hunk) if hunk else 1
    if hunk is None and hunks > 1:
        return Unclear("name the hunk too, as in 's 2', and perhaps the line, as in 's 2 14'")
    if not 1 <= number <= hunks:
        return Unclear(f"the hunks here are 1 to {hunks}")
    return Split(number - 1, int(line) if line else None)
