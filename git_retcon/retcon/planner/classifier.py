"""A log-linear model in plain Python: sums of weighted features, a softmax over commits."""

import math
from collections.abc import Iterable, Sequence
from operator import mul

from git_retcon.retcon.hints.message import FLAG_COUNT
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import TRAITS, Facts
from git_retcon.retcon.planner.weights import Weights
from git_retcon.retcon.planner.word_scores import Row

COMMIT_TRAITS = (
    "first", "last", "position", "first share", "subject words", "body words", "no body",
    *(f"subject flag {at}" for at in range(FLAG_COUNT)),
    *(f"body flag {at}" for at in range(FLAG_COUNT)),
)  # fmt: skip


def read_commit_traits(descriptions: Sequence[Description]) -> list[list[float]]:
    """What sort of commit each one is, seen among its neighbours."""
    count = len(descriptions)
    last = count - 1
    subjects = [math.log1p(each.message.subject_length) for each in descriptions]
    bodies = [math.log1p(each.message.body_length) for each in descriptions]
    mean_subject, mean_body = sum(subjects) / count, sum(bodies) / count
    return [
        [
            float(k == 0),
            float(k == last),
            k / max(last, 1),
            (k == 0) / count,
            subjects[k] - mean_subject,
            bodies[k] - mean_body,
            float(each.message.body_length == 0),
            *map(float, each.message.subject_flags),
            *map(float, each.message.body_flags),
        ]
        for k, each in enumerate(descriptions)
    ]


class Priors:
    """What sort of atom goes to what sort of commit, before any word is compared."""

    def __init__(self, descriptions: Sequence[Description], weights: Weights) -> None:
        traits = range(len(TRAITS))
        columns = [[line[t] for line in weights.priors] for t in traits]
        self._by_trait = [
            [sum(map(mul, commit, column)) for column in columns]
            for commit in read_commit_traits(descriptions)
        ]
        self._seen: dict[int, list[float]] = {}

    def score(self, one: Facts) -> list[float]:
        """One score a commit; the list is shared, not to be changed."""
        # Traits are bits of one number, and most atoms of a branch share a few of these numbers.
        found = self._seen.get(one.traits)
        if found is None:
            bits = [t for t in range(len(TRAITS)) if one.traits >> t & 1]
            found = [sum(line[t] for t in bits) for line in self._by_trait]
            self._seen[one.traits] = found
        return found


def score_atoms(
    facts: Sequence[Facts],
    descriptions: Sequence[Description],
    word_rows: Iterable[Row],
    hint_rows: Iterable[Row],
    weights: Weights,
) -> list[list[float]]:
    """The unnormalised log score of every atom for every commit."""
    priors = Priors(descriptions, weights)
    found: list[list[float]] = []
    for one, words, hints in zip(facts, word_rows, hint_rows, strict=True):
        line = list(priors.score(one))
        for k, vector in words.items():
            line[k] += sum(map(mul, vector, weights.words))
        for k, vector in hints.items():
            line[k] += sum(map(mul, vector, weights.hints))
        found.append(line)
    return found


def softmax(line: Sequence[float]) -> list[float]:
    """Probabilities from log scores; minus infinity is impossible."""
    highest = max(line)
    if highest == -math.inf:
        # Everything is impossible: say nothing instead of dividing by zero.
        return [1.0 / len(line)] * len(line)
    powers = [math.exp(score - highest) for score in line]
    total = sum(powers)
    return [power / total for power in powers]


def find_probability(line: Sequence[float], at: int) -> float:
    """One of ``softmax``, without the others."""
    highest = max(line)
    if highest == -math.inf:
        return 1.0 / len(line)
    return math.exp(line[at] - highest) / sum([math.exp(score - highest) for score in line])


# No words make what is allowed as bad as what is not.
_LEAST = math.log(1e-12)


def log_softmax(line: Sequence[float]) -> list[float]:
    """The logs of ``softmax``; of what is possible, none is below that of 1e-12."""
    highest = max(line)
    if highest == -math.inf:
        return list(line)
    offset = highest + math.log(sum([math.exp(score - highest) for score in line]))
    # Most lines have nothing so unlikely; the comparison of each would cost as much as the rest.
    if min(line) - offset >= _LEAST:
        return [score - offset for score in line]
    return [max(score - offset, _LEAST) if score > -math.inf else score for score in line]


def exponentiate_lines(logs: Sequence[Sequence[float]]) -> list[list[float]]:
    """Probabilities from their logs."""
    return [[math.exp(value) for value in line] for line in logs]


def normalize_line(line: Sequence[float], may: Sequence[bool]) -> list[float]:
    """Log probabilities over what is allowed."""
    if all(may):
        return log_softmax(line)
    return log_softmax([score if ok else -math.inf for score, ok in zip(line, may, strict=True)])
