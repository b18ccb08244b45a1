"""Ids of hunks as people write them, ``1f3a…``, and of parts of hunks, ``1f3a…:1-22``.

The lines of a hunk are counted from 1 as a patch has them: first those that it removes, then those
that it adds. A part is a run of the removed lines, a run of the added ones, or one of each:
``1f3a…:2,5-7``.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_FEWEST_DIGITS = 4
_NUMBERS = r"[1-9]\d{0,8}(?:-[1-9]\d{0,8})?"
# ``.2``: the second of equal hunks.
ID = rf"[0-9a-f]{{{_FEWEST_DIGITS},}}(?:\.\d+)?(?::{_NUMBERS}(?:,{_NUMBERS})?)?"


class Lines(NamedTuple):
    """Lines of a hunk, the first and the last, from 1."""

    first: int
    last: int


class HunkId(NamedTuple):
    """The id of a hunk, or a beginning of it; with ``lines``, that of a part of the hunk."""

    hunk: str
    lines: tuple[Lines, ...] = ()

    def __str__(self) -> str:
        named = ",".join(f"{a}-{b}" if a != b else str(a) for a, b in self.lines)
        return f"{self.hunk}:{named}" if named else self.hunk

    @property
    def numbers(self) -> frozenset[int]:
        """Every line that is named; none for a whole hunk."""
        return frozenset(at for each in self.lines for at in range(each.first, each.last + 1))


def is_hunk_id(text: str) -> bool:
    """Whether a text may be the id of a hunk or of a part of one, perhaps abbreviated."""
    return re.fullmatch(ID, text) is not None


def read_hunk_id(text: str) -> HunkId:
    """Read an id. Raises ValueError where it is none."""
    if not is_hunk_id(text):
        raise ValueError(f"not the id of a hunk: {text}")
    hunk, _, numbers = text.partition(":")
    return HunkId(hunk, tuple(map(_read_lines, numbers.split(",")))) if numbers else HunkId(hunk)


def _read_lines(text: str) -> Lines:
    first, _, last = text.partition("-")
    return Lines(int(first), int(last or first))


def join_numbers(numbers: Sequence[int]) -> tuple[Lines, ...]:
    """Line numbers, rising, as runs."""
    runs: list[Lines] = []
    for at in numbers:
        if runs and runs[-1].last == at - 1:
            runs[-1] = Lines(runs[-1].first, at)
        else:
            runs.append(Lines(at, at))
    return tuple(runs)


def name_whole(text: str) -> str:
    """The id of the whole hunk of what an id names."""
    return text.partition(":")[0]


def names_lines_of(pin: str, hunk: str) -> bool:
    """Whether a pin names a hunk, or some lines of the part that ``hunk`` is the id of."""
    if not is_hunk_id(hunk):
        return False
    wanted, own = read_hunk_id(pin), read_hunk_id(hunk)
    if not own.hunk.startswith(wanted.hunk):
        return False
    return not (wanted.lines and own.lines) or bool(wanted.numbers & own.numbers)


def find_hunks(text: str, known: Sequence[str]) -> list[str]:
    """The hunks, of those known, whose id a text without lines is, or begins.

    A whole id is never ambiguous, though another may begin with it.
    """
    return [text] if text in known else [each for each in known if each.startswith(text)]
