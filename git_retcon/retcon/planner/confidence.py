"""How sure a plan is of each atom: how often one like it was where its author put it.

The probability alone does not tell that. Where the source has commits of its own, words and these
commits may err together, and then they are as certain as where they are right. So what they say
apart counts too, and how well a source commit fits into one commit of the plan.
"""

import math
from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from git_retcon.retcon.planner import evidence
from git_retcon.retcon.planner.classifier import find_probability
from git_retcon.retcon.planner.evidence import Table
from git_retcon.retcon.planner.facts import Facts, Origin
from git_retcon.retcon.planner.ordering import Order

# Of the evidence of an atom's own commit.
_EVIDENCE = (
    "ln words", "ln source posterior", "ln source mean", "ln source mixture", "distance",
    "same subject",
)  # fmt: skip
SQUASHED = ("log odds", "one", "ln commits")
FEATURES = (
    "log odds", "one", "ln lines placed together",
    *_EVIDENCE, "named", "part of all", "part of its source commit",
    "ln lines of its source commit",
)  # fmt: skip
_COLUMNS = tuple(evidence.FEATURES.index(name) for name in _EVIDENCE)
_LEAST = math.log(1e-4)  # less likely words say no more


class Sources(NamedTuple):
    """What the source's own commits say of each atom: the evidence before any answer, by commit;
    the commits it came with; and whether one of these has the name of a wished one."""

    evidence: Sequence[Table]
    origins: Sequence[Origin]
    named: Sequence[bool]


def rate_atoms(features: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """How likely each atom is where it was placed, 0 to 1, by logistic regression."""
    odds = [sum(map(mul, each, weights)) for each in features]
    # Beyond these bounds the exponential says nothing more, and would overflow at last.
    return [1 / (1 + math.exp(-min(max(value, -30.0), 30.0))) for value in odds]


def read_features(
    order: Order, facts: Sequence[Facts], sources: Sources | None
) -> list[tuple[float, ...]]:
    """``FEATURES`` of each atom in its commit; ``SQUASHED`` without ``sources``."""
    odds: dict[int, float] = {}
    beside: dict[int, float] = {}  # what else counts of a whole unit
    for unit, label in zip(order.units, order.labels, strict=True):
        # The log odds of 0 and of 1 are infinite.
        held = min(max(find_probability(unit.logs, label), 1e-6), 1 - 1e-6)
        odds.update(dict.fromkeys(unit.atoms, math.log(held / (1 - held))))
        size = len(unit.logs) if sources is None else sum(facts[at].size for at in unit.atoms)
        beside.update(dict.fromkeys(unit.atoms, math.log(size)))
    basic = [(odds[at], 1.0, beside[at]) for at in range(len(facts))]
    return list(basic) if sources is None else _add_sources(basic, order, facts, sources)


def _add_sources(
    basic: Sequence[tuple[float, ...]], order: Order, facts: Sequence[Facts], sources: Sources
) -> list[tuple[float, ...]]:
    labels = order.label_atoms()
    masses = _Masses(facts, labels, sources.origins)
    return [
        (
            *basic[at],
            *_pick_evidence(sources.evidence[at][label]),
            float(sources.named[at]),
            *masses.read(at, label),
        )
        for at, label in enumerate(labels)
    ]


def _pick_evidence(vector: Sequence[float]) -> tuple[float, ...]:
    words, *others = (vector[column] for column in _COLUMNS)
    return max(words, _LEAST), *others


class _Masses:
    """How the lines of a plan, and of each source commit, are spread over its commits."""

    def __init__(
        self, facts: Sequence[Facts], labels: Sequence[int], origins: Sequence[Origin]
    ) -> None:
        self._origins = origins
        self._in_commit: dict[int, float] = {}
        self._in_source: dict[int, float] = {}
        self._in_both: dict[tuple[int, int], float] = {}
        for one, label, origin in zip(facts, labels, origins, strict=True):
            self._in_commit[label] = self._in_commit.get(label, 0.0) + one.weight
            total = sum(origin.values())
            for source, lines in origin.items():
                part = one.weight * lines / total
                self._in_source[source] = self._in_source.get(source, 0.0) + part
                both = source, label
                self._in_both[both] = self._in_both.get(both, 0.0) + part
        self._all = sum(self._in_commit.values())

    def read(self, at: int, label: int) -> tuple[float, float, float]:
        """The part of all lines in an atom's commit, the part of those of its source commit that
        are there, and the logarithm of how many these are."""
        origin = self._origins[at]
        total = sum(origin.values())
        inside = whole = 0.0
        for source, lines in origin.items():
            part, mass = lines / total, self._in_source[source]
            inside += part * self._in_both.get((source, label), 0.0) / mass
            whole += part * mass
        return self._in_commit[label] / self._all, inside, math.log(whole + 1)
