"""Laying a specification out, without changing what it says."""

from collections.abc import Sequence

from git_retcon.allium.language.document import Document, parse
from git_retcon.allium.language.layout.indentation import indent_lines
from git_retcon.allium.language.layout.spacing import Spacer
from git_retcon.allium.language.layout.token_lines import Line, split_lines
from git_retcon.allium.language.parser.cursor import PARSE_ERROR
from git_retcon.allium.language.tokens import make_tokens
from git_retcon.allium.language.traversal import describe_shape

_GAP = 2  # columns between code and the comment behind it


def format_spec(data: bytes) -> bytes:
    """The same specification in the one layout; what cannot be parsed comes back as it is.

    Formatting twice is formatting once. Columns carry meaning, so the result is read again: where
    the layout would say something else, only white space at the ends of lines is removed.
    """
    meaning = read_meaning(data)
    if meaning is None:
        return data
    for candidate in (lay_out(data), _trim_lines(data)):
        if read_meaning(candidate) == meaning:
            return candidate
    return data


def read_meaning(data: bytes) -> tuple[list[object], list[str]] | None:
    """The tree without places, and the comments; None where the text cannot be parsed."""
    document: Document = parse(data)
    if any(diagnostic.code == PARSE_ERROR for diagnostic in document.diagnostics):
        return None
    shape = describe_shape((document.module.version, document.module.declarations))
    return shape, [comment.text.rstrip() for comment in document.comments]


def _trim_lines(data: bytes) -> bytes:
    lines = [line.rstrip(b" \t\r") for line in data.split(b"\n")]
    return b"\n".join(lines).rstrip(b"\n") + b"\n"


def lay_out(data: bytes) -> bytes:
    """The layout, whether or not it keeps the meaning."""
    lines = split_lines(make_tokens(data))
    spacer = Spacer()
    indents = indent_lines(lines)
    texts = [
        " " * indent + spacer.join(line) if line.tokens else " " * indent + line.comment
        for line, indent in zip(lines, indents, strict=True)
    ]
    widths = _align_comments(lines, texts)
    laid: list[str] = []
    for index, (line, text) in enumerate(zip(lines, texts, strict=True)):
        if index and _is_blank_before(lines[index - 1], line, indents[index - 1]):
            laid.append("")
        behind = f"{text.ljust(widths[index])}{line.comment}" if line.tokens else text
        laid.append(behind if line.comment else text)
    return ("\n".join(laid) + "\n" if laid else "").encode("latin-1")


def _align_comments(lines: Sequence[Line], texts: Sequence[str]) -> list[int]:
    """The column of the comment behind each line: neighbours with comments share one."""
    widths = [0] * len(lines)
    group: list[int] = []
    for index in range(len(lines) + 1):
        line = lines[index] if index < len(lines) else None
        if line is not None and line.tokens and line.comment and not (group and line.blank):
            group.append(index)
            continue
        column = max((len(texts[member]) for member in group), default=0) + _GAP
        for member in group:
            widths[member] = column
        group = [index] if line is not None and line.tokens and line.comment else []
    return widths


def _is_blank_before(above: Line, line: Line, indent: int) -> bool:
    """At most one empty line; none next to brackets, and one after each block at the top."""
    if above.closes and indent == 0 and not line.closes:
        return True
    return line.blank and not above.opens and not line.closes
