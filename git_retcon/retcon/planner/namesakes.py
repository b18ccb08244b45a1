"""Source commits that are the wished ones by name: then nothing has to be guessed.

Somebody who rebuilds a branch to have every commit proved, or put in another order, often keeps
its subjects. Each piece then belongs where its lines came from, and words need not be weighed.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from git_retcon.retcon.spec.model import LogicalCommit

_ELSEWHERE = 0.02  # of a line: a commit may still have taken a line that another one names

Named = Mapping[int, int]
Origin = Mapping[int, int]


def namesakes(subjects: Sequence[str], commits: Sequence[LogicalCommit]) -> Named:
    """Source commit → logical commit, for those of the same subject, the n-th with the n-th.

    Subjects that one side has more often than the other say nothing. Empty where a commit says
    more than its message: hints and patterns have to be weighed.
    """
    if any(commit.hints.strip() or commit.files or commit.exclude for commit in commits):
        return {}
    wished = _numbered([commit.subject for commit in commits])
    given = _numbered([subject.strip() for subject in subjects])
    often = Counter(commit.subject for commit in commits)
    even = Counter(subject.strip() for subject in subjects)
    return {
        position: wished[name]
        for name, position in given.items()
        if often[name[0]] == even[name[0]]
    }


def log_shares(origin: Origin, names: Named, count: int) -> list[float] | None:
    """The log probability of each logical commit by the lines a piece has from its namesake.

    None for a piece with lines from a commit that has no namesake, or from nowhere.
    """
    if not origin or any(position not in names for position in origin):
        return None
    lines = [_ELSEWHERE] * count
    for position, number in origin.items():
        lines[names[position]] += number
    total = sum(lines)
    return [math.log(value / total) for value in lines]


def straight(origins: Sequence[Origin], names: Named, count: int) -> Sequence[int] | None:
    """The commit of every piece where the source is the wished series already, piece by piece.

    That is: each piece came with one commit, these are in the wished order, and none of the
    ``count`` commits is empty. The author's own order needs no check of definitions and uses.
    """
    placed: list[int] = []
    for origin in origins:
        position = next(iter(origin), -1)
        if len(origin) != 1 or position not in names:
            return None
        placed.append(names[position])
    ordered = [names[position] for position in sorted(names)]
    return placed if ordered == sorted(ordered) and len(set(placed)) == count else None


def _numbered(subjects: Sequence[str]) -> dict[tuple[str, int], int]:
    """(subject, how many came before it) → place."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], int] = {}
    for place, subject in enumerate(subjects):
        found[subject, seen[subject]] = place
        seen[subject] += 1
    return found
