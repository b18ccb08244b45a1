"""Text put together again: a token broken over lines, or over adjacent string literals."""

from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.readings import (
    Piece,
    Reading,
    Span,
    make_reading,
    replace_matches,
)

# What is around a value that is continued on the next line: marks of a diff or a comment,
# indentation, quotes, the continuation sign.
_LEADING = rb"[+\-> \t#*\"'|]*+"
# A value may itself begin its line with one of these: then less is taken for surroundings.
_LEADING_LESS = (rb"[ \t\"']*+", rb"[+\-][ \t\"']*+")
_MARKED = rb"\n[ \t+\-\"']{0,80}[+\-][A-Za-z0-9_]"
_TRAILING = b" \t\r\n\"'\\+,;"
# A line that reads like the rest of a token, and nothing else; of several kinds of characters.
_REST = rb"([A-Za-z0-9+/_.-]{3,}+={0,2}+)[ \t\r\"'\\+,;]*+(?=\n|\Z)"
_MIXED = rb"[^0-9]*[0-9]|[^a-z]*[a-z][^A-Z]*[A-Z]|[^A-Z]*[A-Z][^a-z]*[a-z]"
_OPEN = rb"[A-Za-z0-9+/_.-]{4}"
# Between two literals: nothing, or the sign that joins texts, and perhaps a line break that a
# diff or an indentation follows. Commas separate: what they do is no joining.
_BREAK = rb"[ \t]{0,200}+(?:\\?\r?\n[+\-> \t#*]{0,200}+){0,2}+"
_BETWEEN_LITERALS = (
    # The quote comes first, and what is before it after, so that the search begins at quotes.
    rb"(?:\\\"|\\'|\\`|\"|'|`)(?:(?<=[A-Za-z0-9_.+/-].)|(?<=[A-Za-z0-9_.+/-]\\.))"
    + _BREAK
    + rb"(?:\+\+|\.\.|<>|\|\||[+.&~])?"
    + _BREAK
    + rb"[bBrRuUfFL@$]{0,2}\\?[\"'`](?=[A-Za-z0-9_.+/=-])"
)
# What every such place has in it. To compile this takes a tenth of the time.
_CLOSE_QUOTES = rb"[\"'`][ \t\r\n\\+\-><#*.|&~bBrRuUfFL@$]*+[\"'`]"


def join_literals(source: Reading) -> Reading:
    """Lines with adjacent string literals as one; the source itself where there are none."""
    if compile_pattern(_CLOSE_QUOTES).search(source.data) is None:
        return source
    matches = compile_pattern(_BETWEEN_LITERALS).finditer(source.data)
    return replace_matches(source, matches, lambda _: b"")


def join_lines(source: Reading) -> Iterator[Reading]:
    """Groups of lines of which each but the first reads like the rest of a token, each joined.

    One reading for each way to tell what surrounds the lines' content.
    """
    data = source.data
    if b"\n" not in data:
        return
    for leading in (_LEADING, *(_LEADING_LESS if compile_pattern(_MARKED).search(data) else ())):
        pieces: list[Piece] = []
        for group in _list_groups(data, leading):
            pieces += (Piece(start, end, data[start:end]) for start, end in group)
            pieces.append(Piece(group[-1][1] - 1, group[-1][1], b"\n"))
        if pieces:
            yield make_reading(source, pieces)


def _list_groups(data: bytes, leading: bytes) -> Iterator[list[Span]]:
    group: list[Span] = []
    for found in compile_pattern(rb"\n" + leading + _REST).finditer(data):
        if not compile_pattern(_MIXED).match(found[1]):
            continue
        if not group or found.start() != _find_line_end(data, group[-1][1]):
            if len(group) > 1:
                yield group
            group = [_find_core(data, leading, found.start())]
        last = data[max(group[-1][0], group[-1][1] - 4) : group[-1][1]]
        if compile_pattern(_OPEN).fullmatch(last):
            group.append(found.span(1))
            continue
        if len(group) > 1:
            yield group
        group = [found.span(1)]
    if len(group) > 1:
        yield group


def _find_line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end


def _find_core(data: bytes, leading: bytes, end: int) -> Span:
    """The line that ends there, without what surrounds its content."""
    start = data.rfind(b"\n", 0, end) + 1
    before = compile_pattern(leading).match(data, start, end)
    start = before.end() if before else start
    return start, max(start, start + len(data[start:end].rstrip(_TRAILING)))
