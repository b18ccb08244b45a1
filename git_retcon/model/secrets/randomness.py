"""How random a value looks: what tells a key from a name."""

import math
from collections import Counter

from git_retcon.model.secrets.compiled_patterns import compile_pattern

_UUID = rb"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"
_KINDS = (rb"[a-z]", rb"[A-Z]", rb"[0-9]", rb"[^A-Za-z0-9_.-]")


def is_random(value: bytes) -> bool:
    """Whether no name or word looks like it."""
    return is_scattered(value) and measure_entropy(value) >= 3.0


def is_scattered(value: bytes) -> bool:
    """Digits are among the letters, as they are not in names: more than two runs of them."""
    return len(value) >= 12 and _count_numbers(value) >= 3


def is_generated(value: bytes) -> bool:
    """Whether a program made it, and no person: letters and digits mixed, digits alone, a UUID."""
    if compile_pattern(rb"[A-Za-z0-9]+").fullmatch(value):
        if value.isdigit():
            return len(value) >= 16
        return len(value) >= 14 and _count_numbers(value) >= 2 and measure_entropy(value) >= 3.0
    return compile_pattern(_UUID).fullmatch(value) is not None


def count_kinds(value: bytes) -> int:
    """How many of small letters, capitals, digits and other signs are in it."""
    return sum(compile_pattern(kind).search(value) is not None for kind in _KINDS)


def measure_entropy(value: bytes) -> float:
    """Bits per byte (Shannon 1948)."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def _count_numbers(value: bytes) -> int:
    return len(compile_pattern(rb"[0-9]+").findall(value))
