"""Text that is written in base64, in hex, as numbers of bytes, or in UTF-16.

Each run of such characters is decoded; what gives a readable text is searched like any other.
"""

import binascii
import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.model.secrets.character_runs import (
    DIGITS,
    HEX_DIGITS,
    LETTERS,
    find_runs,
    has_run,
    make_kind,
)
from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.readings import Piece, Reading, Span, make_reading

# Eighteen bytes: shorter than any token whose shape is known.
_BASE64 = make_kind(LETTERS + DIGITS + b"+/_-")
_SHORTEST_BASE64 = 24
_HEX = make_kind(HEX_DIGITS)
_SHORTEST_HEX = 36
# "2d 2d 2d", "2d:2d:2d", "0x2d, 0x2d", over lines too; and the same in decimal numbers
_HEX_LIST = rb"[0-9A-Fa-f](?:[xX][0-9A-Fa-f]{2}|[0-9A-Fa-f])[ ,:;\t\r\n]{1,8}"
_HEX_LIST += rb"(?:(?:0[xX])?[0-9A-Fa-f]{2}[ ,:;\t\r\n]{1,8}){17,}+"
_DECIMAL_LIST = rb"[0-9][0-9]{0,2}[ \t]{0,2},[ \t\r\n]{0,8}"
_DECIMAL_LIST += rb"(?:[0-9]{1,3}[ \t]{0,2},[ \t\r\n]{0,8}){17,}+"
# What both lists are made of, less what separates: eighteen times two characters at least. Few
# texts have so many together.
_IN_HEX_LIST = make_kind(HEX_DIGITS + b"xX")
_BETWEEN_HEX = b" ,:;\t\r\n"
_IN_DECIMAL_LIST = make_kind(DIGITS + b",")
_BETWEEN_DECIMAL = b" \t\r\n"
_SHORTEST_LIST = 36
# A long run is cut into parts that share as much as the longest secret may need.
_LARGEST_RUN = 256 * 1024
_SHARED = 32 * 1024
# Text in ASCII or UTF-8, or in UTF-16; terminal escapes may be in it.
_SIGN = rb"(?:[\t\n\r\x1b -~]|[\xc2-\xf4][\x80-\xbf]{1,3})"
# Python 3.11.2 goes too far where a possessive quantifier ends in the middle of a group.
_READABLE = _SIGN + rb"{12,}|(?:[\t\n\r -~]\x00){8,}[\t\n\r -~]?|(?:\x00[\t\n\r -~]){8,}"
# What can be in a readable part, by kind: a sign alone, the beginning of one, what goes on with it.
_ALONE = b"\t\n\r\x1b" + bytes(range(0x20, 0x7F))
_KINDS = bytes(
    b"a"[0] if byte in _ALONE
    else b"b"[0] if 0xC2 <= byte <= 0xF4
    else b"c"[0] if 0x80 <= byte <= 0xBF
    else 0
    for byte in range(256)
)  # fmt: skip
_IN_SIGNS = make_kind(b"a")
_SHORTEST_READABLE = 12
_SHORTEST_UTF16 = 8
# Big ends look like little ones from the second byte on; then the last has no zero behind it.
_UTF16 = rb"(?:[\t\n\r -~]\x00){8,}+[\t\n\r -~]?|(?:\x00[\t\n\r -~]){8,}"
_FROM_URL = bytes.maketrans(b"-_", b"+/")


def decode_runs(source: Reading) -> Reading:
    """What the encoded runs of a text say, each on a line of its own."""
    runs = [run for decode in _DECODERS for run in decode(source.data)]
    runs.sort(key=lambda run: run[0].start)
    pieces: list[Piece] = []
    for run in runs:
        pieces += run
        pieces.append(Piece(run[-1].end - 1, run[-1].end, b"\n"))
    return make_reading(source, pieces)


Runs = Iterator[list[Piece]]


def _decode_base64(data: bytes) -> Runs:
    runs = list(_cut_runs(find_runs(data, _BASE64, _SHORTEST_BASE64)))
    texts = [data[start:end].translate(_FROM_URL) for start, end in runs]
    # Other characters of the alphabet may stand before it, as those of a path do.
    for shift in range(4):
        parts = [text[shift : shift + (len(text) - shift) // 4 * 4] for text in texts]
        for number, first, read in _read_parts(parts, _BASE64_CODE):
            start, end = runs[number]
            pieces = [_scale_piece(start + shift, first, read, _BASE64_CODE)]
            whole = shift + len(parts[number])
            if pieces[0].end == start + whole and end - pieces[0].end > 1:
                # the last bytes, whose padding may be left out
                rest = binascii.a2b_base64(texts[number][whole:].ljust(4, b"="))
                pieces.append(Piece(start + whole, end, rest))
            yield pieces


def _decode_hex(data: bytes) -> Runs:
    runs = list(_cut_runs(find_runs(data, _HEX, _SHORTEST_HEX)))
    for shift in range(2):
        parts = [data[start + shift : end - (end - start - shift) % 2] for start, end in runs]
        for number, first, read in _read_parts(parts, _HEX_CODE):
            yield [_scale_piece(runs[number][0] + shift, first, read, _HEX_CODE)]


class _Code(NamedTuple):
    """So many bytes are written in so many characters; ``apart`` gives as many unreadable ones."""

    decode: Callable[[bytes], bytes]
    characters: int
    size: int
    apart: bytes


_BASE64_CODE = _Code(binascii.a2b_base64, 4, 3, b"////")
_HEX_CODE = _Code(binascii.unhexlify, 2, 1, b"ff")


def _read_parts(parts: Sequence[bytes], code: _Code) -> Iterator[tuple[int, int, bytes]]:
    """What is readable: the number of its part, where in what the part says, and the bytes.

    All parts are decoded at once: a text has hundreds, and few of them say something.
    """
    text = code.decode(code.apart.join(parts))
    readable = list(_list_readable(text, code.size))
    if readable:
        sizes = (len(code.apart + part) // code.characters * code.size for part in parts)
        begins = list(itertools.accumulate(sizes, initial=0))
        for first, last in readable:
            number = bisect.bisect_right(begins, first) - 1
            yield number, first - begins[number], text[first:last]


def _list_readable(text: bytes, multiple: int) -> Iterator[Span]:
    """The readable parts, in whole groups of so many bytes."""
    at = 0
    for start, end in _find_readable(text):
        first = max(at, start // multiple * multiple)
        at = min(len(text), -(-end // multiple) * multiple)
        yield first, at


def _find_readable(text: bytes) -> Iterator[Span]:
    """As a search for ``_READABLE`` finds them, which takes several times as long."""
    zeros = b"\0" * _SHORTEST_UTF16
    if zeros in text[::2] or zeros in text[1::2]:
        yield from (found.span() for found in compile_pattern(_READABLE).finditer(text))
        return
    kinds = text.translate(_KINDS)
    for sign in (b"bccc", b"bcc", b"bc"):
        kinds = kinds.replace(sign, b"a" * len(sign))
    for start, end in find_runs(kinds, _IN_SIGNS, _SHORTEST_READABLE):
        # Twelve bytes may be fewer signs.
        if text[start:end].isascii() or compile_pattern(_READABLE).match(text, start, end):
            yield start, end


def _scale_piece(start: int, first: int, read: bytes, code: _Code) -> Piece:
    """A part of a text that is written from there on, and what it says."""
    place = start + first // code.size * code.characters
    return Piece(place, place + len(read) * code.characters // code.size, read)


def _decode_numbers(data: bytes) -> Runs:
    if has_run(data, _IN_HEX_LIST, _SHORTEST_LIST, _BETWEEN_HEX):
        for start, end in _cut_matches(_HEX_LIST, data):
            numbers = compile_pattern(rb"[0-9A-Fa-f]{2}(?=[ ,:;\t\r\n])").findall(data, start, end)
            yield from _keep_readable(start, end, [int(number, 16) for number in numbers])
    if has_run(data, _IN_DECIMAL_LIST, _SHORTEST_LIST, _BETWEEN_DECIMAL):
        for start, end in _cut_matches(_DECIMAL_LIST, data):
            numbers = compile_pattern(rb"[0-9]{1,3}").findall(data, start, end)
            yield from _keep_readable(start, end, [int(number) for number in numbers])


def _keep_readable(start: int, end: int, numbers: list[int]) -> Runs:
    if max(numbers, default=256) < 256:
        text = bytes(numbers)
        if compile_pattern(_READABLE).search(text):
            yield [Piece(start, end, text)]


def _decode_utf16(data: bytes) -> Runs:
    if b"\0" not in data:
        return
    for start, end in _cut_matches(_UTF16, data):
        yield [Piece(start, end, data[start:end].replace(b"\0", b""))]


_DECODERS = (_decode_base64, _decode_hex, _decode_numbers, _decode_utf16)


def _cut_matches(pattern: bytes, data: bytes) -> Iterator[Span]:
    return _cut_runs(found.span() for found in compile_pattern(pattern).finditer(data))


def _cut_runs(runs: Iterable[Span]) -> Iterator[Span]:
    for start, end in runs:
        while end - start > _LARGEST_RUN:
            yield start, start + _LARGEST_RUN
            start += _LARGEST_RUN - _SHARED
        yield start, end
