"""The text of one module as its head and its declarations, cut so that joining them gives it back.

A declaration cites where it was read: a comment ``-- Source: path, symbol`` right above it. Lines
are left out of it, so that a change elsewhere in the file changes no specification.
"""

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.language import Document, Entry, list_entries, parse
from git_retcon.show.style import show_path

_CITED = "Source: "
_MOST_CUT = 128  # modules: those that merge are cut again at each of its steps
MARKER = b"-- allium: 3\n"


# (kind, name, which of several)
DeclarationKey: TypeAlias = tuple[str, str, int]

_ALIKE = frozenset({"entity", "value"})


class DeclarationText(NamedTuple):
    """One declaration with the comments right above it; ``text`` ends without a line's end.

    ``kind``, ``name`` and ``ordinal`` identify it in its file. ``sources`` are the paths that it
    cites, as ``show_path`` spells them.
    """

    kind: str
    name: str
    ordinal: int
    text: bytes
    sources: tuple[str, ...]

    @property
    def key(self) -> DeclarationKey:
        return self.kind, self.name, self.ordinal

    def as_kind(self, kind: str) -> "DeclarationText":
        """A value as an entity, or an entity as a value: they have the same items. Any other is
        what it was.
        """
        if not {self.kind, kind} <= _ALIKE:
            return self
        old, new = (f"\n{each} {self.name}".encode() for each in (self.kind, kind))
        return self._replace(kind=kind, text=(b"\n" + self.text).replace(old, new, 1)[1:])


class ModuleText(NamedTuple):
    """The version marker and the comments at the top, then the declarations."""

    head: bytes
    declarations: Sequence[DeclarationText]

    @property
    def is_empty(self) -> bool:
        """Whether it declares nothing; what it uses is no declaration."""
        return all(declaration.kind == "use" for declaration in self.declarations)


def cite_source(path: bytes, symbol: str) -> str:
    """The comment line that says where a declaration was read."""
    return f"-- {_CITED}{show_path(path)}, {symbol}"


def read_citation(comment: str) -> str | None:
    """The path that a comment cites, or None."""
    # From the right: a path may hold a comma, a symbol does not.
    path, found, _ = comment.removeprefix(_CITED).rpartition(", ")
    return path if found and comment.startswith(_CITED) else None


def list_cited_paths(shown: str) -> Sequence[bytes]:
    """The paths that a citation may mean: as it is, and where that has an escape, without it."""
    literal = shown.encode("utf-8", "surrogateescape")
    if b"\\" not in literal:
        return (literal,)
    return tuple(dict.fromkeys((literal, _escape_pattern().sub(_unescape, literal))))


def find_cited_path(shown: str, has_file: Callable[[bytes], bool]) -> bytes:
    """The one of them that is there, else the first."""
    paths = list_cited_paths(shown)
    return next((each for each in paths if has_file(each)), paths[0])


def _unescape(found: "re.Match[bytes]") -> bytes:
    code = found[0][2:]
    if not code:
        return b"\n" if found[0] == b"\\n" else b"\t"
    number = int(code, 16)
    return bytes([number]) if len(code) == 2 else chr(number).encode("utf-8", "surrogatepass")


@functools.cache
def _escape_pattern() -> "re.Pattern[bytes]":
    """What ``show_path`` writes for what cannot be printed."""
    return re.compile(rb"\\(?:n|t|x[0-9a-f]{2}|u[0-9a-f]{4})")


def cut_comment(line: bytes) -> tuple[bytes, bytes]:
    """A line as what it says and the comment behind that, with its dashes; each may be empty."""
    found = _code_pattern().match(line)
    end = found.end() if found else 0
    # An open quote or backtick is no code: what is left holds no comment that can be told.
    return (line[:end], line[end:]) if line.startswith(b"--", end) else (line, b"")


def list_comments(text: bytes) -> Sequence[str]:
    """The comments at a declaration and in it, but for what it cites."""
    found = (
        cut_comment(line)[1][2:].strip().decode("utf-8", "replace") for line in text.split(b"\n")
    )
    return [comment for comment in found if comment and read_citation(comment) is None]


@functools.cache
def _code_pattern() -> "re.Pattern[bytes]":
    # Quotes and backticks may hold what begins a comment elsewhere.
    return re.compile(rb"""(?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?!--).)*""")


def list_citations(text: bytes) -> Sequence[tuple[str, str]]:
    """The paths and symbols that a declaration cites, in their order."""
    found: list[tuple[str, str]] = []
    for line in text.split(b"\n"):
        if not line.startswith(b"--"):
            break
        comment = line[2:].strip().decode("utf-8", "replace")
        path = read_citation(comment)
        if path is not None:
            found.append((path, comment.rpartition(", ")[2]))
    return found


@functools.lru_cache(maxsize=_MOST_CUT)
def cut_module(content: bytes) -> ModuleText:
    """Cut a module up. What does not parse is one declaration of the kind ``unreadable``."""
    return _cut_plain(content) or cut_document(parse(content))


def _cut_plain(content: bytes) -> ModuleText | None:
    """The same of a module in the layout in which we write it: a search, since parsing takes a
    hundred times as long. None for any other.
    """
    head, gap, body = content.partition(b"\n\n")
    if not head.startswith(MARKER) or not gap or not _head_pattern().fullmatch(head):
        return None
    at = 0
    counts: dict[tuple[str, str], int] = {}
    declarations: list[DeclarationText] = []
    while at < len(body):
        found = _plain_pattern().match(body, at)
        if found is None:
            return None
        kind, name = _identify_plain(found)
        ordinal = counts[kind, name] = counts.get((kind, name), -1) + 1
        text = found["text"]
        sources = tuple(dict.fromkeys(path for path, _ in list_citations(text)))
        declarations.append(DeclarationText(kind, name, ordinal, text, sources))
        at = found.end()
        # Two declarations without a blank line between them: only ``use`` lines are written so.
        if at < len(body) and found["end"] == b"\n" and kind != "use":
            return None
    return ModuleText(head, tuple(declarations))


def _identify_plain(found: "re.Match[bytes]") -> tuple[str, str]:
    for kind in ("use", "question"):
        if found[kind] is not None:
            return "open question" if kind == "question" else kind, found[kind].decode()
    return found["kind"].decode(), (found["name"] or b"").decode()


@functools.cache
def _head_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb"--[^\n]*(?:\n--[^\n]*)*")


@functools.cache
def _plain_pattern() -> "re.Pattern[bytes]":
    # Strings and backticks on the opening line could hold braces; what has them is parsed.
    return re.compile(
        rb"""(?P<text>(?:--[^\n]*\n)*(?:
            use\ "(?P<use>[^"\\\n]+)"\ as\ \w+
          | open\ question\ "(?P<question>[^"\\\n]*)"
          | (?P<kind>external\ entity|entity|value|enum|contract|rule|config)\ (?P<name>\w*)\ ?\{
            (?: [^{}"\n]*\} | \n(?:(?:[\ ][^\n]*)?\n)*\} )
        ))(?P<end>\n\n|\n)""",
        re.VERBOSE,
    )


def cut_document(document: Document) -> ModuleText:
    """The same of a document that was parsed already."""
    data = document.source.data
    entries = list_entries(document)
    if not entries:
        return ModuleText(data.rstrip(), ())
    # Comments between two declarations, apart from both, go with the one behind them.
    starts = [entries[0].lead, *(entry.end for entry in entries[:-1])]
    stops = [*(entry.end for entry in entries[:-1]), len(data)]
    counts: dict[tuple[str, str], int] = {}
    declarations: list[DeclarationText] = []
    for entry, start, stop in zip(entries, starts, stops, strict=True):
        identity = entry.kind, entry.name
        counts[identity] = ordinal = counts.get(identity, -1) + 1
        text = data[start:stop].strip()
        declarations.append(DeclarationText(*identity, ordinal, text, _list_sources(entry)))
    return ModuleText(data[: entries[0].lead].rstrip(), tuple(declarations))


def join_module(head: bytes, declarations: Iterable[bytes]) -> bytes:
    """The text of a module; ``use`` lines stand together, all else apart."""
    parts = [head.rstrip() or MARKER.rstrip()]
    is_after_use = False
    for text in declarations:
        is_use = text.startswith(b"use ")
        parts.append(b"\n" if is_use and is_after_use else b"\n\n")
        parts.append(text)
        is_after_use = is_use
    return b"".join(parts) + b"\n"


def _list_sources(entry: Entry) -> tuple[str, ...]:
    cited = (read_citation(comment) for comment in entry.comments)
    return tuple(path for path in cited if path is not None)
