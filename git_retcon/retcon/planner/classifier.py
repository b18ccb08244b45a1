"""A log-linear model in plain Python: sums of weighted features, a softmax over commits."""

import math
from collections.abc import Iterable, Sequence
from operator import mul

from git_retcon.retcon.hints.message import FLAG_COUNT
from git_retcon.retcon.planner.facts import TRAITS, Facts
from git_retcon.retcon.planner.features import Row, Wish
from git_retcon.retcon.planner.weights import Weights

COMMIT_TRAITS = (
    "first", "last", "position", "first share", "subject words", "body words", "no body",
    *(f"subject flag {at}" for at in range(FLAG_COUNT)),
    *(f"body flag {at}" for at in range(FLAG_COUNT)),
)  # fmt: skip


def commit_traits(wishes: Sequence[Wish]) -> list[list[float]]:
    """What sort of commit each wish is, seen among its neighbours."""
    last = len(wishes) - 1
    subjects = [math.log1p(wish.message.subject_length) for wish in wishes]
    bodies = [math.log1p(wish.message.body_length) for wish in wishes]
    mean_subject, mean_body = sum(subjects) / len(wishes), sum(bodies) / len(wishes)
    return [
        [
            float(k == 0),
            float(k == last),
            k / max(last, 1),
            (k == 0) / len(wishes),
            subjects[k] - mean_subject,
            bodies[k] - mean_body,
            float(wish.message.body_length == 0),
            *map(float, wish.message.subject_flags),
            *map(float, wish.message.body_flags),
        ]
        for k, wish in enumerate(wishes)
    ]


class Priors:
    """What sort of atom goes to what sort of commit, before any word is compared."""

    def __init__(self, wishes: Sequence[Wish], weights: Weights) -> None:
        traits = range(len(TRAITS))
        columns = [[line[t] for line in weights.priors] for t in traits]
        self._by_trait = [
            [sum(map(mul, commit, column)) for column in columns]
            for commit in commit_traits(wishes)
        ]
        self._seen: dict[int, list[float]] = {}

    def scores(self, one: Facts) -> list[float]:
        """One score a commit; the list is shared, not to be changed."""
        found = self._seen.get(one.traits)
        if found is None:
            bits = [t for t in range(len(TRAITS)) if one.traits >> t & 1]
            found = [sum(line[t] for t in bits) for line in self._by_trait]
            self._seen[one.traits] = found
        return found


def scores(
    facts: Sequence[Facts],
    wishes: Sequence[Wish],
    word_rows: Iterable[Row],
    hint_rows: Iterable[Row],
    weights: Weights,
) -> list[list[float]]:
    """The unnormalised log score of every atom for every commit."""
    priors = Priors(wishes, weights)
    found: list[list[float]] = []
    for one, words, hints in zip(facts, word_rows, hint_rows, strict=True):
        line = list(priors.scores(one))
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
        return [1.0 / len(line)] * len(line)
    powers = [math.exp(score - highest) for score in line]
    total = sum(powers)
    return [power / total for power in powers]


_LEAST = math.log(1e-12)


def log_softmax(line: Sequence[float]) -> list[float]:
    """The logs of ``softmax``, none that is possible below that of 1e-12."""
    highest = max(line)
    if highest == -math.inf:
        return list(line)
    offset = highest + math.log(sum(math.exp(score - highest) for score in line))
    return [max(score - offset, _LEAST) if score > -math.inf else score for score in line]


def calibrated(probability: float, scale: tuple[float, float]) -> float:
    """A probability as it was measured to come true: Platt scaling of its log odds."""
    held = min(max(probability, 1e-6), 1 - 1e-6)
    odds = scale[0] * math.log(held / (1 - held)) + scale[1]
    return 1 / (1 + math.exp(-odds))
