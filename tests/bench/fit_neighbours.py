"""Fit what hunks alike say of each other before any answer, on branches of real clones.

    pip install numpy scipy          # for this script only; the package needs neither
    python -m tests.bench.fit_neighbours CLONE... [--branches 30] [--output FILE]

Softmax cross entropy of every hunk that more than one commit may have, against the share of its
lines that each commit wrote, without hints and with them; a hunk weighs its lines over its
branch's; L2 of .003 on weights whose features are divided by their standard deviation. Squashed
sources and those with commits of their own are fitted apart. The rest of the weights stays; take
clones that ``fit`` did not have, and run ``fit_answers`` and ``fit_confidence`` after it.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from git_retcon.retcon.planner import weights
from git_retcon.retcon.planner.spreading import Spreading
from tests.bench.branches import Branch, Messy, branches_of, hinted, messy, name_of
from tests.bench.fit_answers import fit, pairs, write_weights
from tests.bench.fit_confidence import make_planner

_L2 = 0.003


def read_inputs(
    branch: Branch, seed: int, *, has_history: bool
) -> Iterator[tuple[Branch, Spreading]]:
    """The features of a branch without hints and with them, None where nothing is to choose."""
    for commits in (branch.commits, hinted(branch, random.Random(seed))):
        given = replace(branch, commits=commits)
        mess = messy(given, random.Random(seed)) if has_history else Messy({}, ())
        found = make_planner(given, mess).read_neighbours()
        yield given, [None if each is None else list(each.values()) for each in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    here = Path(weights.__file__).with_name("weights.json")
    parser.add_argument("--output", type=Path, default=here)
    options = parser.parse_args()
    found: dict[bool, list[tuple[Branch, Spreading]]] = {False: [], True: []}
    for clone in options.clones:
        for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
            for has_history, inputs in found.items():
                inputs += read_inputs(branch, options.seed + at, has_history=has_history)
        print(f"{clone}: {len(found[False])} inputs", flush=True)
    fitted = [fit(pairs(found[has_history]), _L2) for has_history in (False, True)]
    write_weights(options.output, "neighbours", fitted, list(map(name_of, options.clones)))


if __name__ == "__main__":
    main()
