"""Counting words: "1 hunk", "3 hunks", "a, b and c", "a, b and 4 more"."""

from collections.abc import Iterable, Iterator, Sequence


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun; the plural is the noun with an "s" unless it is given."""
    return f"{number:,} {inflect(number, noun, plural)}"


def inflect(number: int, noun: str, plural: str | None = None) -> str:
    """The noun as it is behind a number."""
    return noun if number == 1 else plural or f"{noun}s"


def all_of(names: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"; "" for none."""
    *before, last = list(names) or [""]
    return f"{', '.join(before)} and {last}" if before else last


def some_of(names: Iterable[str], most: int) -> str:
    """ "a", "a and b", "a, b and 2 more": at most ``most`` names, and how many more there are.

    One name too many is named too, as "1 more" would be no shorter.
    """
    every = list(names)
    more = len(every) - most
    if more > 1:
        return f"{', '.join(every[:most])} and {more:,} more"
    return all_of(every)


def list_some(lines: Sequence[str], most: int, noun: str) -> Iterator[str]:
    """At most ``most`` lines, then "and 3 more hunks" for those that are left out."""
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {count(len(lines) - most, f'more {noun}')}"
