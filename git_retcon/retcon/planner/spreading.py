"""Answers about some hunks, spread to those that are like them.

One log-linear step after the planner's own probabilities: for each relation, what the answers say
of a hunk's likes beyond what the planner had expected of them. ``reference`` for the formula and
for what was tried instead: tests/bench/README.md, "Asking".
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul

from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.likeness import RELATIONS, Key, Relation

FEATURES = (*RELATIONS, "ln before", "share of best", "ln answered", "free", "has answers")
_PRIOR = 3.0  # answered lines that a relation needs to count for half
_SMOOTHING = 5.0

Table = Sequence[Sequence[float]]
# By hunk: for each commit the values of ``FEATURES``; None for what is answered.
Spreading = Sequence[Sequence[Sequence[float]] | None]


def spread_features(
    facts: Sequence[Facts],
    relations: Sequence[Relation],
    expected: Table,
    present: Table,
    answers: Mapping[int, int],
) -> Spreading:
    """What the answers say of every hunk that is not answered.

    ``answers`` maps hunks, by position, to commits. ``expected`` are the probabilities before any
    answer, ``present`` those after what the planner itself made of the answers.
    """
    count = len(expected[0])
    surprise = {
        at: [facts[at].weight * ((k == commit) - value) for k, value in enumerate(expected[at])]
        for at, commit in answers.items()
    }
    sums = [_sum_writes(facts, relation, surprise) for relation in relations]
    masses = _sum_masses(facts, present, answers, count)
    found: list[list[Sequence[float]] | None] = []
    for at in range(len(facts)):
        if at in answers:
            found.append(None)
            continue
        columns = [
            _read_sums(relation.reads[at], own, count)
            for relation, own in zip(relations, sums, strict=True)
        ]
        columns += _weigh_alone(present[at])
        found.append([(*(column[k] for column in columns), *masses[k]) for k in range(count)])
    return found


class _Sum:
    """What was written under one key: lines by commit, more or fewer than expected; and lines."""

    __slots__ = ("lines", "surprise")

    def __init__(self, count: int) -> None:
        self.surprise = [0.0] * count
        self.lines = 0.0


def _sum_writes(
    facts: Sequence[Facts], relation: Relation, surprise: Mapping[int, Sequence[float]]
) -> dict[Key, _Sum]:
    found: dict[Key, _Sum] = {}
    for at, own in surprise.items():
        for key, part in relation.writes[at]:
            held = found.get(key)
            if held is None:
                held = found[key] = _Sum(len(own))
            held.lines += part * facts[at].weight
            for k, value in enumerate(own):
                held.surprise[k] += part * value
    return found


def _read_sums(
    keys: Sequence[tuple[Key, float]], sums: Mapping[Key, _Sum], count: int
) -> list[float]:
    total = [0.0] * count
    lines = _PRIOR
    for key, part in keys:
        held = sums.get(key)
        if held is not None:
            lines += part * held.lines
            total = [value + part * more for value, more in zip(total, held.surprise, strict=True)]
    return [value / lines for value in total] if lines > _PRIOR else total


def _weigh_alone(line: Sequence[float]) -> tuple[list[float], list[float]]:
    highest = max(line)
    return [math.log(value + 1e-9) for value in line], [value / (highest + 0.05) for value in line]


def _sum_masses(
    facts: Sequence[Facts], present: Table, answers: Mapping[int, int], count: int
) -> list[tuple[float, float, float]]:
    """By commit: how many lines were answered for it, and how many free ones are expected."""
    answered = [0.0] * count
    free = [0.0] * count
    for at, one in enumerate(facts):
        if at in answers:
            answered[answers[at]] += one.weight
        else:
            for k, value in enumerate(present[at]):
                free[k] += one.weight * value
    total = sum(answered) + _SMOOTHING * count
    all_lines = sum(one.weight for one in facts)
    return [
        (
            math.log((answered[k] + _SMOOTHING) * count / total),
            free[k] / all_lines,
            float(answered[k] > 0),
        )
        for k in range(count)
    ]


def spread_answers(
    features: Spreading, logs: Sequence[Sequence[float]], weights: Sequence[float]
) -> list[Sequence[float]]:
    """The log scores after the answers; an answered hunk's line stays as it is."""
    return [
        line
        if vectors is None
        else [
            sum(map(mul, vector, weights)) if log > -math.inf else log
            for vector, log in zip(vectors, line, strict=True)
        ]
        for vectors, line in zip(features, logs, strict=True)
    ]
