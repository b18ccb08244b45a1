"""Lines of source files that a specification speaks of: a definition, and what is said in it.

A specification cites files and symbols and no lines, which every unrelated edit would change; they
are looked for when somebody asks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.definitions import find_definitions, indent_of
from git_retcon.code.languages.known import language_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import read_object


class Position(NamedTuple):
    """A line of a file, from 1. ``path`` is b"" where there is none."""

    path: bytes
    line: int


NOWHERE = Position(b"", 0)


class SourcePositions:
    """Finds definitions in one tree. Each file is read once."""

    def __init__(self, repository: Repository, tree: str) -> None:
        self._repository = repository
        self._tree = tree
        self._lines: dict[bytes, Sequence[bytes]] = {}

    def find(self, path: bytes, symbol: str, item: str = "") -> Position:
        """The line of a definition such as ``Order.pay``; with an item of a specification, such as
        "field total", that of its last word in there. Else the first line of the file.
        """
        lines = self._read_lines(path)
        at = self._find_symbol(path, lines, symbol.split(".") if symbol else [])
        words = re.findall(r"\w+", item)
        end = _find_end(lines, at) if symbol else len(lines)
        for pattern in _make_patterns(words[-1]) if words else ():
            found = next((n for n in range(at, end) if pattern.search(lines[n])), None)
            if found is not None:
                return Position(path, found + 1)
        return Position(path, at + 1)

    def has_file(self, path: bytes) -> bool:
        """Whether a file with lines is there."""
        return bool(self._read_lines(path))

    def _find_symbol(self, path: bytes, lines: Sequence[bytes], words: Sequence[str]) -> int:
        language = language_of(path)
        at = 0
        for word in words:
            for number in range(at, len(lines)):
                if word in find_definitions(lines[number], language):
                    at = number
                    break
        return at

    def _read_lines(self, path: bytes) -> Sequence[bytes]:
        if path not in self._lines:
            entry = self._repository.trees.find(self._tree, path)
            content = b""
            if entry is not None and entry.is_file:
                content = read_object(self._repository.objects.odb, entry.oid)
            self._lines[path] = content.split(b"\n") if content else ()
        return self._lines[path]


def _find_end(lines: Sequence[bytes], start: int) -> int:
    """The line behind a definition: the next one that is indented no deeper and begins with a word
    (a bracket alone closes the definition).
    """
    if start >= len(lines):
        return start
    depth = indent_of(lines[start])
    for at in range(start + 1, len(lines)):
        line = lines[at]
        begins = line.lstrip()[:1]
        if begins and (begins.isalpha() or begins in b"_@") and indent_of(line) <= depth:
            return at
    return len(lines)


def _make_patterns(word: str) -> Iterator["re.Pattern[bytes]"]:
    """The word as a source may spell it: ``PAID`` is the state ``paid``, ``camelCase`` the field
    ``camel_case``. A name or a value is looked for before any word, which may be one of prose.
    """
    letters = b"_?".join(re.escape(part.encode()) for part in word.split("_") if part)
    spelled = rb"_*%b" % (letters or re.escape(word.encode()))
    for form in (rb"^\W*%b\s*[:=?(]|[.\"'`]%b\b(?! \w)" % (spelled, spelled), rb"\b%b\b" % spelled):
        yield re.compile(form, re.IGNORECASE)
