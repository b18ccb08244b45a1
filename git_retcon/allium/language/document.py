"""One file, read: its tree, its comments, its declarations with their places, what is wrong."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.allium.language.declarations import (
    Braced,
    Declaration,
    Default,
    Deferred,
    Invariant,
    Module,
    OpenQuestion,
    Use,
    Variant,
)
from git_retcon.allium.language.expressions import Name, Qualified
from git_retcon.allium.language.findings import Diagnostic, Finding
from git_retcon.allium.language.parser.cursor import Comment, Cursor
from git_retcon.allium.language.parser.declaration import parse_module
from git_retcon.allium.language.source import Source
from git_retcon.allium.language.tokens import decode_text, read_tokens


class Entry(NamedTuple):
    """One top-level declaration as a merge sees it.

    ``kind`` and ``name`` identify it in its file, together with its ordinal among equals: the
    language does not forbid two of one name. Its bytes are ``data[lead:end]``: the comment lines
    directly above it, the declaration, and a comment behind it on its last line.
    """

    kind: str
    name: str
    lead: int
    start: int
    end: int
    comments: tuple[str, ...]
    declaration: Declaration


class Document:
    """What ``parse`` makes of a file. ``path`` is relative to the root that all files share."""

    __slots__ = ("comments", "diagnostics", "module", "path", "source")

    def __init__(
        self,
        path: bytes,
        source: Source,
        module: Module,
        comments: Sequence[Comment],
        diagnostics: Sequence[Diagnostic],
    ) -> None:
        self.path = path
        self.source = source
        self.module = module
        self.comments = comments
        self.diagnostics = diagnostics


def parse(data: bytes, path: bytes = b"") -> Document:
    """Read any bytes. What is wrong with them is in the document's ``diagnostics``."""
    cursor = Cursor(read_tokens(data), len(data))
    module = parse_module(cursor, data)
    source = Source(data)
    return Document(
        path, source, module, cursor.comments, place_findings(path, source, cursor.findings)
    )


def place_findings(path: bytes, source: Source, findings: Iterable[Finding]) -> list[Diagnostic]:
    """Findings with lines and columns, in reading order."""
    return [
        Diagnostic(path, *source.position(found.offset), found.severity, found.message, found.code)
        for found in sorted(findings, key=lambda found: found.offset)
    ]


def list_entries(document: Document) -> list[Entry]:
    """The top-level declarations in order. Between them are only comments, blanks and lines."""
    entries: list[Entry] = []
    comments = document.comments
    index = 0
    for declaration in document.module.declarations:
        after = index
        while after < len(comments) and comments[after].start < declaration.start:
            after += 1
        lead = _count_attached(document, comments[index:after], declaration.start)
        attached = comments[after - lead : after]
        end = declaration.end
        while after < len(comments) and comments[after].start < end:
            after += 1
        # A comment behind the last line belongs to the declaration, else a merge would move it
        # away.
        if after < len(comments) and _is_behind(document, comments[after], end):
            end = comments[after].start + len(comments[after].text.rstrip())
            after += 1
        index = after
        kind, name = identify_declaration(declaration)
        start = attached[0].start if attached else declaration.start
        texts = tuple(decode_text(comment.text[2:]).strip() for comment in attached)
        entries.append(Entry(kind, name, start, declaration.start, end, texts, declaration))
    return entries


def _count_attached(document: Document, comments: Sequence[Comment], start: int) -> int:
    """How many of the comments before a declaration are the lines directly above it.

    The version marker belongs to the file.
    """
    count = 0
    line = document.source.line_at(start) - 1
    for comment in reversed(comments):
        is_marker = comment.line == 0 and document.module.version is not None
        # A blank line in between makes it a comment of the section, not of the declaration.
        if comment.line != line - 1 - count or is_marker:
            break
        count += 1
    return count


def _is_behind(document: Document, comment: Comment, end: int) -> bool:
    between = document.source.data[end : comment.start]
    return b"\n" not in between and not between.strip()


def identify_declaration(declaration: Declaration) -> tuple[str, str]:
    """Kind and name: what makes it the same declaration in two versions of a file."""
    match declaration:
        case Braced(kind=kind, name=name):
            return kind, name.text if name else ""
        case Variant(name=name):
            return "variant", name.text
        case Invariant(name=name):
            return "invariant", name.text
        case Default(type=type_name, name=name):
            return "default", f"{spell_path(type_name)} {name.text}" if type_name else name.text
        case Use(path=path):
            return "use", path.value
        case Deferred(path=path_expression):
            return "deferred", spell_path(path_expression)
        case OpenQuestion(text=text):
            return "open question", text.value
    return "unreadable", ""


def spell_path(expression: object) -> str:
    """A name, qualified name or dotted path as it is written; "" for anything else."""
    parts: list[str] = []
    while not isinstance(expression, Name | Qualified):
        target, field = getattr(expression, "target", None), getattr(expression, "field", None)
        if target is None or not isinstance(field, Name):
            return ""
        parts.append(f".{field.text}")
        expression = target
    if isinstance(expression, Qualified):
        parts.append(f"{expression.alias.text}/{expression.name.text}")
    else:
        parts.append(expression.text)
    return "".join(reversed(parts))
