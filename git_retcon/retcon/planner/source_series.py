"""The plan where the source's own commits are the wished series: nothing is weighed there."""

import functools

from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner.namesakes import Namesakes, follow_source
from git_retcon.retcon.planner.plan import Placement, Plan, Task

# How often an atom is where its author put it when a source commit of that name had it
# (tests/bench/placing.py, on branches that nothing was fitted on).
_SURE = 0.96


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
