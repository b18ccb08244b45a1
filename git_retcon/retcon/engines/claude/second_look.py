"""Answers that a model is asked about once more, because the planner has reason to doubt them.

One large hunk that a model puts wrong costs more than all that it puts right where the plan was
good already; a second request about such hunks alone costs a quarter of the first one. It names
both places in the order of the commits, so that neither is the answer that was given before.
"""

from collections.abc import Mapping, Sequence
from string import Template
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.commit_list import describe_built, show_commits
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placement_request import PlacementRequest, show_hunks
from git_retcon.retcon.planner.plan import Placement

# Where the plan and an answer differ and one of them is at least that sure, nothing is in doubt.
_SURE = 0.98
# The share of lines expected to be lost from which on a request pays. Chosen on 30 branches of six
# projects that no table reports: fewer than half of them are asked twice, with any answers.
_LEAST_STAKE = 0.03


class Doubt(NamedTuple):
    """A hunk that the model and the planner place apart, and how likely the model is right."""

    atom: Atom
    said: int
    planned: int
    right: float

    @property
    def stake(self) -> float:
        """How many lines are expected to be lost."""
        return self.atom.size * min(self.right, 1 - self.right)


def find_doubts(
    situation: Situation, placements: Mapping[str, Placement], right: Mapping[str, float]
) -> Sequence[Doubt]:
    """The answers to ask about again; none where too little depends on them.

    ``placements`` is the plan without a model; ``right`` tells how likely each answer is.
    """
    doubts = [
        Doubt(atom, situation.judged[atom.id], placements[atom.id].commit, right[atom.id])
        for atom in situation.left
        if atom.id in right
        and atom.id in placements
        and situation.judged[atom.id] != placements[atom.id].commit
        and 1 - _SURE <= right[atom.id] <= _SURE
    ]
    lines = sum(atom.size for atom in situation.left)
    return doubts if sum(doubt.stake for doubt in doubts) >= _LEAST_STAKE * lines else ()


def ask_again(situation: Situation, display: Display, doubts: Sequence[Doubt]) -> PlacementRequest:
    """The request about some hunks alone, with the two places of each."""
    remarks = {doubt.atom.id: _name_places(doubt) for doubt in doubts}
    atoms = [doubt.atom for doubt in doubts]
    prompt = Template(read_prompt("retcon-place-again-task")).substitute(
        commits=show_commits(situation),
        built=describe_built(situation),
        hunks="\n".join(show_hunks(display, atoms, remarks)),
    )
    return PlacementRequest(tuple(atom.id for atom in atoms), prompt)


def _name_places(doubt: Doubt) -> str:
    first, second = sorted((doubt.said + 1, doubt.planned + 1))
    return f"commit {first} or {second}"


def join_answers(
    said: Mapping[str, int], again: Mapping[str, int], doubts: Sequence[Doubt]
) -> tuple[Mapping[str, int], frozenset[str]]:
    """What a model says after all, and what of it twice. ``again`` is its second answer.

    Where it does not name a hunk again, it would have to guess: the plan alone decides.
    """
    asked = {doubt.atom.id for doubt in doubts}
    kept = {atom: commit for atom, commit in said.items() if atom not in asked}
    return {**kept, **again}, frozenset(atom for atom in again if again[atom] == said[atom])
