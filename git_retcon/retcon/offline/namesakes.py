"""A source whose own commits are the wished ones, by name: then nothing has to be guessed.

Somebody who rebuilds a branch to have every commit proved, or reordered, often keeps its subjects.
Each piece then belongs where its lines came from, and the words need not be weighed at all.
"""

import math
from collections.abc import Mapping, Sequence

from git_retcon.retcon.spec import LogicalCommit

_ELSEWHERE = 0.02  # of a line: a commit may still have taken a line that another one names


def namesakes(subjects: Sequence[str], commits: Sequence[LogicalCommit]) -> Sequence[int] | None:
    """For each source commit the logical commit of the same subject.

    None unless every source commit has exactly one, no two share one, and no commit says more
    than its message (hints and patterns have to be weighed).
    """
    named: dict[str, int] = {}
    for index, commit in enumerate(commits):
        if commit.hints.strip() or commit.files or commit.exclude or commit.subject in named:
            return None
        named[commit.subject] = index
    found = [named.get(subject.strip()) for subject in subjects]
    if len(found) < 2 or None in found or len(set(found)) != len(found):
        return None
    return [index for index in found if index is not None]


def log_shares(origin: Mapping[int, int], names: Sequence[int], count: int) -> list[float]:
    """The log probability of each logical commit, by the lines a piece has from its namesake."""
    lines = [_ELSEWHERE] * count
    for position, number in origin.items():
        lines[names[position]] += number
    total = sum(lines)
    return [math.log(value / total) for value in lines]
