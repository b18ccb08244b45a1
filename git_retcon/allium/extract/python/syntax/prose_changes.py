"""Whether two versions of a Python file differ in prose alone, found without parsing the second.

Only lines that differ are looked at: blank ones and comments, or those in the middle of a docstring
that is left out.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

SILENT = re.compile(rb"\n(?:[ \t\f]*(?:#[^\n]*)?\n)+")
_IS_SILENT = re.compile(rb"[ \t\f]*(?:#.*)?")
_NO_PROSE = (b"\\", b'"', b"'", b"\r", b"\x00")  # what may end a text, or join lines
_CODED = 2  # lines that may name the encoding
_SURELY_LONG = 200  # bytes of a docstring with its quotes: more than 40 letters of any kind


class Code(NamedTuple):
    """The text of a version without prose. ``left_out`` are the lines of docstrings, from 0; it
    ``is_plain`` where no other text goes over lines, and comments are left out as well.
    """

    text: bytes
    left_out: Sequence[range]
    is_plain: bool


class _Change(NamedTuple):
    """The lines from ``first`` to before ``end`` that others come in place of."""

    lines: Sequence[bytes]
    first: int
    end: int
    others: Sequence[bytes]


def differs_in_prose(old: bytes, code: Code, new: bytes) -> bool:
    """Whether a version has the same code as ``old``, whose code is known; False where that takes
    parsing.
    """
    change = _find_change(old.split(b"\n"), new.split(b"\n"))
    added = b"\n".join(change.others)
    if not code.is_plain or change.first < _CODED or not added.isascii():
        return False
    taken = b"\n".join(change.lines[change.first : change.end])
    if any(each in text for each in _NO_PROSE for text in (added, taken)):
        return False
    for docstring in code.left_out:
        if docstring.start < change.end and change.first < docstring.stop:
            is_inside = docstring.start < change.first and change.end < docstring.stop
            return is_inside and _count_told(change, docstring) >= _SURELY_LONG
    return _is_same_silence(change)


def _find_change(old: Sequence[bytes], new: Sequence[bytes]) -> _Change:
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    left = most - first
    same = next((n for n in range(left) if old[-n - 1] != new[-n - 1]), left)
    return _Change(old, first, len(old) - same, new[first : len(new) - same])


def _count_told(change: _Change, docstring: range) -> int:
    """The bytes of a docstring with other lines."""
    before = change.lines[docstring.start : change.first]
    after = change.lines[change.end : docstring.stop]
    return sum(len(each.strip()) for each in (*before, *change.others, *after))


def _is_same_silence(change: _Change) -> bool:
    """Whether there is prose alone, in both, and nothing comes to follow what it did not follow."""
    lines, first, end = change.lines, change.first, change.end
    if not all(map(_IS_SILENT.fullmatch, (*lines[first:end], *change.others))):
        return False
    while first > 0 and _IS_SILENT.fullmatch(lines[first - 1]):
        first -= 1
    while end < len(lines) and _IS_SILENT.fullmatch(lines[end]):
        end += 1
    if first == 0 or end == len(lines):
        return False
    before, after = lines[first - 1 : change.first], lines[change.end : end + 1]
    old = (*before, *lines[change.first : change.end], *after)
    return _squeeze(old) == _squeeze((*before, *change.others, *after))


def _squeeze(lines: Sequence[bytes]) -> bytes:
    return SILENT.sub(b"\n\n", b"\n".join(lines))
