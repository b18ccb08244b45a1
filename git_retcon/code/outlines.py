"""Which definitions are around a line: by headings in prose, by indentation elsewhere.

No grammar, as in ``definitions``. Most files have a change or two, so a file is not read through:
what is above a line is found by going up from it, and remembered for the lines below.
"""

import functools
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.code.definitions import HEAD, HEADING, find_definitions, indent_of
from git_retcon.code.languages.language import Blocks, Headings, Language
from git_retcon.code.lazy_pattern import LazyPattern

# Versions of a file share most of their lines: what a line is, is remembered, within bounds.
_MOST_KNOWN = 1 << 16
_UNDERLINE = LazyPattern(rb"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
# One of these begins, or a colon ends, every line that the next pattern or a comment matches.
_MARKS = frozenset(b"{}()[];,#/*-@")
_COLON = ord(":")
_SKIPPED = LazyPattern(rb"\s*(?:[)\]}]|[{(\[;,]*\s*$|#\s*(?:if|el|endif|pragma)|\w+:\s*$)")


class Outline(NamedTuple):
    """The definitions of one file: ``above(i)`` is the line that line ``i`` belongs to, or -1;
    ``names(i)`` are those that line ``i`` defines."""

    above: Callable[[int], int]
    names: Callable[[int], tuple[str, ...]]

    def find_enclosing(self, line: int) -> Iterator[int]:
        """The defining lines around a line, innermost first, at most eight."""
        found = 0
        at = self.above(line)
        # Eight levels say enough of a place; data files nest much deeper.
        while at >= 0 and found < 8:
            if self.names(at):
                found += 1
                yield at
            at = self.above(at)

    def scope(self, line: int) -> tuple[str, ...]:
        """The definitions around a line, outermost first, itself included."""
        own = [line] if self.names(line) else []
        return tuple(self.names(at)[0] for at in reversed([*own, *self.find_enclosing(line)]))


def read_outline(lines: Sequence[bytes], language: Language) -> Outline:
    """The structure of a file, read as it is asked about; cheapest line after line."""
    if language.headings is not Headings.NONE:
        return _find_headings(lines, language)
    blocks = _Blocks(lines, language)
    return Outline(blocks.above, blocks.names)


# In place of a width: keys belong to their table; what waits belongs to the next line; what is
# bare, to nothing.
_TABLE_WIDTH, _WAITS, _BARE = -1, -2, -3


class _Reader:
    """What lines are in one language, each looked at once."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._marks = _MARKS | {mark[0] for mark in language.line_comments}
        self._widths: dict[bytes, int] = {}
        self._names: dict[bytes, tuple[str, ...]] = {}

    def width(self, line: bytes) -> int:
        """A line's indentation, or one of the numbers above in its place."""
        bare = line.strip()
        if bare and bare[0] not in self._marks and bare[-1] != _COLON and len(line) <= HEAD:
            return indent_of(line)  # enough for most lines
        head = line if len(line) <= HEAD else line[:HEAD]
        found = self._widths.get(head)
        if found is None:
            if len(self._widths) >= _MOST_KNOWN:
                self._widths.clear()
            found = self._widths[head] = self._measure_indent(head)
        return found

    def _measure_indent(self, head: bytes) -> int:
        bare = head.strip()
        if not bare:
            return _BARE
        if (bare[0] in self._marks or bare[-1] == _COLON) and (
            _SKIPPED.match(head) or self._language.comment.match(head)
        ):
            return _BARE if self._language.blocks is Blocks.BRACKETS else _WAITS
        is_table = self._language.has_tables and head.startswith(b"[")
        return _TABLE_WIDTH if is_table else indent_of(head)

    def names(self, line: bytes) -> tuple[str, ...]:
        """The names that a line defines, unless it only waits for the next one."""
        head = line if len(line) <= HEAD else line[:HEAD]
        found = self._names.get(head)
        if found is None:
            if len(self._names) >= _MOST_KNOWN:
                self._names.clear()
            is_read = self.width(head) >= _TABLE_WIDTH
            found = self._names[head] = find_definitions(head, self._language) if is_read else ()
        return found


_reader = functools.cache(_Reader)


class _Blocks:
    """A file whose lines belong to the nearest one before that is indented less."""

    def __init__(self, lines: Sequence[bytes], language: Language) -> None:
        self._lines = lines
        self._reader = _reader(language)
        self._has_tables = language.has_tables
        # One search of the bytes spares most files a look at each line.
        has_decorators = language.blocks is not Blocks.BRACKETS and b"@" in b"".join(lines)
        self._decorators = _find_decorators(lines, self._reader) if has_decorators else frozenset()
        self._known: dict[int, int] = {}
        # By margin, what was found last: lines after the first number, up to the second, are
        # none of them indented less, so all of that margin belong to the first.
        self._under_it: dict[bytes, tuple[int, int]] = {}
        self._next = 0, -1  # from the first on, the last is the next ordinary line
        self._before = -1, -1  # after the first, up to the last, none is ordinary

    def names(self, at: int) -> tuple[str, ...]:
        return () if at in self._decorators else self._reader.names(self._lines[at])

    def above(self, at: int) -> int:
        found = self._known.get(at)
        if found is None:
            width = self._measure_indent(at)
            found = (
                self._find_less_indented(at, width)
                if width >= _TABLE_WIDTH
                else self._find_owner(at, width)
            )
            self._known[at] = found
        return found

    def _measure_indent(self, at: int) -> int:
        return _WAITS if at in self._decorators else self._reader.width(self._lines[at])

    def _find_less_indented(self, line: int, width: int) -> int:
        """The nearest line before an ordinary one that is indented less."""
        if width <= (_TABLE_WIDTH if self._has_tables else 0):
            return -1
        lines, text = self._lines, self._lines[line]
        margin = text[: len(text) - len(text.lstrip(b" \t"))]
        head, last = self._under_it.get(margin, (-1, -1))
        at = line if head < line <= last else line - 1
        while at >= 0:
            if head < at <= last:
                at = head
                break
            # as deep, or nothing that counts: enough for most lines
            passed = lines[at].startswith(margin) and not self._has_tables
            if not passed and _TABLE_WIDTH <= self._measure_indent(at) < width:
                break
            at -= 1
        self._under_it[margin] = at, max(line, last) if at == head else line
        return at

    def _find_owner(self, at: int, width: int) -> int:
        """What a line without a width of its own belongs to: a comment or a decorator to what the
        next ordinary line does, anything else to the line before."""
        if width == _WAITS:
            following = self._find_next(at)
            if following < len(self._lines):
                same = indent_of(self._lines[at]) == self._measure_indent(following)
                if same or at in self._decorators:
                    return self.above(following)
        return self._find_previous(at)

    def _find_next(self, at: int) -> int:
        """The next ordinary line, or the end."""
        first, last = self._next
        found = at
        while found < len(self._lines) and self._measure_indent(found) < _TABLE_WIDTH:
            found = last if first <= found < last else found + 1
        self._next = min(first, at) if found == last else at, found
        return found

    def _find_previous(self, at: int) -> int:
        """The ordinary line before, or -1."""
        before, last = self._before
        found = at - 1
        while found >= 0 and self._measure_indent(found) < _TABLE_WIDTH:
            found = before if before < found <= last else found - 1
        self._before = found, max(at - 1, last) if found == before else at - 1
        return found


def _find_decorators(lines: Sequence[bytes], reader: _Reader) -> Set[int]:
    """The lines of decorators, each as long as its brackets are open; a definition no deeper than
    where it began ends one that is never closed."""
    found: set[int] = set()
    left_open, width = 0, 0
    for at, line in enumerate(lines):
        if not left_open:
            if not line.lstrip().startswith(b"@"):
                continue
            width = indent_of(line)
        elif indent_of(line) <= width and reader.names(line):
            left_open = 0
            continue
        left_open = max(0, left_open + _count_opened(line))
        found.add(at)
    return found


def _count_opened(line: bytes) -> int:
    return sum(map(line.count, (b"(", b"[", b"{"))) - sum(map(line.count, (b")", b"]", b"}")))


def _find_headings(lines: Sequence[bytes], language: Language) -> Outline:
    parent: list[int] = []
    names: dict[int, tuple[str, ...]] = {}
    stack: list[tuple[int, int]] = []
    read = _HeadingReader(language)
    for at, line in enumerate(lines):
        level, title = read(line, lines[at + 1] if at + 1 < len(lines) else b"")
        if not level:
            parent.append(stack[-1][1] if stack else -1)
            continue
        # A heading ends those of its own level and of deeper ones.
        while stack and stack[-1][0] >= level:
            stack.pop()
        parent.append(stack[-1][1] if stack else -1)
        names[at] = (title[:HEAD].decode("utf-8", "replace"),)
        stack.append((level, at))
    return Outline(parent.__getitem__, lambda at: names.get(at, ()))


class _HeadingReader:
    """Reads the headings of one file, line after line: what is in a fence is none, and a rule has
    the level at which it came first."""

    def __init__(self, language: Language) -> None:
        self._is_marked = language.headings is Headings.MARKED
        self._fenced = False
        self._levels: dict[bytes, int] = {}

    def __call__(self, line: bytes, following: bytes) -> tuple[int, bytes]:
        """The level and title of a heading; level 0 for any other line."""
        if self._is_marked:
            if line.startswith((b"```", b"~~~")):
                self._fenced = not self._fenced
            elif not self._fenced and (heading := HEADING.match(line[:HEAD])):
                return len(heading[1]), heading[2]
        if not line.strip() or _UNDERLINE.match(line[:HEAD]):
            return 0, b""
        rule = _UNDERLINE.match(following[:HEAD])
        # Writers underline loosely; but a short rule below a long line is a list item or a
        # separator.
        if rule and len(following.strip()) >= min(len(line.strip()), 4):
            return self._levels.setdefault(rule[1], len(self._levels) + 1), line.strip()
        return 0, b""
