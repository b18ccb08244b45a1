"""Masking secrets, so that only their last two characters show.

A masked secret reads ``[masked secret ..Q9]``. A secret written over several lines is masked line
by line, so that line numbers and the marks of a diff stay true. Masking twice changes nothing.
"""

import bisect
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.secret_shapes import Span, shapes_in, tokens_in

_MASK = re.compile(rb"\[masked secret(?: \.\.[!-~]{2})?\]")
_LINE = re.compile(rb"[^\n]*\n?")
# What is around a value that is continued on the next line: marks of a diff or a comment,
# indentation, quotes, the continuation sign.
_LEADING = re.compile(rb"[+\-> \t#*\"'|]*")
# A value may itself begin its line with one of these: then less is taken for surroundings.
_LEADING_LESS = (re.compile(rb"[ \t\"']*"), re.compile(rb"[+\-][ \t\"']*"))
_MARKED = re.compile(rb"\n[ \t+\-\"']{0,80}[+\-][A-Za-z0-9_]")
# A known value is looked for with all of these left out, of it and of the text.
_SEAM = b"+-> \t#*\"'|\\,;\r\n"
_BETWEEN_SEAMS = re.compile(rb"[^+\-> \t#*\"'|\\,;\r\n]+")
# What is left of a value must still be too long for chance.
_SHORTEST = 6
_INDENT = re.compile(rb"[+\- \t>]*")
_TRAILING = b" \t\r\n\"'\\+,;"
_CONTINUED = re.compile(
    rb"(?=[^0-9]*[0-9]|[^a-z]*[a-z][^A-Z]*[A-Z]|[^A-Z]*[A-Z][^a-z]*[a-z])"
    rb"[A-Za-z0-9+/_.-]{3,}={0,2}$"
)
_OPEN = re.compile(rb"[A-Za-z0-9+/_.-]{4}$")


def contains_mask(text: str | bytes) -> bool:
    """Whether a masked secret is in the text."""
    return _MASK.search(_encoded(text) if isinstance(text, str) else text) is not None


@dataclass(frozen=True)
class Redactor:
    """Masks known values (as bytes; see ``known_secrets``) and known shapes."""

    known: frozenset[bytes] = frozenset()

    def data(self, data: bytes) -> bytes:
        """The same bytes with every secret masked."""
        pieces, position = [], 0
        for start, end in self.secrets(data):
            pieces += [data[position:start], _masked(data[start:end])]
            position = end
        return b"".join([*pieces, data[position:]])

    def text(self, text: str) -> str:
        """The same text with every secret masked."""
        return (
            _masked_text(self, text) if len(text) > _LONG else _decoded(self.data(_encoded(text)))
        )

    def secrets(self, data: bytes) -> list[Span]:
        """Where secrets are, in order, none overlapping, each within one line."""
        found = [*shapes_in(data), *_known_in(data, self.known)]
        if b"\n" in data:
            found += self._broken_over_lines(data)
        return [piece for span in _merged(found) for piece in _by_line(data, span)]

    def judge(self, original: bytes, returned: bytes) -> str | None:
        """Why what a model made of a file cannot be taken, or None.

        A model saw the file masked. What it returns must not hold a mask that the file does not,
        and must hold every secret of the file as often as the file does.
        """
        if len(_MASK.findall(returned)) > len(_MASK.findall(original)):
            return "it contains a masked secret"
        missing = self._counted(original) - self._counted(returned)
        # One may only have lost the name that told it: then its bytes are still there.
        if any(returned.count(secret) < original.count(secret) for secret in missing):
            return "it drops a secret that is in the file"
        return None

    def _counted(self, data: bytes) -> Counter[bytes]:
        return Counter(data[start:end] for start, end in self.secrets(data))

    def _broken_over_lines(self, data: bytes) -> Iterable[Span]:
        yield from _known_over_lines(data, self.known)
        readings = (_LEADING, *_LEADING_LESS) if _MARKED.search(data) else (_LEADING,)
        for leading in readings:
            lines = _cores(data, leading)
            for group in _continued(data, lines):
                yield from _mapped(data, group, tokens_in)


# A conversation is sent again with every turn; its long texts are looked through once.
_LONG = 1024


@functools.lru_cache(maxsize=256)
def _masked_text(redactor: Redactor, text: str) -> str:
    data = _encoded(text)
    masked = redactor.data(data)
    return text if masked == data else _decoded(masked)


def _each(value: bytes, data: bytes) -> Iterable[Span]:
    start = data.find(value)
    while start >= 0:
        yield start, start + len(value)
        start = data.find(value, start + len(value))


def _known_in(data: bytes, known: Iterable[bytes]) -> Iterable[Span]:
    for value in known:
        yield from _each(value, data)


def _known_over_lines(data: bytes, known: Iterable[bytes]) -> Iterable[Span]:
    bare = data.translate(None, _SEAM)
    kept: list[Span] = []
    for value in known:
        core = value.translate(None, _SEAM)
        if len(core) < _SHORTEST or core not in bare:
            continue
        kept = kept or [piece.span() for piece in _BETWEEN_SEAMS.finditer(data)]
        head, tail = value[: -len(value.lstrip(_SEAM))], value[len(value.rstrip(_SEAM)) :]
        for start, end in _mapped(data, kept, functools.partial(_each, core)):
            before = len(head) if data.endswith(head, 0, start) else 0
            yield start - before, end + (len(tail) if data.startswith(tail, end) else 0)


def _cores(data: bytes, leading: re.Pattern[bytes]) -> list[Span]:
    """Each line without what surrounds its content."""
    cores = []
    for line in _LINE.finditer(data):
        start = _end_of(leading, data, *line.span())
        end = line.start() + len(line[0].rstrip(_TRAILING))
        if start < end:
            cores.append((start, end))
    return cores


def _continued(data: bytes, lines: list[Span]) -> Iterable[list[Span]]:
    """Groups of lines of which each but the first reads like the rest of a token."""
    group: list[Span] = []
    for start, end in lines:
        goes_on = group and _OPEN.search(data, max(group[-1][0], group[-1][1] - 4), group[-1][1])
        if goes_on and _CONTINUED.match(data, start, end):
            group.append((start, end))
            continue
        if len(group) > 1:
            yield group
        group = [(start, end)]
    if len(group) > 1:
        yield group


def _mapped(
    data: bytes, lines: list[Span], search: Callable[[bytes], Iterable[Span]]
) -> Iterable[Span]:
    """Search the lines put together; give what crosses a line break, as spans of the data."""
    lengths = [end - start for start, end in lines]
    offsets = [0, *itertools.accumulate(lengths)]
    joined = b"".join(data[start:end] for start, end in lines)
    for start, end in search(joined):
        first, last = (bisect.bisect_right(offsets, at) - 1 for at in (start, end - 1))
        span = lines[first][0] + start - offsets[first], lines[last][0] + end - offsets[last]
        if b"\n" in data[slice(*span)]:
            yield span


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _by_line(data: bytes, span: Span) -> list[Span]:
    start, end = span
    pieces: list[Span] = []
    while start < end:
        line_end = data.find(b"\n", start, end)
        stop = end if line_end < 0 else line_end
        core = start
        if pieces:  # Keep a diff's mark and the indentation of further lines.
            core = _end_of(_INDENT, data, start, stop)
        if core < stop:
            pieces.append((core, stop))
        start = stop + 1
    return pieces


def _end_of(run: re.Pattern[bytes], data: bytes, start: int, end: int) -> int:
    found = run.match(data, start, end)
    return found.end() if found else start


def _masked(secret: bytes) -> bytes:
    last = secret.rstrip(b"\r")[-2:]
    shown = bytes(byte if 0x21 <= byte <= 0x7E else 0x3F for byte in last).rjust(2, b"?")
    return b"[masked secret ..%s]" % shown


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
