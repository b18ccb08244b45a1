"""git's own configuration, as git resolves it.

One ``git config -z --list`` sees every scope: ``git -c``, ``includeIf`` of every kind and the
worktree file, which libgit2's reader does not.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from git_retcon.errors import Fatal

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off", ""})
# Any number is a truth value to git: C's notation, perhaps a unit, no more than an int holds.
_NUMBER = re.compile(
    r"\s*[+-]?(?:0x(?P<hex>[0-9a-f]+)|0(?P<oct>[0-7]*)|(?P<dec>[1-9][0-9]*))(?P<unit>[kmg]?)",
    re.IGNORECASE | re.ASCII,
)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_LARGEST = (1 << 31) - 1


@dataclass(frozen=True)
class Config:
    """Every value by its key, keys as git prints them (section and name in lower case)."""

    values: Mapping[str, tuple[str, ...]]

    @classmethod
    def parse(cls, listing: bytes) -> "Config":
        """Read what ``git config -z --list`` printed."""
        values: dict[str, tuple[str, ...]] = {}
        for item in listing.split(b"\0"):
            if not item:
                continue
            key, found, value = item.decode("utf-8", "surrogateescape").partition("\n")
            values[key] = (*values.get(key, ()), value if found else "true")
        return cls(values)

    def all(self, key: str) -> tuple[str, ...]:
        """Every value of a key, in the order git reads them."""
        return self.values.get(_canonical(key), ())

    def get(self, key: str) -> str | None:
        """The value that counts (the last one), or None."""
        found = self.all(key)
        return found[-1] if found else None

    def boolean(self, key: str, default: bool = False) -> bool:
        """A truth value in any of git's spellings. Raises Fatal for anything else."""
        value = self.get(key)
        if value is None:
            return default
        return parse_boolean(key, value)


def parse_boolean(key: str, value: str) -> bool:
    """Read one truth value in any of git's spellings. Raises Fatal naming the key."""
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    if (number := _number(value)) is not None:
        return number != 0
    raise Fatal(f"bad boolean value '{value}' for '{key}'", hint="use true or false")


def _number(value: str) -> int | None:
    """The size of a number, without its sign; None for what git takes for no number."""
    found = _NUMBER.fullmatch(value)
    if found is None:
        return None
    digits, base = found["dec"], 10
    if digits is None:
        digits, base = (found["hex"], 16) if found["hex"] else (f"0{found['oct']}", 8)
    number = int(digits, base) * _UNITS[found["unit"].lower()]
    return number if number <= _LARGEST else None


def _canonical(key: str) -> str:
    section, _, rest = key.partition(".")
    subsection, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{subsection}{dot}{name.lower()}"
