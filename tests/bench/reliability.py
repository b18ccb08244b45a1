"""Whether what the planner calls sure is right: its confidence beside the author's truth.

    python -m tests.bench.reliability CLONE... [--branches 20]

For each range of confidence, the share of lines that are in the commit that wrote them, and how
much of everything the range holds: once with each line counting the same, once with each branch;
for a squashed source, and for one with commits of its own, made from the author's by a seeded cut.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.retcon.planner.plan import Task, make_plan
from tests.bench.branches import Branch, Messy, branches_of, messy

_LIMITS = (0.0, 0.6, 0.8, 0.9, 0.95)


class Row(NamedTuple):
    """One hunk: what was said of it, the share of its lines that is right, its lines, and which
    part of its branch they are."""

    confidence: float
    right: float
    lines: int
    part: float


def read_rows(branch: Branch, mess: Messy) -> Iterator[Row]:
    """The hunks of one plan whose author is known."""
    count = len(branch.commits)
    task = Task(branch.difference, branch.commits, range(count), {}, mess.origin, mess.subjects)
    placements = make_plan(task).placements
    total = sum(sum(shares.values()) for shares in branch.truth.values())
    for atom, shares in branch.truth.items():
        placed, lines = placements[atom], sum(shares.values())
        right = shares.get(placed.commit, 0) / lines
        yield Row(placed.reason.confidence, right, lines, lines / total)


def make_table(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """Markdown, a line for each range."""
    yield f"| {title} | right, by lines | of all lines | right, by branch | of each branch |"
    yield "| --- | --: | --: | --: | --: |"
    for low, high in zip(_LIMITS, (*_LIMITS[1:], 1.01), strict=True):
        own = [row for row in rows if low <= row.confidence < high]
        cells = [*_weigh(own, [row.lines for row in own], sum(row.lines for row in rows))]
        cells += _weigh(own, [row.part for row in own], sum(row.part for row in rows))
        yield f"| {low:.0%} to {min(high, 1):.0%} | {' | '.join(cells)} |"


def _weigh(own: Sequence[Row], weights: Sequence[float], total: float) -> tuple[str, str]:
    mass = sum(weights)
    if not mass:
        return "-", "0 %"
    right = sum(row.right * weight for row, weight in zip(own, weights, strict=True)) / mass
    return f"{right:.1%}", f"{mass / total:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=20, metavar="N", help="of each clone")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    squashed: list[Row] = []
    own: list[Row] = []
    for clone in options.clones:
        for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
            squashed += read_rows(branch, Messy({}, ()))
            own += read_rows(branch, messy(branch, random.Random(options.seed + at)))
    for title, rows in (("Squashed", squashed), ("Own commits", own)):
        print("\n".join(make_table(title, rows)), end="\n\n")


if __name__ == "__main__":
    main()
