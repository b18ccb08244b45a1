"""Hunks that seem to be one change, found without knowing how many changes there are.

Two hunks are in one commit with log odds that are a weighted sum of the ways in which they are
alike (``planner.likeness``), fitted on pairs of real branches. Clusters of the greatest mean log
odds are merged until none is left above a limit: average linkage (Sokal & Michener 1958).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.retcon.planner.likeness import Relation

Pair = tuple[int, int]  # the lower one first


class PairWeights(NamedTuple):
    """Log odds of two hunks: what any two have, one weight a relation, and where merging ends."""

    bias: float
    relations: Sequence[float]
    limit: float


def compare_pairs(relations: Sequence[Relation]) -> list[dict[Pair, float]]:
    """For each relation, how much two hunks are alike by it; what is not there is 0."""
    return [_compare_by(relation) for relation in relations]


def _compare_by(relation: Relation) -> dict[Pair, float]:
    writers: dict[object, list[tuple[int, float]]] = {}
    for at, keys in enumerate(relation.writes):
        for key, part in keys:
            writers.setdefault(key, []).append((at, part))
    found: dict[Pair, float] = {}
    for reader, keys in enumerate(relation.reads):
        for key, part in keys:
            for writer, other in writers.get(key, ()):
                if writer != reader:
                    pair = (reader, writer) if reader < writer else (writer, reader)
                    found[pair] = max(found.get(pair, 0.0), part * other)
    return found


def weigh_pairs(relations: Sequence[Relation], weights: PairWeights) -> dict[Pair, float]:
    """The log odds of every pair that is alike in some way, less the bias."""
    found: dict[Pair, float] = {}
    for relation, weight in zip(relations, weights.relations, strict=True):
        if weight:
            for pair, value in _compare_by(relation).items():
                found[pair] = found.get(pair, 0.0) + weight * value
    return found


def find_clusters(
    groups: Sequence[Sequence[int]],
    sizes: Sequence[float],
    odds: Mapping[Pair, float],
    weights: PairWeights,
) -> list[list[int]]:
    """Clusters of hunks, out of groups that stay together; ``sizes`` are by hunk."""
    return _Clustering(groups, sizes, odds, weights).merge_all()


class _Clustering:
    """Sums of log odds between clusters, and for each cluster its best partner."""

    def __init__(
        self,
        groups: Sequence[Sequence[int]],
        sizes: Sequence[float],
        odds: Mapping[Pair, float],
        weights: PairWeights,
    ) -> None:
        self._members = {at: list(group) for at, group in enumerate(groups)}
        self._masses = {at: sum(sizes[each] for each in group) for at, group in enumerate(groups)}
        self._weights = weights
        owner = {each: at for at, group in enumerate(groups) for each in group}
        self._sums: dict[int, dict[int, float]] = {at: {} for at in self._members}
        for (one, other), value in odds.items():
            a, b = owner[one], owner[other]
            if a != b:
                more = value * sizes[one] * sizes[other]
                self._sums[a][b] = self._sums[b][a] = self._sums[a].get(b, 0.0) + more
        self._best = {at: self._find_best(at) for at in self._members}

    def merge_all(self) -> list[list[int]]:
        while len(self._members) > 1:
            value, at, other = max(
                (value, -at, -other) for at, (value, other) in self._best.items()
            )
            if value < self._weights.limit:
                break
            self._merge_clusters(-at, -other)
        return [sorted(members) for members in self._members.values()]

    def _find_mean(self, a: int, b: int) -> float:
        total = self._sums[a].get(b, 0.0)
        return self._weights.bias + total / (self._masses[a] * self._masses[b])

    def _find_best(self, at: int) -> tuple[float, int]:
        # Clusters that are alike in no way are never merged: all of them have the same odds.
        means = ((self._find_mean(at, other), -other) for other in self._sums[at])
        value, other = max(means, default=(-1e9, 0))
        return value, -other

    def _merge_clusters(self, a: int, b: int) -> None:
        self._members[a] += self._members.pop(b)
        self._masses[a] += self._masses.pop(b)
        del self._best[b]
        for other, value in self._sums.pop(b).items():
            del self._sums[other][b]
            if other != a:
                self._sums[a][other] = self._sums[other][a] = self._sums[a].get(other, 0.0) + value
        self._best[a] = self._find_best(a)
        for other in self._sums[a]:
            value, partner = self._best[other]
            if partner in (a, b):
                # It is gone, or another cluster than it was.
                self._best[other] = self._find_best(other)
            else:
                value, least = max((value, -partner), (self._find_mean(other, a), -a))
                self._best[other] = value, -least
