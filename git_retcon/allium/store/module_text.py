"""The text of one module as its head and its declarations, cut so that joining them gives it back.

A declaration cites where it was read: a comment ``-- Source: path, symbol`` right above it. Lines
are left out of it, so that a change elsewhere in the file changes no specification.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.allium.language import Document, Entry, list_entries, parse
from git_retcon.show.style import show_path

_CITED = "Source: "
MARKER = b"-- allium: 3\n"


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
    def key(self) -> tuple[str, str, int]:
        return self.kind, self.name, self.ordinal


class ModuleText(NamedTuple):
    """The version marker and the comments at the top, then the declarations."""

    head: bytes
    declarations: Sequence[DeclarationText]

    @property
    def is_empty(self) -> bool:
        """Whether it declares nothing; what it uses is no declaration."""
        return all(declaration.kind == "use" for declaration in self.declarations)


def cite(path: bytes, symbol: str) -> str:
    """The comment line that says where a declaration was read."""
    return f"-- {_CITED}{show_path(path)}, {symbol}"


def read_citation(comment: str) -> str | None:
    """The path that a comment cites, or None."""
    # From the right: a path may hold a comma, a symbol does not.
    path, found, _ = comment.removeprefix(_CITED).rpartition(", ")
    return path if found and comment.startswith(_CITED) else None


def cut_module(content: bytes) -> ModuleText:
    """Cut a module up. What does not parse is one declaration of the kind ``unreadable``."""
    return cut_document(parse(content))


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
    return ModuleText(data[: entries[0].lead].rstrip(), declarations)


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
