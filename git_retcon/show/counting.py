"""Counting words: "1 hunk", "3 hunks", "a, b and 4 more"."""

from collections.abc import Sequence


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun; the plural is the noun with an "s" unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def some_of(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are."""
    listed = ", ".join(names[:most])
    more = len(names) - most
    return f"{listed} and {more:,} more" if more > 0 else listed
