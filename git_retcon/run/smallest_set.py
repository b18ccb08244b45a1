"""A search for a smallest set that helps, by trying, likeliest first, with a limit.

Each part that is needed is found by halving: Fred Hemery, Christophe Lecoutre, Lakhdar Sais and
Frédéric Boussemart, "Extracting MUCs from Constraint Networks", ECAI 2006 (the dichotomic method).
"""

from collections.abc import Callable, Iterator, Sequence

Helps = Callable[[frozenset[str]], bool]

_GROWTH = 3  # a few sizes cover thousands of groups; halving then finds what is needed


def grow_sizes(count: int) -> Iterator[int]:
    """How many of the likeliest to try together: few at first, at last all."""
    size = 1
    while size < count:
        yield size
        size *= _GROWTH
    if count:
        yield count


def find_smallest(
    groups: Sequence[frozenset[str]], helps: Helps, failing: int = 0
) -> frozenset[str]:
    """The fewest of ``groups`` (whose union helps) that still help, the first ones preferred.

    The first ``failing`` of them are known not to. Where more never harms, nothing can be left
    out of the result, and a result of k of n groups costs about k * (1 + log n) trials. What can
    no longer be afforded must be answered False; then the best found so far is returned. The
    result was tried, or is everything.
    """
    needed: frozenset[str] = frozenset()
    stop = len(groups)
    while stop and not (needed and helps(needed)):
        while stop - failing > 1:
            middle = (failing + stop) // 2
            if helps(needed.union(*groups[:middle])):
                stop = middle
            else:
                failing = middle
        # groups[:stop] does not help and groups[: stop + 1] does, so that one is needed.
        stop -= 1
        needed |= groups[stop]
        # With the new one held, fewer of those before it may do.
        failing = 0
    return needed
