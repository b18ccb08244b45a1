"""A smallest set of pieces that helps, found by trying: ddmin, with a limit.

Andreas Zeller and Ralf Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE
Transactions on Software Engineering 28(2), 2002, section 3.
"""

from collections.abc import Callable, Sequence

Helps = Callable[[frozenset[str]], bool]


def shrunk(groups: Sequence[frozenset[str]], helps: Helps) -> list[frozenset[str]]:
    """The fewest of ``groups`` (whose union helps) that still help, in their order.

    No single group can be left out of the result, if ``helps`` was affordable to the end. What can
    no longer be afforded must be answered False; then the best found so far is returned.
    """
    kept = list(groups)
    parts = 2
    while len(kept) >= 2:
        chunks = _chunks(kept, parts)
        smaller = next((chunk for chunk in chunks if helps(_union(chunk))), None)
        if smaller is not None:
            kept, parts = smaller, 2
            continue
        rest = _complement(kept, chunks, helps) if parts > 2 else None
        if rest is not None:
            kept, parts = rest, max(parts - 1, 2)
        elif parts < len(kept):
            parts = min(len(kept), 2 * parts)
        else:
            break
    return kept


def _complement(
    kept: Sequence[frozenset[str]], chunks: Sequence[Sequence[frozenset[str]]], helps: Helps
) -> list[frozenset[str]] | None:
    for chunk in chunks:
        rest = [group for group in kept if group not in chunk]
        if rest and helps(_union(rest)):
            return rest
    return None


def _chunks(kept: Sequence[frozenset[str]], parts: int) -> list[list[frozenset[str]]]:
    size, more = divmod(len(kept), parts)
    found: list[list[frozenset[str]]] = []
    at = 0
    for part in range(parts):
        stop = at + size + (1 if part < more else 0)
        found.append(list(kept[at:stop]))
        at = stop
    return [chunk for chunk in found if chunk]


def _union(groups: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*groups)
