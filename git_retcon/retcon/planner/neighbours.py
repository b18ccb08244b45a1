"""What the hunks that are like a hunk say of it, before any answer.

A second log-linear stage over the first one's probabilities (stacking, Wolpert 1992): for each
relation, where the hunks that are alike go by the first stage. A relation that few lines are in
says little. A third stage, and a mean beside the logarithm, were tried and gained nothing on
branches that nothing was fitted on.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import mul

from git_retcon.retcon.planner.classifier import exponentiate_lines, normalize_line
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.likeness import RELATIONS, Key, Keys, Relation
from git_retcon.retcon.planner.permissions import Allowed

FEATURES = ("ln words", "ln before", "share of best", "ln mass", *RELATIONS)
_PRIOR = 3.0  # lines that a relation needs to count for half
_LEAST = -12.0  # less likely says no more
_FLOOR = 0.01  # added to a share before its logarithm: no relation rules a commit out

Table = Sequence[Sequence[float]]
# By hunk: for each commit the values of ``FEATURES``; None where there is nothing to choose.
Neighbours = Sequence[Table | None]


def weigh_neighbours(
    features: Neighbours, logs: Table, allowed: Sequence[Allowed], weights: Sequence[float]
) -> list[list[float]]:
    """The log probabilities of each hunk's commits; those of the first stage where it is None."""
    return [
        list(line)
        if vectors is None
        else normalize_line([sum(map(mul, vector, weights)) for vector in vectors], may)
        for vectors, line, may in zip(features, logs, allowed, strict=True)
    ]


def add_change(
    logs: Table, before: Table, after: Table, allowed: Sequence[Allowed]
) -> list[list[float]]:
    """``logs``, changed as the second stage changed the log probabilities ``before``.

    An answer changes what the first stage says; to run the second one anew would cost more than
    all else that an answer changes.
    """
    return [
        normalize_line(
            [
                value + late - early if early > -math.inf else value
                for value, early, late in zip(line, earlier, later, strict=True)
            ],
            may,
        )
        for line, earlier, later, may in zip(logs, before, after, allowed, strict=True)
    ]


def neighbour_features(
    facts: Sequence[Facts],
    relations: Sequence[Relation],
    words: Table,
    logs: Table,
    is_open: Sequence[bool],
) -> Iterator[Table | None]:
    """For every open hunk in turn, and every commit, the features of ``FEATURES``.

    ``words`` and ``logs`` are log probabilities by hunk: by words alone, and of the first stage.
    """
    chances = exponentiate_lines(logs)
    lines = [
        [one.weight * value for value in line] for one, line in zip(facts, chances, strict=True)
    ]
    sums = [_sum_writes(relation, facts, lines) for relation in relations]
    best = [max(column) + 0.05 for column in zip(*chances, strict=True)]
    masses = _read_masses(facts, lines)
    for at, one in enumerate(facts):
        if not is_open[at]:
            yield None
            continue
        columns = [
            [max(value, _LEAST) for value in words[at]],
            [max(value, _LEAST) for value in logs[at]],
            [value / most for value, most in zip(chances[at], best, strict=True)],
            masses,
        ]
        columns += [
            _read_shares(relation, own, at, lines[at], one.weight)
            for relation, own in zip(relations, sums, strict=True)
        ]
        yield list(zip(*columns, strict=True))


# What is written under one key: lines by commit, and in all.
_Sum = tuple[list[float], float]


def _sum_writes(
    relation: Relation, facts: Sequence[Facts], lines: Sequence[Sequence[float]]
) -> Mapping[Key, _Sum]:
    found: dict[Key, _Sum] = {}
    for one, line, keys in zip(facts, lines, relation.writes, strict=True):
        for key, part in keys:
            held, total = found.get(key) or ([0.0] * len(line), 0.0)
            found[key] = (
                [value + part * more for value, more in zip(held, line, strict=True)],
                total + part * one.weight,
            )
    return found


def _read_shares(
    relation: Relation, sums: Mapping[Key, _Sum], at: int, own: Sequence[float], weight: float
) -> list[float]:
    """By commit: the logarithm of the share of alike lines that it has; zeros where none are."""
    count = len(own)
    written = dict(relation.writes[at])
    shares, lines = [0.0] * count, 0.0
    for key, part in _known(relation.reads[at], sums):
        held, total = sums[key]
        mine = written.get(key, 0.0)  # no hunk is evidence of itself
        lines += part * (total - mine * weight)
        shares = [
            value + part * (more - mine * less)
            for value, more, less in zip(shares, held, own, strict=True)
        ]
    if lines <= 0:
        return [0.0] * count
    whole = lines + _PRIOR
    # By rounding alone a share may be a little less than none.
    return [math.log(max(value, 0.0) / whole + _PRIOR / count / whole + _FLOOR) for value in shares]


def _known(keys: Keys, sums: Mapping[Key, _Sum]) -> Iterator[tuple[Key, float]]:
    return ((key, part) for key, part in keys if key in sums)


def _read_masses(facts: Sequence[Facts], lines: Table) -> list[float]:
    """By commit: the logarithm of how many lines it has, beside an equal part of all."""
    equal = sum(one.weight for one in facts) / len(lines[0])
    return [math.log(sum(column) / equal + 0.05) for column in zip(*lines, strict=True)]
