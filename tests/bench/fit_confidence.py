"""Fit how sure a plan is of each hunk, on branches of real clones.

    pip install numpy scipy          # for this script only; the package needs neither
    python -m tests.bench.fit_confidence CLONE... [--branches 12] [--output FILE]

Logistic regression of the share of a hunk's lines that are in the commit that wrote them, all
lines and all branches counting the same; L2 of .001 on weights whose features are divided by their
standard deviation. Fitted three times: for squashed sources, for sources with commits of their own,
and for these after pages that are answered with the truth. The rest of the weights stays; take
clones that ``fit`` did not have, and measure on others again (``reliability``).
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from git_retcon.retcon.planner import weights
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from tests.bench import review
from tests.bench.branches import Branch, Messy, branches_of, messy, name_of
from tests.bench.fit import Array
from tests.bench.fit_answers import write_weights

_AFTER = (1, 4)  # pages
_L2 = 1e-3


class Hunk(NamedTuple):
    """One open hunk of a plan: what tells how sure it is, the share of its lines that is right,
    how many they are, and which part of its branch."""

    features: Sequence[float]
    right: float
    lines: int
    part: float


def make_planner(branch: Branch, mess: Messy) -> Planner:
    """What plans a branch from its messages."""
    count = range(len(branch.commits))
    return Planner(Task(branch.difference, branch.commits, count, {}, mess.origin, mess.subjects))


def read_asked(branch: Branch, mess: Messy, seed: int) -> Iterator[Hunk]:
    """The open hunks after some pages."""
    planner = make_planner(branch, mess)
    place = {atom.id: at for at, atom in enumerate(branch.difference.atoms)}
    for asked, answers in enumerate(review.answer_pages(branch, mess, "value", seed)):
        if asked in _AFTER:
            yield from read_hunks(branch, planner, {place[each]: k for each, k in answers.items()})
        if asked == _AFTER[-1]:
            return


def read_hunks(branch: Branch, planner: Planner, answers: Mapping[int, int]) -> Iterator[Hunk]:
    """The hunks of a plan that are not answered."""
    order, features = planner.read_confidence(answers)
    total = sum(sum(shares.values()) for shares in branch.truth.values())
    labels = order.label_atoms()
    for at, atom in enumerate(branch.difference.atoms):
        shares = branch.truth.get(atom.id)
        if shares and at not in answers:
            lines = sum(shares.values())
            yield Hunk(features[at], shares.get(labels[at], 0) / lines, lines, lines / total)


def fit_hunks(hunks: Sequence[Hunk]) -> list[float]:
    """The weights of ``confidence.FEATURES``."""
    dense: Array = np.array([each.features for each in hunks])
    right, lines, part = (np.array(column) for column in list(zip(*hunks, strict=True))[1:])
    mass = lines / lines.sum() + part / part.sum()
    deviation = dense.std(axis=0)
    # The constant has none: it stays one.
    scale = np.where(deviation > 1e-6, deviation, 1.0)
    dense = dense / scale

    def objective(point: Array) -> tuple[float, Array]:
        p = 1 / (1 + np.exp(-np.clip(dense @ point, -30, 30)))
        loss = right * np.log(p + 1e-9) + (1 - right) * np.log(1 - p + 1e-9)
        slope = dense.T @ (mass * (p - right))
        return _L2 * (point**2).sum() - (mass * loss).sum(), slope + 2 * _L2 * point

    best = minimize(objective, np.zeros(dense.shape[1]), jac=True, method="L-BFGS-B").x
    return [round(float(value), 4) for value in best / scale]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    here = Path(weights.__file__).with_name("weights.json")
    parser.add_argument("--output", type=Path, default=here)
    options = parser.parse_args()
    squashed: list[Hunk] = []
    own: list[Hunk] = []
    answered: list[Hunk] = []
    for clone in options.clones:
        for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
            seed = options.seed + at
            mess = messy(branch, random.Random(seed))
            squashed += read_hunks(branch, make_planner(branch, Messy({}, ())), {})
            own += read_hunks(branch, make_planner(branch, mess), {})
            answered += read_asked(branch, mess, seed)
        print(f"{clone}: {len(own)} hunks", flush=True)
    fitted = [fit_hunks(hunks) for hunks in (squashed, own, answered)]
    write_weights(options.output, "confidence", fitted, list(map(name_of, options.clones)))


if __name__ == "__main__":
    main()
