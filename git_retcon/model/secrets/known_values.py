"""Values that are known to be secret, wherever a text holds them, also over lines."""

import functools
import re
from collections.abc import Iterable, Iterator

from git_retcon.model.secrets.readings import Piece, Reading, Span, make_reading

# A known value is looked for with all of these left out, of it and of the text.
_SEAM = b"+-> \t#*\"'|\\,;\r\n"
# What is left of a value must still be too long for chance.
_SHORTEST = 6


def find_known(data: bytes, known: Iterable[bytes]) -> Iterator[Span]:
    """Where the values are, as they are."""
    for value in known:
        yield from _find_each(value, data)


def find_known_over_seams(source: Reading, known: Iterable[bytes]) -> Iterator[Span]:
    """Where a value is broken by line breaks, indentation, quotes or signs that join texts."""
    data = source.data
    bare = data.translate(None, _SEAM)
    cores = ((value, value.translate(None, _SEAM)) for value in known)
    broken = [(v, core) for v, core in cores if len(core) >= _SHORTEST and core in bare]
    if not broken:
        return
    spans = (found.span() for found in _compile_between().finditer(data))
    kept = make_reading(source, (Piece(start, end, data[start:end]) for start, end in spans))
    for value, core in broken:
        head, tail = value[: -len(value.lstrip(_SEAM))], value[len(value.rstrip(_SEAM)) :]
        for found in _find_each(core, kept.data):
            start, end = kept.find_in_source(found)
            before = len(head) if data.endswith(head, 0, start) else 0
            yield start - before, end + (len(tail) if data.startswith(tail, end) else 0)


def _find_each(value: bytes, data: bytes) -> Iterator[Span]:
    start = data.find(value)
    while start >= 0:
        yield start, start + len(value)
        start = data.find(value, start + len(value))


@functools.cache
def _compile_between() -> re.Pattern[bytes]:
    return re.compile(b"[^" + re.escape(_SEAM) + b"]+")
