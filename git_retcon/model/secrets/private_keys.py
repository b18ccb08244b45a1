"""Private keys as RFC 7468 frames them, whole or cut off."""

import bisect
import functools
import re
from collections.abc import Iterator

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


def find_private_keys(data: bytes) -> Iterator[Span]:
    """Where private keys are, with their frames."""
    if b"-----BEGIN " not in data:
        return
    ends = [found.end() for found in _compile(_END).finditer(data)]
    begins = list(_compile(_BEGIN).finditer(data))
    for index, found in enumerate(begins):
        limit = begins[index + 1].start() if index + 1 < len(begins) else len(data)
        place = bisect.bisect_left(ends, found.end())
        if place < len(ends) and ends[place] <= limit:
            yield found.start(), ends[place]
        else:  # The end is cut off: what looks like its body goes.
            body = _compile(_BODY).match(data, found.end(), limit)
            yield found.start(), body.end() if body else found.end()


@functools.cache
def _compile(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern)
