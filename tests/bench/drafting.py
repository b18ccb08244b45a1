"""How well a branch is cut into commits when nobody says how many there are.

    python -m tests.bench.drafting CLONE... [--branches 20]

Prints, as means over branches, the adjusted Rand index (Hubert and Arabie 1985) of lines beside the
author's commits, and how many commits there are for one of the author's: of what ``git retcon
plan`` drafts, of one commit a file and of one a directory; for a squashed source, and for one with
commits of its own, made from the author's by a seeded cut.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from git_retcon.git.atoms import Atom
from git_retcon.retcon.drafting.drafted_commits import cluster_atoms
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.spec.model import LogicalCommit
from tests.bench.branches import Branch, Messy, branches_of, messy
from tests.bench.placing import adjusted_rand

Labels = Mapping[str, int]


def draft(branch: Branch, mess: Messy) -> Labels:
    """The draft's clusters; the author's messages are not read."""
    commits = [LogicalCommit("All")]
    task = Task(branch.difference, commits, [0], {}, mess.origin, mess.subjects)
    clusters = cluster_atoms(Planner(task), has_history=bool(mess.origin))
    atoms = branch.difference.atoms
    return {atoms[at].id: k for k, cluster in enumerate(clusters) for at in cluster}


def _label_by(branch: Branch, key: Callable[[Atom], bytes]) -> Labels:
    numbers: dict[bytes, int] = {}
    return {
        atom.id: numbers.setdefault(key(atom), len(numbers)) for atom in branch.difference.atoms
    }


def _ways(seed: int) -> Iterator[tuple[str, Callable[[Branch], Labels]]]:
    yield "drafted, squashed", lambda branch: draft(branch, Messy({}, ()))
    yield (
        "drafted, own commits",
        lambda branch: draft(branch, messy(branch, random.Random(seed))),
    )
    yield "one a file", lambda branch: _label_by(branch, lambda atom: atom.path)
    yield (
        "one a directory",
        lambda branch: _label_by(branch, lambda atom: atom.path.rpartition(b"/")[0]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=20, metavar="N", help="of each clone")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    branches = [
        branch
        for clone in options.clones
        for branch in branches_of(clone, options.branches, options.seed)
    ]
    print(f"| {len(branches)} branches | ARI | commits for one of the author's |")
    print("| --- | --: | --: |")
    for name, label in _ways(options.seed):
        found = [(branch, label(branch)) for branch in branches]
        rand = sum(adjusted_rand(*each) for each in found) / len(found)
        many = sum(len(set(own.values())) / len(branch.commits) for branch, own in found)
        print(f"| {name} | {rand:.3f} | {many / len(found):.2f} |")


if __name__ == "__main__":
    main()
