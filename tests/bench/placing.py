"""How well the offline planner places atoms, beside simple baselines, on clones it never saw.

    python -m tests.bench.placing CLONE... [--branches 40]

Prints, as means over branches: label accuracy by lines, and the adjusted Rand index (Hubert and
Arabie 1985), for three inputs: messages alone, with hints, and with a messy source history.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from git_retcon.retcon.planner import features, plan
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.spec.model import LogicalCommit
from tests.bench.branches import Branch, Messy, branches_of, hinted, messy

Labels = Mapping[str, int]
_NO_HISTORY = Messy({}, ())


def all_in_largest(branch: Branch, commits: Sequence[LogicalCommit]) -> Labels:
    """The oracle that knows which commit is largest."""
    lines: Counter[int] = Counter()
    for shares in branch.truth.values():
        lines.update(shares)
    largest = max(sorted(lines), key=lambda k: lines[k])
    return dict.fromkeys(branch.truth, largest)


def bm25(branch: Branch, commits: Sequence[LogicalCommit]) -> Labels:
    """The commit whose words score highest, fields weighed by hand."""
    facts = read_facts(branch.difference)
    found: dict[str, int] = {}
    row_of_all = features.FEATURES.index("all: row")
    for one, row in zip(
        facts, features.word_features(facts, read_descriptions(commits)), strict=True
    ):
        found[one.atom.id] = max(
            sorted(row), key=lambda k: row[k][row_of_all], default=len(commits) - 1
        )
    return found


def ours(branch: Branch, commits: Sequence[LogicalCommit], mess: Messy = _NO_HISTORY) -> Labels:
    task = plan.Task(
        branch.difference, commits, range(len(commits)),
        origin=mess.origin, subjects=mess.subjects,
    )  # fmt: skip
    return {atom: placed.commit for atom, placed in plan.make_plan(task).placements.items()}


def accuracy(branch: Branch, labels: Labels) -> float:
    """The share of lines placed in the commit that wrote them."""
    right = sum(shares.get(labels[atom], 0) for atom, shares in branch.truth.items())
    return right / sum(sum(shares.values()) for shares in branch.truth.values())


def adjusted_rand(branch: Branch, labels: Labels) -> float:
    """Agreement of the two partitions of lines, 0 for chance and 1 for equality."""
    table: Counter[tuple[int, int]] = Counter()
    for atom, shares in branch.truth.items():
        for truth, lines in shares.items():
            table[truth, labels[atom]] += lines

    def choose(counts: Iterable[int]) -> float:
        return sum(n * (n - 1) / 2 for n in counts)

    truths: Counter[int] = Counter()
    ours_: Counter[int] = Counter()
    for (truth, own), lines in table.items():
        truths[truth] += lines
        ours_[own] += lines
    both, one, two = (choose(each.values()) for each in (table, truths, ours_))
    total = choose([sum(truths.values())])
    expected = one * two / total if total else 0.0
    most = (one + two) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    branches = [
        branch
        for clone in options.clones
        for branch in branches_of(clone, options.branches, options.seed)
    ]
    atoms = sum(len(branch.difference.atoms) for branch in branches)
    print(f"{len(branches)} branches, {atoms} atoms")
    hints = {b.name: hinted(b, random.Random(options.seed)) for b in branches}
    messes = {b.name: messy(b, random.Random(options.seed)) for b in branches}
    ways: dict[str, Callable[[Branch], Labels]] = {
        "all in the largest (oracle)": lambda b: all_in_largest(b, b.commits),
        "best words (BM25)": lambda b: bm25(b, b.commits),
        "ours, messages": lambda b: ours(b, b.commits),
        "ours, hints": lambda b: ours(b, hints[b.name]),
        "ours, messy history": lambda b: ours(b, b.commits, messes[b.name]),
        "ours, messy history and hints": lambda b: ours(b, hints[b.name], messes[b.name]),
    }
    print(f"{'':32} accuracy    ARI  seconds")
    for name, way in ways.items():
        begun = time.perf_counter()
        labels = [way(branch) for branch in branches]
        seconds = time.perf_counter() - begun
        right = [accuracy(b, own) for b, own in zip(branches, labels, strict=True)]
        rand = [adjusted_rand(b, own) for b, own in zip(branches, labels, strict=True)]
        print(
            f"{name:32} {sum(right) / len(right):8.3f} {sum(rand) / len(rand):6.3f} {seconds:8.1f}"
        )


if __name__ == "__main__":
    main()
