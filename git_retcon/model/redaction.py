"""Masking secrets, so that only their last two characters show.

A masked secret reads ``[masked secret ..Q9]``. A secret written over several lines is masked line
by line, so that line numbers and the marks of a diff stay true. Masking twice changes nothing.
"""

import functools
from collections import Counter
from collections.abc import Iterable

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.secrets.readings import Span
from git_retcon.model.secrets.secret_search import find_secrets

_MASK = LazyPattern(rb"\[masked secret(?: \.\.[!-~]{2})?\]")
_INDENT = b"+- \t>"


def contains_mask(text: str | bytes) -> bool:
    """Whether a masked secret is in the text."""
    return _MASK.search(_encode_text(text) if isinstance(text, str) else text) is not None


@dataclass(frozen=True)
class Redactor:
    """Masks known values (as bytes; see ``known_secrets``) and known shapes."""

    known: frozenset[bytes] = frozenset()

    def redact_bytes(self, data: bytes) -> bytes:
        """The same bytes with every secret masked."""
        pieces, position = [], 0
        for start, end in self.find_spans(data):
            pieces += [data[position:start], _make_mask(data[start:end])]
            position = end
        return b"".join([*pieces, data[position:]])

    def redact_text(self, text: str) -> str:
        """The same text with every secret masked."""
        return _redact_long(self, text) if len(text) > _LONG else _redact_short(self, text)

    def find_spans(self, data: bytes) -> list[Span]:
        """Where secrets are, in order, none overlapping, each within one line."""
        spans = _merge_spans(find_secrets(data, self.known))
        return [piece for span in spans for piece in _split_at_lines(data, span)]

    def find_fault(self, original: bytes, returned: bytes) -> str | None:
        """Why what a model made of a file cannot be taken, or None.

        A model saw the file masked. What it returns must not hold a mask that the file does not,
        and must hold every secret of the file as often as the file does.
        """
        if len(_MASK.findall(returned)) > len(_MASK.findall(original)):
            return "it contains a masked secret"
        missing = self._count_secrets(original) - self._count_secrets(returned)
        # One may only have lost the name that gave it away: then its bytes are still there.
        if any(returned.count(secret) < original.count(secret) for secret in missing):
            return "it drops a secret that is in the file"
        return None

    def _count_secrets(self, data: bytes) -> Counter[bytes]:
        return Counter(data[start:end] for start, end in self.find_spans(data))


# A conversation is sent again with every turn, and schemas with every request; each of their texts
# is looked through once. The long ones are counted apart, so that they cannot fill the memory.
_LONG = 1024


@functools.lru_cache(maxsize=256)
def _redact_long(redactor: Redactor, text: str) -> str:
    return _redact_once(redactor, text)


@functools.lru_cache(maxsize=4096)
def _redact_short(redactor: Redactor, text: str) -> str:
    return _redact_once(redactor, text)


def _redact_once(redactor: Redactor, text: str) -> str:
    data = _encode_text(text)
    masked = redactor.redact_bytes(data)
    return text if masked == data else _decode_text(masked)


def _merge_spans(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _split_at_lines(data: bytes, span: Span) -> list[Span]:
    start, end = span
    pieces: list[Span] = []
    while start < end:
        line_end = data.find(b"\n", start, end)
        stop = end if line_end < 0 else line_end
        core = start
        if pieces:  # Keep a diff's mark and the indentation of further lines.
            core = stop - len(data[start:stop].lstrip(_INDENT))
        if core < stop:
            pieces.append((core, stop))
        start = stop + 1
    return pieces


def _make_mask(secret: bytes) -> bytes:
    last = secret.rstrip(b"\r")[-2:]
    shown = bytes(byte if 0x21 <= byte <= 0x7E else 0x3F for byte in last).rjust(2, b"?")
    return b"[masked secret ..%s]" % shown


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
