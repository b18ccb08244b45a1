"""Renames that a message or hints name: ``Old → New``, ``-Old +New``, "rename old to new"."""

import functools
import re
from typing import NamedTuple

# From its first letter on: a search that also began inside of a word would go through a long one
# again for each of its letters.
_NAME = r"[`'\"]?(?<!\w)([A-Za-z_]\w*)(?:\(\))?[`'\"]?"
_PATTERNS = (
    rf"{_NAME}\s*(?:→|->|=>)\s*{_NAME}",
    rf"(?<!\S)-{_NAME},?\s+\+{_NAME}",
    rf"(?i:\brenam(?:e|es|ed|ing))\s+(?:the\s+)?(?:\w+\s+)?{_NAME}\s+(?:to|as|into)\s+{_NAME}",
)
# Everyday words, which mean a rename in a text that speaks of renaming alone.
_PLAIN = rf"{_NAME}\s+(?:is(?:\s+now)?|becomes|to)\s+{_NAME}"


class Rename(NamedTuple):
    """A name, and what it is called from this commit on."""

    old: str
    new: str


def find_renames(text: str) -> tuple[Rename, ...]:
    """The renames that a text may name, in order. Whether these are names, the code has to say."""
    found: dict[Rename, None] = {}
    for pattern in _compile_patterns()[: None if "renam" in text.lower() else -1]:
        found |= {Rename(*match.groups()): None for match in pattern.finditer(text)}
    return tuple(each for each in found if each.old != each.new)


@functools.cache
def _compile_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, (*_PATTERNS, _PLAIN)))
