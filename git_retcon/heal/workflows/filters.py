"""GitHub's filters of branches, tags and paths.

``*`` is any number of characters but ``/``, and ``**`` any number of any. ``?`` is none or one of
the character before, ``+`` one or more. ``[]`` is one of several, ``\\`` takes a sign literally.
``!`` at the start takes back what earlier patterns matched.
"""

import functools
import string
from collections.abc import Iterable

from git_retcon.heal.workflows.glob_parts import (
    ANYTHING,
    FOLDERS,
    GlobPart,
    find_literal,
    is_no_slash,
    matches_name,
    take_one,
)
from git_retcon.lazy_named_tuple import NamedTuple

_IN_BRACKETS = frozenset(string.ascii_letters + string.digits)


class BadPattern(Exception):
    """A pattern that GitHub refuses; the message says why."""


class Pattern(NamedTuple):
    """``negative``: it takes back what patterns before it matched. Every name that it matches has
    ``literal`` in it.
    """

    parts: tuple[GlobPart, ...]
    literal: str
    negative: bool


@functools.lru_cache(1024)
def read_pattern(text: str) -> Pattern:
    """Raises BadPattern."""
    negative = text.startswith("!")
    parts: list[GlobPart] = []
    position = int(negative)
    while position < len(text):
        position = _read_part(text, position, parts)
    return Pattern(tuple(parts), find_literal(parts), negative)


def matches_last(patterns: Iterable[str], name: str) -> bool:
    """Whether a name is selected: the last pattern that matches it decides."""
    selected = False
    for text in patterns:
        pattern = read_pattern(text)
        # A pattern that could only say what is known already is not tried; nor one whose text is
        # missing.
        if selected is pattern.negative and pattern.literal in name:
            selected ^= matches_name(pattern.parts, name)
    return selected


def _read_part(text: str, position: int, parts: list[GlobPart]) -> int:
    """Add what is at a position; the answer is where the next begins."""
    char = text[position]
    if char == "*":
        return _read_star(text, position, parts)
    if char in "?+" and parts and not parts[-1].repeats and not parts[-1].jumps:
        last = parts.pop()
        parts.append(GlobPart(last.accepts, char == "+", (1,) if char == "?" else ()))
        return position + 1
    # Of a group that repeats already, a sign more changes nothing.
    if char in "?+" and parts:
        return position + 1
    if char == "[":
        return _read_brackets(text, position + 1, parts)
    if char == "\\":
        position += 1
        if position == len(text):
            raise BadPattern("nothing follows the backslash at its end")
    parts.append(take_one(text[position]))
    return position + 1


def _read_star(text: str, position: int, parts: list[GlobPart]) -> int:
    if not text.startswith("**", position):
        parts.append(GlobPart(is_no_slash, repeats=True, jumps=(1,)))
        return position + 1
    if not text.startswith("**/", position):
        parts.append(ANYTHING)
        return position + 2
    # `**/` is any folder, or none: `**/README.md` is README.md too.
    parts += FOLDERS
    return position + 3


def _read_brackets(text: str, start: int, parts: list[GlobPart]) -> int:
    end = text.find("]", start)
    if end < 0:
        raise BadPattern("a '[' is not closed")
    if end == start:
        raise BadPattern("empty brackets")
    parts.append(GlobPart(_read_characters(text[start:end]).__contains__))
    return end + 1


def _read_characters(inside: str) -> frozenset[str]:
    characters: set[str] = set()
    position = 0
    while position < len(inside):
        first, last = inside[position], inside[position : position + 3][-1]
        is_range = inside[position + 1 : position + 2] == "-" and position + 2 < len(inside)
        if not is_range:
            last = first
        if first not in _IN_BRACKETS or last not in _IN_BRACKETS or first > last:
            raise BadPattern("brackets may only hold a-z, A-Z, 0-9 and ranges of them")
        characters.update(map(chr, range(ord(first), ord(last) + 1)))
        position += 3 if is_range else 1
    return frozenset(characters)
