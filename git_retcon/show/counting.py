"""Counting words: "1 hunk", "3 hunks", "a, b and 4 more"."""

from collections.abc import Iterable


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun; the plural is the noun with an "s" unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def some_of(names: Iterable[str], most: int) -> str:
    """ "a", "a and b", "a, b and 2 more": at most ``most`` names, and how many more there are.

    One name too many is named too, as "1 more" would be no shorter.
    """
    every = list(names)
    more = len(every) - most
    if more > 1:
        return f"{', '.join(every[:most])} and {more:,} more"
    *before, last = every or [""]
    return f"{', '.join(before)} and {last}" if before else last
