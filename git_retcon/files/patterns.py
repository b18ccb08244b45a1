"""Patterns of paths, read as git reads those of a ``.gitignore`` (gitignore(5)).

Every list of patterns that a user writes goes through here: ``files`` and ``exclude`` of a commit,
``retcon.neverSend``, ``codecommit.protect``. A pattern becomes one regular expression over bytes;
what git's ``wildmatch.c`` takes for malformed matches nothing, there as here.

There are two ways to read a list. One that *chooses* (``read_patterns``) is exact, and the caller
says whether case matters. One that *protects* (``read_protective_patterns``) also covers every
spelling that some file system takes for the same name.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from git_retcon.files.untrusted_paths import fold_path, list_parents

_SLASH = ord("/")
_WILD = frozenset(b"*?[\\")
_BYTES = range(1, 256)
_BLANKS = b" \t"
_CLASSES: Mapping[bytes, Callable[[int], bool]] = {
    b"alpha": lambda byte: bytes((byte,)).isalpha(),
    b"digit": lambda byte: bytes((byte,)).isdigit(),
    b"alnum": lambda byte: bytes((byte,)).isalnum(),
    b"upper": lambda byte: bytes((byte,)).isupper(),
    b"lower": lambda byte: bytes((byte,)).islower(),
    b"blank": lambda byte: byte in _BLANKS,
    # git's own tables: vertical tab and form feed are no space there
    b"space": lambda byte: byte in b" \t\n\r",
    b"cntrl": lambda byte: byte < 0x20 or byte == 0x7F,
    b"print": lambda byte: 0x20 <= byte < 0x7F,
    b"graph": lambda byte: 0x20 < byte < 0x7F,
    b"punct": lambda byte: 0x20 < byte < 0x7F and not bytes((byte,)).isalnum(),
    b"xdigit": lambda byte: byte in b"0123456789abcdefABCDEF",
}


class Case(Enum):
    """Whether upper and lower case differ in a pattern: ``core.ignoreCase`` of the repository."""

    MATTERS = "matters"
    IGNORED = "ignored"


class _Rule(NamedTuple):
    pattern: re.Pattern[bytes]
    is_negated: bool
    wants_folder: bool
    is_for_names: bool  # without a slash, it is compared with the last part of a path alone
    literal: bytes | None  # the one name or path that it matches, where that is so


class Patterns:
    """An ordered list of patterns; the last that matches a path decides about it.

    As in git, nothing below a folder that matches can be taken out again.
    """

    __slots__ = ("_folders", "_rules")

    def __init__(self, rules: Sequence[_Rule]) -> None:
        # The last rule that matches decides, so asking begins there.
        self._rules = tuple(reversed(rules))
        self._folders: dict[bytes, bool] = {}

    def matches(self, path: bytes) -> bool:
        """Whether the list holds a clean path, itself or by a folder above it."""
        if not self._rules:
            return False
        name = path.removesuffix(b"/")
        if any(self._holds_folder(folder) for folder in list_parents(name)):
            return True
        return self._decide_path(name, is_folder=name != path)

    @property
    def literals(self) -> frozenset[bytes] | None:
        """The names and paths that it consists of; None where it has a wildcard."""
        found = frozenset(rule.literal for rule in self._rules if rule.literal is not None)
        return found if all(rule.literal is not None for rule in self._rules) else None

    def _holds_folder(self, folder: bytes) -> bool:
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = self._decide_path(folder, is_folder=True)
        return found

    def _decide_path(self, path: bytes, *, is_folder: bool) -> bool:
        name = path.rpartition(b"/")[2]
        for rule in self._rules:
            if rule.wants_folder and not is_folder:
                continue
            if rule.pattern.fullmatch(name if rule.is_for_names else path):
                return not rule.is_negated
        return False


class PatternLists:
    """Many lists that are asked about the same paths.

    A list of plain names costs a look-up for each part of a path, however many lists there are.
    """

    def __init__(self, lists: Sequence[Patterns]) -> None:
        self._lists = lists
        self._by_literal: dict[bytes, list[int]] = {}
        self._others: list[int] = []
        for at, patterns in enumerate(lists):
            literals = patterns.literals
            if literals is None:
                self._others.append(at)
                continue
            for literal in literals:
                self._by_literal.setdefault(literal, []).append(at)

    def find(self, path: bytes) -> set[int]:
        """The positions of the lists that match a clean path."""
        # A plain name can match a part of the path, a plain path its beginning.
        clues = {path, *path.split(b"/"), *list_parents(path)}
        possible = {at for clue in clues for at in self._by_literal.get(clue, ())}
        return {at for at in (*possible, *self._others) if self._lists[at].matches(path)}


class ProtectivePatterns:
    """A list that protects: it holds a path when it holds any spelling of it."""

    __slots__ = ("_folded", "_plain")

    def __init__(self, plain: Patterns, folded: Patterns) -> None:
        self._plain = plain
        self._folded = folded

    def matches(self, path: bytes) -> bool:
        """Whether the list holds a clean path in any case, composition or NTFS spelling."""
        if self._plain.matches(path):
            return True
        ending = "/" if path.endswith(b"/") else ""
        folded = fold_path(path.removesuffix(b"/")) + ending
        return self._folded.matches(folded.encode("utf-8", "surrogateescape"))


def read_patterns(lines: Sequence[str], case: Case) -> Patterns:
    """Read patterns that choose paths. Malformed ones match nothing."""
    return _read_lines(tuple(lines), case)


def read_protective_patterns(lines: Sequence[str]) -> ProtectivePatterns:
    """Read patterns that keep paths from being sent or written, in upper and lower case alike."""
    return _read_protective(tuple(lines))


@functools.lru_cache(maxsize=16)
def _read_protective(lines: tuple[str, ...]) -> ProtectivePatterns:
    folded = tuple(unicodedata.normalize("NFKC", line.casefold()) for line in lines)
    return ProtectivePatterns(_read_lines(lines, Case.IGNORED), _read_lines(folded, Case.IGNORED))


@functools.lru_cache(maxsize=512)
def _read_lines(lines: tuple[str, ...], case: Case) -> Patterns:
    rules = (_read_rule(text, case) for line in lines for text in _split_lines(line))
    return Patterns([rule for rule in rules if rule is not None])


def _split_lines(text: str) -> Iterator[bytes]:
    """A string of several lines is several patterns, as it is in a file."""
    for line in text.encode("utf-8", "surrogateescape").split(b"\n"):
        yield line.removesuffix(b"\r")


def _read_rule(line: bytes, case: Case) -> _Rule | None:
    if line.startswith(b"#"):
        return None
    text = _without_trailing_spaces(line)
    is_negated = text.startswith(b"!")
    text = text.removeprefix(b"!")
    wants_folder = text.endswith(b"/")
    text = text.removesuffix(b"/")
    is_for_names = b"/" not in text
    # A slash in front only says that the pattern begins at the top.
    text = text.removeprefix(b"/")
    source = _Translator(text, case).translate()
    if not text or source is None:
        return None
    flags = re.DOTALL | (re.IGNORECASE if case is Case.IGNORED else 0)
    is_literal = case is Case.MATTERS and not _WILD & set(text)
    literal = text if is_literal else None
    return _Rule(re.compile(source, flags), is_negated, wants_folder, is_for_names, literal)


def _without_trailing_spaces(line: bytes) -> bytes:
    """A line without the spaces at its end, but one that a backslash keeps."""
    end = at = 0
    while at < len(line):
        is_escaped = line[at : at + 1] == b"\\"
        is_space = line[at : at + 1] == b" "
        at += 2 if is_escaped else 1
        if not is_space:
            end = at
    return line[:end]


class _Malformed(Exception):
    """A pattern that git takes for malformed."""


class _Translator:
    """Turns one pattern into the source of a regular expression; git's ``dowild``, compiled.

    Atomic groups, because what comes before a star need never be matched a second time: with
    plain groups a pattern such as ``*a*a*a*a*b`` takes exponential time.
    """

    def __init__(self, pattern: bytes, case: Case) -> None:
        self._pattern = pattern
        self._case = case
        self._at = 0

    def translate(self) -> bytes | None:
        """The source, or None where nothing matches the pattern."""
        try:
            return self._translate_all()
        except _Malformed:
            return None

    def _translate_all(self) -> bytes:
        """What is between two ``**`` is one stretch. The first is anchored, the last as well."""
        opening, closed = b"", b""
        while True:
            stretch, stars = self._translate_stretch()
            if stars == b"":
                return closed + opening + stretch
            closed += b"(?>" + opening + stretch + b")" if opening + stretch else b""
            if stars == b"**":
                return closed + b".*"
            # `**/` matches no folder as well, `**\/` only where there is one
            opening = b"(?:[^/]+/)*?" if stars == b"**/" else b"(?:[^/]+/)+?"

    def _translate_stretch(self) -> tuple[bytes, bytes]:
        """The source up to the next ``**`` between slashes, and that with its slash."""
        done, source, is_after_star = b"", b"", False
        while self._at < len(self._pattern):
            if self._translate_byte() != b"*":
                source += self._translate_one()
                continue
            stars = self._translate_stars()
            if stars != b"*":
                return done + _add_stars(source, is_after_star), stars
            if source:
                done += b"(?>" + _add_stars(source, is_after_star) + b")"
            source, is_after_star = b"", True
        return done + _add_stars(source, is_after_star), b""

    def _translate_stars(self) -> bytes:
        start = self._at
        while self._translate_byte() == b"*":
            self._at += 1
        if self._at - start == 1 or (start and self._pattern[start - 1] != _SLASH):
            return b"*"
        if self._at == len(self._pattern):
            return b"**"
        for slash in (b"/", b"\\/"):
            if self._pattern.startswith(slash, self._at):
                self._at += len(slash)
                return b"**" + slash
        return b"*"

    def _translate_one(self) -> bytes:
        """The source for what matches one byte."""
        byte = self._take_byte()
        if byte == b"?":
            return b"[^/]"
        if byte == b"[":
            return self._translate_class()
        return re.escape(self._take_byte() if byte == b"\\" else byte)

    def _translate_class(self) -> bytes:
        is_negated = self._translate_byte() in (b"!", b"^")
        self._at += is_negated
        members = self._read_members()
        if self._case is Case.IGNORED:
            members |= {ord(bytes((byte,)).swapcase()) for byte in members}
        found = set(_BYTES) - members if is_negated else members
        # No class of a pattern matches a slash in git, not even a negated one.
        found.discard(_SLASH)
        if not found:
            raise _Malformed  # such as [/]: no byte is in it
        return b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(found)) + b"]"

    def _read_members(self) -> set[int]:
        """The bytes that a class lists, up to its bracket. The first may be a bracket itself."""
        members: set[int] = set()
        before = 0  # the byte that a range could start from
        while True:
            byte = ord(self._take_byte())
            following = self._pattern[self._at : self._at + 1]
            if byte == ord("-") and before and following not in (b"", b"]"):
                members.update(range(before, ord(self._take_unescaped()) + 1))
                before = 0
            elif (
                byte == ord("[")
                and following == b":"
                and (named := self._read_named_class()) is not None
            ):
                members |= named
                before = 0
            else:
                before = ord(self._take_byte()) if byte == ord("\\") else byte
                members.add(before)
            if self._translate_byte() == b"]":
                self._at += 1
                return members

    def _read_named_class(self) -> set[int] | None:
        """The bytes of ``[:alpha:]`` and the like; None where it is a bracket like any other."""
        end = self._pattern.find(b"]", self._at + 1)
        if end < 0:
            raise _Malformed
        name = self._pattern[self._at + 1 : end]
        if not name.endswith(b":"):
            return None
        is_member = _CLASSES.get(name[:-1])
        if is_member is None:
            raise _Malformed
        self._at = end + 1
        return {byte for byte in _BYTES if is_member(byte)}

    def _take_unescaped(self) -> bytes:
        byte = self._take_byte()
        return self._take_byte() if byte == b"\\" else byte

    def _translate_byte(self) -> bytes:
        return self._pattern[self._at : self._at + 1]

    def _take_byte(self) -> bytes:
        byte = self._translate_byte()
        if not byte or byte == b"\0":
            raise _Malformed
        self._at += 1
        return byte


def _add_stars(source: bytes, is_after_star: bool) -> bytes:
    return b"[^/]*?" + source if is_after_star else source
