"""Source commits with the subject of a logical commit: then nothing has to be guessed.

People who rebuild a branch to have every commit tested, or to reorder it, often keep its
subjects. Each atom then belongs where its lines came from, and words need not be weighed.
"""

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner.classifier import normalize_line
from git_retcon.retcon.planner.facts import Origin
from git_retcon.retcon.planner.permissions import Allowed
from git_retcon.retcon.planner.plan import Placement, Plan, Task
from git_retcon.retcon.spec.model import LogicalCommit

_ELSEWHERE = 0.02  # of a line: a commit may still have taken a line that another one names
# How often an atom is where its author put it when a source commit of that name had it
# (tests/bench/placing.py, on branches that nothing was fitted on).
_SURE = 0.96

Namesakes = Mapping[int, int]  # source commit → logical commit, both by position


def match_subjects(subjects: Sequence[str], commits: Sequence[LogicalCommit]) -> Namesakes:
    """Pair source commits and logical commits of the same subject, the n-th with the n-th.

    A subject that one side has more often than the other is left out. Empty where a commit has
    hints or patterns: these have to be weighed.
    """
    if any(commit.hints.strip() or commit.files or commit.exclude for commit in commits):
        return {}
    logical = _number_subjects([commit.subject for commit in commits])
    source = _number_subjects([subject.strip() for subject in subjects])
    in_logical = Counter(subject for subject, _ in logical)
    in_source = Counter(subject for subject, _ in source)
    return {
        position: logical[name]
        for name, position in source.items()
        if in_logical[name[0]] == in_source[name[0]]
    }


def score_origin(origin: Origin, names: Namesakes, count: int) -> list[float] | None:
    """The log probability of each of ``count`` commits, by the lines from its namesake.

    None for an atom with lines from a commit that has no namesake, or from nowhere.
    """
    if not origin or any(position not in names for position in origin):
        return None
    lines = [_ELSEWHERE] * count
    for position, number in origin.items():
        lines[names[position]] += number
    total = sum(lines)
    # The number of lines says how sure this is: of one hunk, ten lines of one commit outweigh one
    # of another.
    return [math.log(value / total) for value in lines]


def follow_names(
    logs: Sequence[list[float]],
    shares: Sequence[Sequence[float] | None],
    allowed: Sequence[Allowed],
) -> list[list[float]]:
    """``logs``, but ``shares`` (see ``score_origin``) alone for each atom that has these."""
    return [
        line if share is None else normalize_line(share, may)
        for line, share, may in zip(logs, shares, allowed, strict=True)
    ]


def follow_source(origins: Sequence[Origin], names: Namesakes, count: int) -> Sequence[int] | None:
    """The commit of every atom where the source already is the wished series; None elsewhere.

    That is: each atom came with one commit, these are in the wished order, and none of the
    ``count`` commits is empty. The author's own order needs no check of definitions and uses.
    """
    placed: list[int] = []
    for origin in origins:
        # -1 is no source commit, so an atom without an origin ends this.
        position = next(iter(origin), -1)
        if len(origin) != 1 or position not in names:
            return None
        placed.append(names[position])
    ordered = [names[position] for position in sorted(names)]
    return placed if ordered == sorted(ordered) and len(set(placed)) == count else None


def _number_subjects(subjects: Sequence[str]) -> dict[tuple[str, int], int]:
    """(subject, how many came before it) → place."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], int] = {}
    for place, subject in enumerate(subjects):
        found[subject, seen[subject]] = place
        seen[subject] += 1
    return found


def plan_series(task: Task, names: Namesakes) -> Plan | None:
    """The plan where the source's own commits are the wished series; None where they are not."""
    # Where a run has gone on by other means before, its commits are no longer the source's.
    if not names or task.taken or task.released or len(task.pending) != len(task.commits):
        return None
    atoms = [atom.id for atom in task.difference.atoms]
    origins = [task.origin.get(atom, {}) for atom in atoms]
    commits = follow_source(origins, names, len(task.commits))
    if commits is None:
        return None
    placements: dict[str, Placement] = {}
    for atom, origin, commit in zip(atoms, origins, commits, strict=True):
        position = next(iter(origin))
        why = functools.partial(_name_source, position, task.subjects[position])
        placements[atom] = Placement(commit, Reason(why, _SURE))
    return Plan(placements)


def _name_source(position: int, subject: str) -> str:
    return f'came with source commit {position + 1} "{subject}", of that name'
