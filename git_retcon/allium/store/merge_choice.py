"""Three versions of one thing: what two sides made of what they come from.

What only one side changed is taken from it. What both changed alike is taken once. Where they
differ, our version stays and is a conflict, which somebody else decides.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)


class Versions(NamedTuple):
    """The text of the base and of both sides; None where one does not have it."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


class Choice(NamedTuple):
    """What becomes of one element. ``is_conflict``: both sides changed it, each in its way."""

    text: bytes | None
    is_conflict: bool


class Conflict(NamedTuple):
    """What both sides changed otherwise; None is removed. ``item`` is what it is in a declaration
    ("field total"), "" for all of it. ``why`` says what is wrong where that is something else: then
    ``ours`` is what stays.
    """

    kind: str
    name: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    item: str = ""
    why: str = ""

    @property
    def title(self) -> str:
        """What it is about, for people: "entity Order: field total"."""
        whole = f"{self.kind} {self.name}".strip()
        return f"{whole}: {self.item}" if self.item else whole


def choose_side(versions: Versions) -> Choice:
    """The version of one element after a merge."""
    base, ours, theirs = versions
    if ours == theirs or base == theirs:
        return Choice(ours, is_conflict=False)
    if base == ours:
        return Choice(theirs, is_conflict=False)
    # A version that somebody still works on is kept, rather than the removal.
    return Choice(theirs if ours is None else ours, is_conflict=True)


def merge_orders(ours: Sequence[K], theirs: Sequence[K]) -> Sequence[K]:
    """All keys of both sides in our order; those only theirs has follow what they follow there."""
    order = list(dict.fromkeys(ours))
    places = set(order)
    others = set(theirs)
    before: K | None = None
    for key in theirs:
        if key not in places:
            at = order.index(before) + 1 if before is not None else 0
            # What we added at the same place comes first, as in any merge.
            while at < len(order) and order[at] not in others:
                at += 1
            order.insert(at, key)
            places.add(key)
        before = key
    return order


def merge_lists(base: Sequence[K], ours: Sequence[K], theirs: Sequence[K]) -> Sequence[K]:
    """What both have, and what one of them added; what one of them took out is gone."""
    both, known = {*ours} & {*theirs}, {*base}
    return [each for each in merge_orders(ours, theirs) if each in both or each not in known]
