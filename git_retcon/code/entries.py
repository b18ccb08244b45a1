"""Lines each of which is whole without the others around it: imports, list items, fields.

Of such lines any may be there without the others, and the text still parses; whether it also
builds is for the order of definitions and uses. What is longer than a line is one entry with all
its lines, and with the comments and attributes above it.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.definitions import indent_of
from git_retcon.code.languages.language import Content, Language
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.code.versions import Version

# Only this much of a line is read.
_HEAD = 400
_COMMA = LazyPattern(rb",\s*(?:(?:#|//|/\*).*)?$")
_OPENER = LazyPattern(rb"([(\[{])\s*(?:(?:#|//|/\*).*)?$")
_CLOSER = LazyPattern(rb"\s*[)\]}]")
_NAMED = LazyPattern(rb"\s*[A-Za-z_]\w*\s*(?::[^=]*)?=[^=]")
# "let a = 1," ends with a comma too, but what follows it is no list.
_DECLARES = LazyPattern(rb"\s*(?:const|let|var|val|return|yield|case|for|if|while|with|assert)\b")


def find_entries(version: Version, start: int, stop: int) -> Iterator[int]:
    """The lines between ``start`` and ``stop`` at which an entry ends that has another
    of its kind beside it: the next entry begins there, or what comes after them all."""
    if not _may_hold(version.lines[start:stop], version.language):
        return
    units = list(_list_units(version, start, stop))
    last = None
    is_listed = False
    for unit, kind in zip(units, _find_kinds(version, units), strict=True):
        was_listed, is_listed = is_listed, kind is not None and kind == last
        # A single entry is no list: what is cut from it would be something else.
        if is_listed or was_listed:
            yield unit.start
        last = kind


def _may_hold(lines: Sequence[bytes], language: Language) -> bool:
    """Whether some line could be an entry, by a look that needs nothing else of the file."""
    patterns = [p for p in (language.imports, language.entries) if p is not None]
    return any(
        any(pattern.match(line[:_HEAD]) for pattern in patterns)
        or (language.brackets and _COMMA.search(line[-_HEAD:]))
        for line in lines
    )


class _Unit(NamedTuple):
    """Lines ``[start, stop)`` that are one statement; what is attached to it comes before
    ``first``."""

    start: int
    first: int
    stop: int


def _list_units(version: Version, start: int, stop: int) -> Iterator[_Unit]:
    at = start
    while at < stop:
        first = _find_first(version, at, stop)
        if first == stop:
            return
        after = _find_after(version, first, stop)
        yield _Unit(at, first, after)
        at = after


def _find_first(version: Version, start: int, stop: int) -> int:
    """The first line at or after ``start`` that is neither blank nor attached to what follows."""
    states, attached = version.states, version.language.attached
    level = states.depth[start]
    at = start
    while at < stop and (
        not version.lines[at].strip()
        or (attached is not None and attached.match(version.lines[at][:_HEAD]))
        # A comment or an attribute may run over several lines.
        or (at > start and (states.is_open[at] or states.depth[at] > level))
    ):
        at += 1
    return at


def _find_after(version: Version, first: int, stop: int) -> int:
    """The line behind a statement: no deeper than its first one, by brackets and by indentation."""
    states, lines = version.states, version.lines
    level, width = states.depth[first], indent_of(lines[first])
    at = first + 1
    while at < stop and (
        states.is_open[at]
        or states.depth[at] > level
        or not lines[at].strip()
        # Where brackets say nothing (YAML), indentation does.
        or indent_of(lines[at]) > width
    ):
        at += 1
    return at


# What an entry shares with its neighbours: why it is whole alone, and what the language says.
_Kind = tuple[str, bytes]


def _find_kinds(version: Version, units: Sequence[_Unit]) -> list[_Kind | None]:
    """The kind of every unit; None for what is no entry."""
    kinds = [_find_kind(version, unit, units[0].start) for unit in units]
    if version.language.content is Content.PROSE:
        return kinds  # a heading needs nothing of what is under it
    # What comes before a line in the same run may be the key that it hangs from, or the head of
    # its table.
    leading = itertools.takewhile(lambda kind: kind == kinds[0], kinds)
    count = sum(1 for _ in leading)
    return [
        None if kind is not None and kind[0] == "line" and at >= count else kind
        for at, kind in enumerate(kinds)
    ]


def _find_kind(version: Version, unit: _Unit, start: int) -> _Kind | None:
    """Why a statement is whole by itself, for every kind of entry.

    - An import (``use``, ``#include``): it only brings names in, and is a statement of its own.
    - A field or a member right under the head of its type, where that was there before: a type is
      whole with any of its fields.
    - A key under its table, an item of a sequence, a line of a list of files or packages, a bullet:
      each says one thing, and no other line belongs to it but those indented deeper.
    - A command that is repeated with other arguments, as in a list of checks: nothing is
      opened that the next one closes.
    - An item between commas: it takes its comma along, so the brackets hold a list without it.
    """
    language, line = version.language, version.lines[unit.first][:_HEAD]
    if unit.first in version.imports and language.imports and language.imports.match(line):
        return "import", b""
    shape = language.entries.match(line) if language.entries else None
    if shape is not None and language.members is None:
        return "line", shape[1]
    if shape is not None and language.members is not None:
        head = version.outline.above(unit.first)
        if 0 <= head < start and language.members.match(version.lines[head][:_HEAD]):
            return "member", shape[1]
    return ("item", b"") if _is_item(version, unit) else None


def _is_item(version: Version, unit: _Unit) -> bool:
    """Whether a statement is an item of a list, dictionary, enumeration or record.

    Arguments in parentheses are items only by their names: an argument known by its place means
    nothing without the others.
    """
    lines = version.lines
    line = lines[unit.first][:_HEAD]
    if version.states.depth[unit.first] < 1 or _DECLARES.match(line):
        return False
    if not ends_item(version, unit.stop) and not _closes_next(version, unit.stop):
        return False
    if unit.first in version.imports or version.language.only_items:
        return True
    head = version.outline.above(unit.first)
    opener = _OPENER.search(lines[head][:_HEAD]) if head >= 0 else None
    if opener is None:
        return False
    return opener[1] != b"(" or _NAMED.match(line) is not None


def ends_item(version: Version, at: int) -> bool:
    """Whether the last written line before ``at`` ends with a comma."""
    return _COMMA.search(last_written(version, at).rstrip()[-_HEAD:]) is not None


def _closes_next(version: Version, at: int) -> bool:
    """Whether the list ends here, so that its last item needs no comma."""
    last = last_written(version, at).rstrip()
    return closes_bracket(version, at) and not last.endswith((b";", b"{", b"[", b"("))


def closes_bracket(version: Version, at: int) -> bool:
    """Whether the next written line from ``at`` on closes a bracket."""
    # A few lines only: a closing bracket behind many blank lines is not worth a search of the file.
    following = (line for line in version.lines[at : at + 4] if line.strip())
    return _CLOSER.match(next(following, b"")) is not None


def opens_bracket(version: Version, at: int) -> bool:
    """Whether the last written line before ``at`` ends with an opening bracket."""
    return _OPENER.search(last_written(version, at).rstrip()[-_HEAD:]) is not None


def last_written(version: Version, at: int) -> bytes:
    """The last line before ``at`` that is not blank; looks back a few lines only."""
    before = (version.lines[line] for line in range(at - 1, max(0, at - 4) - 1, -1))
    return next((line for line in before if line.strip()), b"")
