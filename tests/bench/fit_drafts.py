"""Fit how sure it is that two hunks belong to one commit, on branches of real clones.

    pip install numpy scipy          # for this script only; the package needs neither
    python -m tests.bench.fit_drafts CLONE... [--branches 10] [--output FILE]

Logistic regression over pairs of hunks (at most 1,500 of a branch, each branch weighing the same):
whether one commit wrote most lines of both, by the relations of ``planner/likeness.py``; L2 of .002
on weights whose features are divided by their standard deviation. Then the limit below which
clusters are no longer merged is the one of the best mean adjusted Rand index. Squashed sources and
those with commits of their own are fitted apart. Writes what ``drafting/pairs.json`` holds.
"""

import argparse
import json
import random
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from git_retcon.retcon.drafting.clusters import (
    PairWeights,
    compare_pairs,
    find_clusters,
    weigh_pairs,
)
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from tests.bench.branches import Branch, Messy, branches_of, messy, name_of
from tests.bench.fit import Array
from tests.bench.placing import adjusted_rand
from tests.bench.review import find_author

_MOST_PAIRS = 1_500
_MOST_HUNKS = 250  # every pair of a branch is looked at
_L2 = 0.002
_LIMITS = (-1.2, -0.8, -0.5, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.6, 2.0)


class Sample(NamedTuple):
    """A branch with what is read of its hunks."""

    branch: Branch
    planner: Planner


class Pairs(NamedTuple):
    """One row a pair: how alike it is, whether it is of one commit (0 or 1), and its weight."""

    alike: Array
    together: Array
    weight: Array


def main() -> None:
    options = _options()
    branches = [
        branch
        for clone in options.clones
        for branch in branches_of(clone, options.branches, options.seed)
        if len(branch.difference.atoms) <= _MOST_HUNKS
    ]
    found = []
    for has_history in (False, True):
        samples = [
            _read_sample(branch, at, has_history=has_history) for at, branch in enumerate(branches)
        ]
        found.append(_choose_limit(samples, _fit_weights(_list_pairs(samples))))
    named = sorted(map(name_of, options.clones))
    weights = [each._asdict() for each in found]
    options.output.write_text(json.dumps({"fitted on": named, "weights": weights}) + "\n", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=10, metavar="N", help="of each clone")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--output", type=Path, default=Path("pairs.json"), metavar="FILE")
    return parser.parse_args()


def _read_sample(branch: Branch, seed: int, *, has_history: bool) -> Sample:
    mess = messy(branch, random.Random(seed)) if has_history else Messy({}, ())
    count = range(len(branch.commits))
    task = Task(
        branch.difference, branch.commits, count, origin=mess.origin, subjects=mess.subjects
    )
    return Sample(branch, Planner(task))


def _list_pairs(samples: list[Sample]) -> Pairs:
    chance = random.Random(5)
    alike, together, weight = [], [], []
    for branch, planner in samples:
        compared = compare_pairs(planner.relations)
        ids = [atom.id for atom in branch.difference.atoms]
        authors = {
            at: find_author(branch.truth[each])
            for at, each in enumerate(ids)
            if each in branch.truth
        }
        pairs = list(combinations(authors, 2))
        chance.shuffle(pairs)
        chosen = pairs[:_MOST_PAIRS]
        for a, b in chosen:
            alike.append([values.get((a, b), 0.0) for values in compared])
            together.append(float(authors[a] == authors[b]))
            weight.append(1 / len(chosen))
    return Pairs(np.array(alike), np.array(together), np.array(weight))


def _fit_weights(pairs: Pairs) -> PairWeights:
    """The weights, with no limit yet."""
    scale = np.maximum(pairs.alike.std(0), 1e-3)
    features, total = pairs.alike / scale, pairs.weight.sum()

    def measure(values: Array) -> tuple[float, Array]:
        score = values[0] + features @ values[1:]
        # log(1 + exp(score)) - together * score, which does not overflow
        loss = np.logaddexp(0, score) - pairs.together * score
        slope = pairs.weight * (1 / (1 + np.exp(-score)) - pairs.together) / total
        regular = _L2 * (values[1:] ** 2).sum()
        gradient = np.concatenate([[slope.sum()], features.T @ slope + 2 * _L2 * values[1:]])
        return float((pairs.weight * loss).sum() / total + regular), gradient

    start = np.zeros(features.shape[1] + 1)
    best = minimize(measure, start, jac=True, method="L-BFGS-B").x
    relations = [round(float(value), 4) for value in best[1:] / scale]
    return PairWeights(round(float(best[0]), 4), relations, 0.0)


def _choose_limit(samples: list[Sample], weights: PairWeights) -> PairWeights:
    def measure(limit: float) -> float:
        return mean(_score_draft(one, weights._replace(limit=limit)) for one in samples)

    scores = {limit: measure(limit) for limit in _LIMITS}
    for limit, score in scores.items():
        print(f"limit {limit}: adjusted Rand index {score:.3f}")
    return weights._replace(limit=max(scores, key=lambda limit: scores[limit]))


def _score_draft(sample: Sample, weights: PairWeights) -> float:
    planner = sample.planner
    sizes = [one.weight for one in planner.facts]
    odds = weigh_pairs(planner.relations, weights)
    clusters = find_clusters(planner.group_atoms(), sizes, odds, weights)
    ids = [atom.id for atom in sample.branch.difference.atoms]
    labels = {ids[at]: number for number, cluster in enumerate(clusters) for at in cluster}
    return adjusted_rand(sample.branch, labels)


if __name__ == "__main__":
    main()
