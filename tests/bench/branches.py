"""Real branches of local clones with the truth about every atom, for fitting and measuring.

A branch is 3 to 8 commits with good messages, either merged from a side branch or in a row on the
trunk. Squashed, its difference is what the planner sees; who introduced which line is the truth.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.graph import read_commit
from git_retcon.git.provenance import History
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon.branch.granularity import StatementGranularity
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.spec.model import LogicalCommit

MOST_LINES = 2_500
_MOST_HINTS = 8
_POOR = re.compile(
    r"\b(?:wip|lint|review|feedback|typos?|merge|revert|bump|release|version)\b", re.IGNORECASE
)

Shares = Mapping[int, int]


@dataclass(frozen=True)
class Branch:
    """One squashed branch. ``truth`` gives lines by commit for every atom that is known."""

    name: str
    difference: Difference
    commits: tuple[LogicalCommit, ...]
    truth: Mapping[str, Shares]


@dataclass(frozen=True)
class Messy:
    """A made-up messy history of a branch: origins by atom and the source commits' subjects."""

    origin: Mapping[str, Shares]
    subjects: tuple[str, ...]


def name_of(clone: Path) -> str:
    """What a clone is called: by its folder, or by the one above a git directory in it."""
    clone = clone.resolve()
    name = clone.parent.name if clone.name in ("repo", ".git") else clone.name
    return name.removesuffix(".git").replace("+", "/")


def branches_of(clone: Path, count: int, seed: int = 1) -> Iterator[Branch]:
    """Up to ``count`` branches of a clone, in an order fixed by ``seed``."""
    repository = open_repository(clone)
    candidates = [*_merged(repository), *_runs(repository, random.Random(seed))]
    random.Random(seed).shuffle(candidates)
    found = 0
    for base, oids in candidates:
        if found == count:
            return
        try:
            branch = _branch(repository, name_of(clone), base, oids)
        except Fatal:  # a clone may lack its largest blobs
            continue
        if branch is not None:
            found += 1
            yield branch


def _listed(repository: Repository, *arguments: str) -> list[list[str]]:
    """Every commit with its parents, oldest first."""
    out = repository.git.run("rev-list", "--reverse", "--parents", *arguments)
    return [line.split() for line in out.decode("ascii").splitlines()]


def _merged(repository: Repository) -> Iterator[tuple[str, list[str]]]:
    for _, *parents in _listed(repository, "--first-parent", "--merges", "HEAD")[-400:]:
        if len(parents) != 2:
            continue
        base = repository.git.try_run("merge-base", *parents).stdout.decode().strip()
        chain = _listed(repository, f"{base}..{parents[1]}") if base else []
        if 3 <= len(chain) <= 8 and all(len(each) == 2 for each in chain):
            yield base, [each[0] for each in chain]


def _runs(repository: Repository, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    trunk = _listed(repository, "--first-parent", "HEAD")[-3_000:]
    at = 1
    while at < len(trunk):
        run = trunk[at : at + chance.randint(3, 8)]
        at += len(run)
        if len(run) >= 3 and all(len(each) == 2 for each in run):
            yield run[0][1], [each[0] for each in run]


def _branch(repository: Repository, project: str, base: str, oids: Sequence[str]) -> Branch | None:
    history = History.read(repository, base, [read_commit(repository, oid) for oid in oids])
    messages = [commit.message for commit in history.commits]
    subjects = [commit.subject for commit in history.commits]
    good = all(len(each.split()) >= 3 and not _POOR.search(each) for each in subjects)
    if not good or len(set(subjects)) < len(subjects):
        return None
    trees = [repository.git.line("rev-parse", f"{each}^{{tree}}") for each in (base, oids[-1])]
    coarse = compare_trees(repository, *trees)
    if sum(len(atom.added) + len(atom.removed) for atom in coarse.atoms) > MOST_LINES:
        return None
    whole = compare_trees(repository, *trees, granularity=StatementGranularity())
    origin = history.of(whole).origin
    alive = sorted({position for shares in origin.values() for position in shares})
    if len(alive) < 2:
        return None
    place = {position: at for at, position in enumerate(alive)}
    return Branch(
        name=f"{project}:{oids[-1][:10]}",
        difference=whole,
        commits=tuple(LogicalCommit(messages[position]) for position in alive),
        truth={
            atom: {place[position]: lines for position, lines in shares.items()}
            for atom, shares in origin.items()
        },
    )


def hinted(
    branch: Branch, chance: random.Random, dropped: float = 0.2
) -> tuple[LogicalCommit, ...]:
    """The commits with hints that name their files and definitions, some left out."""
    files: list[dict[str, None]] = [{} for _ in branch.commits]
    names: list[dict[str, None]] = [{} for _ in branch.commits]
    for one in read_facts(branch.difference):
        for k in branch.truth.get(one.atom.id, {}):
            files[k][one.atom.path.decode("utf-8", "replace")] = None
            for name in one.names[:1]:
                names[k][name] = None
    found = []
    for commit, own_files, own_names in zip(branch.commits, files, names, strict=True):
        kept = [
            [name for name in own if chance.random() >= dropped][:_MOST_HINTS]
            for own in (own_files, own_names)
        ]
        text = f"{', '.join(kept[0])}: {', '.join(kept[1])}"
        found.append(LogicalCommit(commit.message, hints=text if any(kept) else ""))
    return tuple(found)


def messy(branch: Branch, chance: random.Random) -> Messy:
    """Commits cut into parts, neighbours merged, some swapped, some late; most subjects lost."""
    parts: list[tuple[str, dict[str, int]]] = []
    late: list[tuple[str, dict[str, int]]] = []
    honest = chance.random() < 0.3
    for k, commit in enumerate(branch.commits):
        mine = _parts(branch, k, chance)
        for at, part in enumerate(mine):
            subject = commit.subject if honest and at == 0 else "wip"
            is_late = at and chance.random() < 0.2
            (late if is_late else parts).append((subject, part))
    steps = _merged_parts(parts, chance)
    if chance.random() < 0.5:
        for at in range(len(steps) - 1):
            if chance.random() < 0.3:
                steps[at], steps[at + 1] = steps[at + 1], steps[at]
    steps += late
    origin: dict[str, dict[int, int]] = {}
    for position, (_, atoms) in enumerate(steps):
        for atom, lines in atoms.items():
            held = origin.setdefault(atom, {})
            held[position] = held.get(position, 0) + lines
    return Messy(origin, tuple(subject for subject, _ in steps))


def _parts(branch: Branch, k: int, chance: random.Random) -> list[dict[str, int]]:
    mine = [(atom, shares[k]) for atom, shares in branch.truth.items() if k in shares]
    count = chance.randint(1, 3)
    by_file = chance.random() < 0.5
    place: dict[bytes, int] = {}
    parts: list[dict[str, int]] = [{} for _ in range(count)]
    for atom, lines in mine:
        path = branch.difference[atom].path
        at = place.setdefault(path, chance.randrange(count)) if by_file else chance.randrange(count)
        parts[at][atom] = lines
    return [part for part in parts if part]


def _merged_parts(
    parts: Sequence[tuple[str, dict[str, int]]], chance: random.Random
) -> list[tuple[str, dict[str, int]]]:
    steps: list[tuple[str, dict[str, int]]] = []
    for subject, part in parts:
        if steps and chance.random() < 0.3:
            last = steps[-1][1]
            for atom, lines in part.items():
                last[atom] = last.get(atom, 0) + lines
        else:
            steps.append((subject, dict(part)))
    return steps
