"""Ids of hunks as people write them, ``1f3a…``, and of parts of hunks, ``1f3a…:1-22``.

The lines of a hunk are counted from 1 as a patch has them: first those that it removes, then those
that it adds. A part is a run of the removed lines, a run of the added ones, or one of each:
``1f3a…:2,5-7``.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_FEWEST_DIGITS = 4
# Of the ids that a model reads and writes: each digit of each hunk is paid for. With one digit
# more than it may write, an id still names one hunk where some are added later.
_SHOWN_DIGITS = 5
_NUMBERS = r"[1-9]\d{0,8}(?:-[1-9]\d{0,8})?"
# ``.2``: the second of equal hunks.
ID = rf"[0-9a-f]{{{_FEWEST_DIGITS},}}(?:\.\d+)?(?::{_NUMBERS}(?:,{_NUMBERS})?)?"


class Lines(NamedTuple):
    """Lines of a hunk, the first and the last, from 1."""

    first: int
    last: int

    def meets(self, other: "Lines") -> bool:
        """Whether a line is in both."""
        return max(self.first, other.first) <= min(self.last, other.last)


class HunkId(NamedTuple):
    """The id of a hunk, or a beginning of it; with ``lines``, that of a part of the hunk."""

    hunk: str
    lines: tuple[Lines, ...] = ()

    def __str__(self) -> str:
        named = ",".join(f"{a}-{b}" if a != b else str(a) for a, b in self.lines)
        return f"{self.hunk}:{named}" if named else self.hunk

    @property
    def numbers(self) -> frozenset[int]:
        """Every line that is named; none for a whole hunk. Only for lines that are known to be
        there: an id may name a thousand million."""
        return frozenset(at for each in self.lines for at in range(each.first, each.last + 1))

    def holds(self, line: int) -> bool:
        """Whether a line is named."""
        return any(each.first <= line <= each.last for each in self.lines)


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


def begins_hunk(text: str, hunk: str) -> bool:
    """Whether a text without lines is the id of a hunk, or begins it; of those that equal
    the hunk it begins none."""
    return hunk.startswith(text) and hunk[len(text) : len(text) + 1] != "."


def names_lines_of(pin: str, hunk: str) -> bool:
    """Whether a pin names a hunk, or some lines of the part that ``hunk`` is the id of."""
    if not is_hunk_id(hunk):
        return False
    wanted, own = read_hunk_id(pin), read_hunk_id(hunk)
    if not begins_hunk(wanted.hunk, own.hunk):
        return False
    if not (wanted.lines and own.lines):
        return True
    return any(one.meets(other) for one in wanted.lines for other in own.lines)


class Abbreviations:
    """Short ids for the hunks of one difference, and what a short id stands for."""

    def __init__(self, ids: Iterable[str]) -> None:
        """``ids`` are those of all its hunks, and of parts of them."""
        self._wholes = sorted(set(map(name_whole, ids)))

    def shorten(self, hunk: str) -> str:
        """The beginning of an id that no other hunk's id has; its lines stay."""
        whole, colon, lines = hunk.partition(":")
        at = bisect_left(self._wholes, whole)
        beside = [each for each in self._wholes[max(0, at - 1) : at + 2] if each != whole]
        shared = max((_count_shared(whole, each) for each in beside), default=0)
        # Equal hunks differ behind the dot alone.
        short = whole if "." in whole else whole[: max(_SHOWN_DIGITS, shared + 1)]
        return f"{short}{colon}{lines}"

    def find(self, text: str) -> Sequence[str]:
        """The ids that an abbreviated id may stand for, with its lines; a whole id for itself."""
        whole, colon, lines = text.partition(":")
        at = bisect_left(self._wholes, whole)
        if self._wholes[at : at + 1] == [whole]:
            return (text,)
        found = []
        while at < len(self._wholes) and self._wholes[at].startswith(whole):
            found.append(f"{self._wholes[at]}{colon}{lines}")
            at += 1
        return found if is_hunk_id(text) else ()


def _count_shared(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def find_hunks(text: str, known: Sequence[str]) -> list[str]:
    """The hunks, of those known, whose id a text without lines is, or begins.

    A whole id is never ambiguous, though another may begin with it.
    """
    return [text] if text in known else [each for each in known if each.startswith(text)]
