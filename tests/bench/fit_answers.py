"""Fit how answers spread to hunks alike, on branches of real clones.

    pip install numpy scipy          # for this script only; the package needs neither
    python -m tests.bench.fit_answers CLONE... [--branches 10] [--output FILE]

Softmax cross entropy of every hunk that is still open, against the share of its lines that each
commit wrote, after 1, 2, 4 and 8 pages answered with the truth; a hunk weighs its lines over its
branch's; L2 of .01 on weights whose features are divided by their standard deviation. Squashed
sources and those with commits of their own are fitted apart. The rest of the weights stays; take
clones that ``fit`` did not have.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from git_retcon.retcon.planner import weights
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.planner.spreading import Spreading
from tests.bench import review
from tests.bench.branches import Branch, Messy, branches_of, messy, name_of
from tests.bench.fit import Array, Pairs, softmax_loss

_AFTER = (1, 2, 4, 8)  # pages
_L2 = 0.01


def spreadings(branch: Branch, mess: Messy, seed: int) -> Iterator[Spreading]:
    """What the answers say after some pages."""
    task = Task(
        branch.difference, branch.commits, range(len(branch.commits)),
        origin=mess.origin, subjects=mess.subjects,
    )  # fmt: skip
    planner = Planner(task)
    place = {atom.id: at for at, atom in enumerate(branch.difference.atoms)}
    for asked, answers in enumerate(review.answer_pages(branch, mess, "value", seed)):
        if asked in _AFTER:
            yield planner.read_spreading({place[each]: k for each, k in answers.items()})


def pairs(found: Iterable[tuple[Branch, Spreading]]) -> Pairs:
    """All open hunks times commits, flat."""
    dense, target, weight, starts = [], [], [], [0]
    for branch, spreading in found:
        total = sum(sum(shares.values()) for shares in branch.truth.values())
        for atom, vectors in zip(branch.difference.atoms, spreading, strict=True):
            shares: Mapping[int, int] = branch.truth.get(atom.id, {})
            if vectors is None or not shares:
                continue
            lines = sum(shares.values())
            for k, vector in enumerate(vectors):
                dense.append(vector)
                target.append(shares.get(k, 0) / lines)
                weight.append(lines / total)
            starts.append(len(dense))
    begin = np.array(starts[:-1])
    owner = np.repeat(np.arange(len(begin)), np.diff(np.array(starts)))
    empty = np.zeros(0)
    return Pairs(np.array(dense), empty, empty, np.array(target), np.array(weight), begin, owner)


def fit(flat: Pairs, penalty: float) -> list[float]:
    """The weights of one step; ``penalty`` is that of L2."""
    scale: Array = np.maximum(flat.dense.std(axis=0), 1e-6)
    dense = flat.dense / scale

    def objective(point: Array) -> tuple[float, Array]:
        loss, slope = softmax_loss(dense @ point, flat)
        return loss + penalty * (point**2).sum(), slope @ dense + 2 * penalty * point

    best = minimize(objective, np.zeros(dense.shape[1]), jac=True, method="L-BFGS-B").x
    return [round(float(value), 4) for value in best / scale]


def write_weights(path: Path, part: str, fitted: list[list[float]], clones: list[str]) -> None:
    """Replace one part of the file of weights, and name the clones."""
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    data |= {part: fitted, f"{part} fitted on": sorted(clones)}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in data.items())
    path.write_text("{\n" + lines + "\n}\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    here = Path(weights.__file__).with_name("weights.json")
    parser.add_argument("--output", type=Path, default=here)
    options = parser.parse_args()
    found: dict[bool, list[tuple[Branch, Spreading]]] = {False: [], True: []}
    for clone in options.clones:
        for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
            seed = options.seed + at
            for has_history in found:
                mess = messy(branch, random.Random(seed)) if has_history else Messy({}, ())
                found[has_history] += [(branch, each) for each in spreadings(branch, mess, seed)]
        print(f"{clone}: {len(found[False])} states", flush=True)
    fitted = [fit(pairs(found[has_history]), _L2) for has_history in (False, True)]
    write_weights(options.output, "answers", fitted, list(map(name_of, options.clones)))


if __name__ == "__main__":
    main()
