"""What the hunks that are like a hunk say of it, before any answer.

A second log-linear stage over the first one's probabilities (stacking, Wolpert 1992): for each
relation, where the hunks that are alike go by the first stage. A relation that few lines are in
says little. A third stage, and a mean beside the logarithm, were tried and gained nothing on
branches that nothing was fitted on.
"""

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from operator import mul

from git_retcon.retcon.planner.classifier import exponentiate_lines, log_softmax, normalize_line
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.likeness import RELATIONS, Key, Relation
from git_retcon.retcon.planner.permissions import Allowed

FEATURES = ("ln words", "ln before", "share of best", "ln mass", *RELATIONS)
_PRIOR = 3.0  # lines that a relation needs to count for half
_LEAST = -12.0  # less likely says no more
_FLOOR = 0.01  # added to a share before its logarithm: no relation rules a commit out
# Commits that are weighed again for one hunk, the likeliest: bounds the time of many commits.
_MOST = 12

Table = Sequence[Sequence[float]]
# By hunk: the values of ``FEATURES`` by commit; None where there is nothing to choose.
Neighbours = Sequence[Mapping[int, Sequence[float]] | None]


def weigh_neighbours(
    features: Neighbours, logs: Table, weights: Sequence[float]
) -> list[list[float]]:
    """The log probabilities of each hunk's commits; those of the first stage where it has none."""
    return [
        list(line) if vectors is None else _weigh_line(vectors, line, weights)
        for vectors, line in zip(features, logs, strict=True)
    ]


def _weigh_line(
    vectors: Mapping[int, Sequence[float]], line: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """What the commits of ``vectors`` have together is shared anew."""
    mass = math.log(sum(math.exp(line[k]) for k in vectors))
    scores = log_softmax([sum(map(mul, vector, weights)) for vector in vectors.values()])
    found = list(line)
    for k, score in zip(vectors, scores, strict=True):
        found[k] = score + mass
    return found


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
) -> Iterator[Mapping[int, Sequence[float]] | None]:
    """For every open hunk in turn, and its likeliest commits, the features of ``FEATURES``.

    ``words`` and ``logs`` are log probabilities by hunk: by words alone, and of the first stage.
    """
    count = len(logs[0])
    chances = exponentiate_lines(logs)
    lines = [
        {k: one.weight * line[k] for k in _find_likeliest(line)}
        for one, line in zip(facts, chances, strict=True)
    ]
    sums = [_sum_writes(relation, facts, lines) for relation in relations]
    best = [max(column) + 0.05 for column in zip(*chances, strict=True)]
    masses = _read_masses(facts, chances)
    for at, own in enumerate(lines):
        if not is_open[at]:
            yield None
            continue
        alike = [
            _read_shares(relation, held, at, own, facts[at].weight, count)
            for relation, held in zip(relations, sums, strict=True)
        ]
        columns = zip(*alike, strict=True)
        yield {
            k: (
                max(words[at][k], _LEAST),
                max(logs[at][k], _LEAST),
                chances[at][k] / best[k],
                masses[k],
                *shares,
            )
            for k, shares in zip(own, columns, strict=True)
            if logs[at][k] > -math.inf
        }


def _find_likeliest(line: Sequence[float]) -> Sequence[int]:
    """The commits that are weighed, by position."""
    if len(line) <= _MOST:
        return range(len(line))
    return heapq.nlargest(_MOST, range(len(line)), key=line.__getitem__)


# What is written under one key: lines by commit, and in all.
_Sum = tuple[dict[int, float], float]


def _sum_writes(
    relation: Relation, facts: Sequence[Facts], lines: Sequence[Mapping[int, float]]
) -> Mapping[Key, _Sum]:
    found: dict[Key, _Sum] = {}
    for one, line, keys in zip(facts, lines, relation.writes, strict=True):
        for key, part in keys:
            held, total = found.get(key) or ({}, 0.0)
            for k, value in line.items():
                held[k] = held.get(k, 0.0) + part * value
            found[key] = held, total + part * one.weight
    return found


def _read_shares(
    relation: Relation,
    sums: Mapping[Key, _Sum],
    at: int,
    own: Mapping[int, float],
    weight: float,
    count: int,
) -> list[float]:
    """By commit of ``own``: the logarithm of its share of the lines that are alike; zeros where
    none are."""
    written = dict(relation.writes[at])
    shares, lines = [0.0] * len(own), 0.0
    for key, part in relation.reads[at]:
        if key not in sums:
            continue
        held, total = sums[key]
        mine = written.get(key, 0.0)  # no hunk is evidence of itself
        lines += part * (total - mine * weight)
        shares = [
            value + part * (held.get(k, 0.0) - mine * less)
            for value, (k, less) in zip(shares, own.items(), strict=True)
        ]
    if lines <= 0:
        return [0.0] * len(own)
    whole = lines + _PRIOR
    # By rounding alone a share may be a little less than none.
    return [math.log(max(value, 0.0) / whole + _PRIOR / count / whole + _FLOOR) for value in shares]


def _read_masses(facts: Sequence[Facts], chances: Table) -> list[float]:
    """By commit: the logarithm of how many lines it has, beside an equal part of all."""
    weights = [one.weight for one in facts]
    equal = sum(weights) / len(chances[0])
    return [
        math.log(sum(map(mul, column, weights)) / equal + 0.05)
        for column in zip(*chances, strict=True)
    ]
