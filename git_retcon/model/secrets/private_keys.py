"""Private keys as RFC 7468 frames them, whole or cut off."""

import bisect
from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.readings import Span

# Of any algorithm and format, OpenPGP's blocks too; never of a public key or a certificate.
_KEY = rb"[A-Z0-9 _-]{0,60}PRIVATE KEY(?: BLOCK)?-----"
_BEGIN = rb"-----BEGIN " + _KEY
_END = rb"-----END " + _KEY
_BODY = (
    rb"(?:(?:\r?\n|\\[nr])[+\- \t>#*]{0,80}"
    rb"(?:[A-Za-z0-9-]{1,40}: [^\r\n]{0,200}"
    rb"|[A-Za-z0-9+/]+={0,2}(?=[ \t\"',\\]{0,8}(?:[\r\n]|\\[nr]|\Z)))?"
    rb"[ \t\"',]{0,8})*"
)

_TAIL_LINE = rb"[+\- \t>#*]{0,80}[A-Za-z0-9+/]{1,80}={0,2}[ \t\r]{0,8}"
_LONGEST_TAIL = 400  # lines


def find_private_keys(data: bytes) -> Iterator[Span]:
    """Where private keys are, with their frames."""
    if b"-----BEGIN " not in data and b"-----END " not in data:
        return
    ends = list(compile_pattern(_END).finditer(data))
    places = [found.end() for found in ends]
    begins = list(compile_pattern(_BEGIN).finditer(data))
    whole: set[int] = set()
    for index, found in enumerate(begins):
        limit = begins[index + 1].start() if index + 1 < len(begins) else len(data)
        place = bisect.bisect_left(places, found.end())
        if place < len(ends) and places[place] <= limit:
            whole.add(place)
            yield found.start(), places[place]
        else:  # The end is cut off: what looks like its body goes.
            body = compile_pattern(_BODY).match(data, found.end(), limit)
            yield found.start(), body.end() if body else found.end()
    for place, found in enumerate(ends):
        start = _find_tail_start(data, found.start())
        # A line that names the end alone is a program's that reads keys.
        if place not in whole and b"\n" in data[start : found.start()]:
            yield start, found.end()


def _find_tail_start(data: bytes, end: int) -> int:
    """Where the rest of a key begins whose beginning is cut off."""
    line = compile_pattern(_TAIL_LINE)
    start = data.rfind(b"\n", 0, end) + 1
    for _ in range(_LONGEST_TAIL):
        above = data.rfind(b"\n", 0, max(0, start - 1)) + 1
        if start == 0 or not line.fullmatch(data, above, start - 1):
            break
        start = above
    return start
