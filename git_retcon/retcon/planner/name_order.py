"""The order of atoms that gives a name to what needs it."""

from collections.abc import Callable, Iterator, Sequence

from git_retcon.retcon.planner.facts import Pair


def order_name(
    atoms: Sequence[int],
    named: Sequence[int],
    labels: Sequence[int],
    commit: int,
    lacks: Callable[[frozenset[int]], bool],
) -> Iterator[Pair]:
    """Pairs of what brings a name, and what of a commit makes it lacking.

    ``named`` are those of ``atoms`` that have the name, ``commit`` is the first that lacks it, and
    ``lacks`` says whether some of the atoms alone lack it.
    """
    before = frozenset(at for at in atoms if labels[at] < commit)
    taken = frozenset(at for at in atoms if labels[at] <= commit)
    fresh = [at for at in named if labels[at] == commit]
    users = [at for at in fresh if lacks(before | {at})] or fresh
    late = [at for at in named if labels[at] > commit]
    # One atom makes it lacking no more, or several do so together.
    single = next((at for at in late if not lacks(taken | {at})), None)
    bringers = late if single is None else [single]
    return ((bringer, user) for bringer in bringers for user in users)
