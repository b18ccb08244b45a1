"""Which source files have a word in them.

A history asks that often, and little differs from one tree to the next. So the words of each blob
are kept as a Bloom filter (B. H. Bloom, "Space/time trade-offs in hash coding with allowable
errors", 1970): it says of most files that they have not the word, and the others are read.
"""

import functools
import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from git_retcon.git.trees import Entry, find_object

if TYPE_CHECKING:
    import pygit2

_BITS = 1 << 13  # a filter is 1 KiB: a file of 1,000 words is read in vain one time in twenty
_PLACES = _BITS - 1
_EVERY_WORD = -1  # all bits
_FEW = 8
_MOST_KEPT = 1 << 15  # filters, beside those of the tree that is searched
_ONE = ord("1")
# What is in no word as a space.
_LETTERS = bytes(
    each if chr(each).isascii() and (chr(each).isalnum() or each == ord("_")) else ord(" ")
    for each in range(256)
)


class SourceWords:
    """Finds files by the words that they have. A word is as in bytes: ``[A-Za-z0-9_]+``."""

    def __init__(self, objects: "pygit2.Repository") -> None:
        self._odb = objects.odb
        self._filters: dict[str, int] = {}
        self._is_asked_again = False

    def find_files(
        self, sources: Iterable[tuple[bytes, Entry]], names: Collection[str]
    ) -> list[bytes]:
        """The files, of these, that have one of the names as words, in the order given."""
        found: list[bytes] = []
        wanted = [(each.encode(), _make_filter(_list_words(each.encode()))) for each in names]
        # A single search for few words is done sooner without filters.
        is_filtered = self._is_asked_again or len(names) > _FEW
        searched: set[str] = set()
        known = self._filters
        for path, entry in sources:
            oid = entry.oid
            searched.add(oid)
            words = _EVERY_WORD
            if is_filtered:
                words = known[oid] if oid in known else self._make_filter(oid)
            likely = [word for word, bits in wanted if words & bits == bits]
            if likely and has_words(self._read(oid), likely):
                found.append(path)
        if len(known) > _MOST_KEPT + len(searched):
            self._filters = {oid: each for oid, each in known.items() if oid in searched}
        self._is_asked_again = True
        return found

    def _make_filter(self, oid: str) -> int:
        found = self._filters[oid] = _make_filter(_list_words(self._read(oid)))
        return found

    def _read(self, oid: str) -> bytes:
        # What is missing is not read for what it declares either.
        return find_object(self._odb, oid) or b""


def has_words(content: bytes, words: Iterable[bytes]) -> bool:
    """Whether a text has one of these as a word."""
    # A search for bytes costs a tenth of one for a pattern.
    return any(word in content and _word_pattern(word).search(content) for word in words)


def _make_filter(words: Iterable[bytes]) -> int:
    # A digit is set sooner than a bit.
    digits = bytearray(b"0" * _BITS)
    # Two bits a word; a process has its own hashes, and what they say is checked.
    for number in map(hash, words):
        digits[number & _PLACES] = digits[number >> 16 & _PLACES] = _ONE
    return int(digits, 2)


def _list_words(text: bytes) -> set[bytes]:
    return {*text.translate(_LETTERS).split()}


@functools.lru_cache(256)
def _word_pattern(word: bytes) -> "re.Pattern[bytes]":
    return re.compile(rb"(?<!\w)%b(?!\w)" % re.escape(word))
