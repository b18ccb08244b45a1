"""A text as it is read when something is left out, joined or decoded.

What looks for secrets looks in readings; a reading knows where each of its bytes comes from, so
that what is found in it can be masked in the text that was written.
"""

import bisect
import re
from collections.abc import Callable, Iterable, Iterator

from git_retcon.lazy_named_tuple import NamedTuple

Span = tuple[int, int]


class Piece(NamedTuple):
    """Bytes of a reading, and the bytes of its source that they come from.

    Where the lengths differ, each byte is an equal share, as it does in base64 and hex.
    """

    start: int
    end: int
    data: bytes


class Reading:
    """Bytes made of pieces of a source, which may be a reading itself."""

    __slots__ = ("_list_pieces", "_offsets", "_pieces", "data", "source")

    def __init__(
        self,
        data: bytes,
        source: "Reading | None" = None,
        list_pieces: Callable[[], Iterable[Piece]] = tuple,
    ) -> None:
        self.data = data
        self.source = source
        # Made when something is found, which is seldom: a reading may have thousands.
        self._list_pieces = list_pieces
        self._pieces: list[Piece] = []
        self._offsets: list[int] = []

    def find_in_text(self, span: Span) -> Span:
        """The part of the text as written that a part of this reading comes from."""
        if self.source is None:
            return span
        return self.source.find_in_text(self.find_in_source(span))

    def find_in_source(self, span: Span) -> Span:
        """The part of the source that a part of this reading comes from, and no less."""
        if not self._pieces:
            self._place_pieces()
        first, last = (bisect.bisect_right(self._offsets, at) - 1 for at in (span[0], span[1] - 1))
        before, after = self._pieces[first], self._pieces[last]
        begin = span[0] - self._offsets[first]
        rest = self._offsets[last] + len(after.data) - span[1]
        start = before.start + begin * (before.end - before.start) // len(before.data)
        end = after.end - rest * (after.end - after.start) // len(after.data)
        return start, end

    def _place_pieces(self) -> None:
        self._pieces = list(self._list_pieces())
        at = 0
        for piece in self._pieces:
            self._offsets.append(at)
            at += len(piece.data)


def make_reading(source: Reading, pieces: Iterable[Piece]) -> Reading:
    """The pieces, in the order given; those without bytes come from nothing."""
    kept = [piece for piece in pieces if piece.data]
    return Reading(b"".join([piece.data for piece in kept]), source, lambda: kept)


# Around what is replaced, this much of a text is read again: room for a key and its frame.
_BEFORE = 1024
_AFTER = 8 * 1024


def replace_matches(
    source: Reading,
    matches: Iterable[re.Match[bytes]],
    replace: Callable[[re.Match[bytes]], bytes],
) -> Reading:
    """The lines around the matches, with each match replaced; the source where there is none.

    Where nothing is replaced for long, the text reads as before and is left out.
    """
    data = source.data
    pieces: list[Piece] = []
    at = far = 0
    for found in matches:
        start, end = found.span()
        if start > far:
            if pieces:
                pieces.append(_end_region(data, at, far))
            at = max(at, data.rfind(b"\n", 0, max(0, start - _BEFORE)) + 1, start - 2 * _BEFORE)
        pieces.append(Piece(at, start, data[at:start]))
        pieces.append(Piece(start, end, replace(found)))
        at = end
        far = end + _AFTER
    if not pieces:
        return source
    pieces.append(_end_region(data, at, far))
    return make_reading(source, pieces)


def _end_region(data: bytes, start: int, far: int) -> Piece:
    """What follows the last match of a region, to the end of a line."""
    stop = data.find(b"\n", far - 1, far + _AFTER) + 1 or min(len(data), far)
    return Piece(start, max(start, stop), data[start:stop])


def select_spans(source: Reading, spans: Iterable[Span]) -> Reading:
    """Parts of a reading, each on a line of its own."""
    data, chosen = source.data, list(spans)

    def list_pieces() -> Iterator[Piece]:
        for start, end in chosen:
            yield Piece(start, end, data[start:end])
            # The line break is the last byte: no search that ends there takes more.
            yield Piece(end - 1, end, b"\n")

    text = b"\n".join([*[data[start:end] for start, end in chosen], b""])
    return Reading(text, source, list_pieces)
