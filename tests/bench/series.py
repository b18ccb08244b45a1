"""Real series of commits of a clone, newest first, as their authors left them.

A series is a merged branch: the second parent's side of a merge, 3 to 8 commits in a row. Where a
project squashes, and these run out, it is 3 to 8 commits in a row on the trunk.
Only series of text that touch code are taken: a build says nothing about the others.
"""

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from git_retcon.git.repository import Repository

FEWEST, MOST = 3, 8


@dataclass(frozen=True)
class Series:
    """``kind`` is "merged" or "run"; ``commits`` are oldest first, the first one on ``base``."""

    kind: str
    base: str
    commits: tuple[str, ...]

    @property
    def tip(self) -> str:
        return self.commits[-1]


def series_of(repository: Repository, suffixes: Collection[str]) -> Iterator[Series]:
    """Merged branches that fit, newest first, and after them runs, newest first."""
    trunk = _listed(repository, "--first-parent", "HEAD")
    for series in (*_merged(repository, trunk), *_runs(trunk)):
        if _fits(repository, series, suffixes):
            yield series


def _listed(repository: Repository, *arguments: str) -> list[list[str]]:
    """Every commit with its parents, newest first."""
    out = repository.git.run("rev-list", "--topo-order", "--parents", *arguments)
    return [line.split() for line in out.decode("ascii").splitlines()]


def _merged(repository: Repository, trunk: list[list[str]]) -> Iterator[Series]:
    for _, *parents in trunk:
        if len(parents) != 2:
            continue
        base = repository.git.try_run("merge-base", *parents).stdout.decode().strip()
        side = _listed(repository, f"{base}..{parents[1]}") if base else []
        if FEWEST <= len(side) <= MOST and all(len(each) == 2 for each in side):
            yield Series("merged", base, tuple(each[0] for each in reversed(side)))


def _runs(trunk: list[list[str]]) -> Iterator[Series]:
    chance = random.Random(1)
    at = 0
    while at < len(trunk):
        run = trunk[at : at + chance.randint(FEWEST, MOST)]
        at += len(run)
        if len(run) >= FEWEST and all(len(each) == 2 for each in run):
            yield Series("run", run[-1][1], tuple(each[0] for each in reversed(run)))


def _fits(repository: Repository, series: Series, suffixes: Collection[str]) -> bool:
    out = repository.git.run("diff", "--numstat", "-z", "--no-renames", series.base, series.tip)
    rows = [row.split("\t", 2) for row in out.decode("utf-8", "replace").split("\0") if row]
    is_text = all(added != "-" for added, _, _ in rows)
    return is_text and any(path.endswith(tuple(suffixes)) for _, _, path in rows)
