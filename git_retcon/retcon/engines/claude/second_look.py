"""Answers that a model is asked about once more, because the planner has reason to doubt them.

One large hunk that a model puts wrong costs more than all that it puts right where the plan was
good already; a second request about such hunks alone costs a quarter of the first one. It names
both places in the order of the commits, so that neither is the answer that was given before.

Where answers and plan agree but for a few lines, the plan was probably right about these, too:
little depends on them, but all that they can do is harm.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
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
# The share of lines expected to be lost from which on a request pays; the share whose loss makes a
# plan worse, and how likely that may be without a request. Chosen on 30 branches of six projects
# that no table reports: fewer than half of them are asked twice, with any answers.
_LEAST_STAKE = 0.05
_LOSS, _MOST_RISK = 0.01, 0.02


class Opinions(NamedTuple):
    """What is known of each hunk by id: the plan without a model, the plan by its answers, and how
    likely each commit is with them, 0 to 1 (of no hunk where the source's commits decide)."""

    planned: Mapping[str, Placement]
    judged: Mapping[str, Placement]
    chances: Mapping[str, Sequence[float]]


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


def find_doubts(situation: Situation, opinions: Opinions) -> Sequence[Doubt]:
    """The answers to ask about again; none where too little depends on them."""
    doubts = list(_list_doubts(situation, opinions))
    lines = sum(atom.size for atom in situation.left)
    if sum(doubt.stake for doubt in doubts) >= _LEAST_STAKE * lines:
        return doubts
    return doubts if _find_risk(situation, opinions) > _MOST_RISK else ()


def _list_doubts(situation: Situation, opinions: Opinions) -> Iterator[Doubt]:
    for atom in situation.left:
        said, planned = situation.judged.get(atom.id), opinions.planned.get(atom.id)
        chances = opinions.chances.get(atom.id)
        if said is None or planned is None or chances is None or said == planned.commit:
            continue
        if 1 - _SURE <= chances[said] <= _SURE:
            yield Doubt(atom, said, planned.commit, chances[said])


def _find_risk(situation: Situation, opinions: Opinions) -> float:
    """How likely it is, 0 to 1, that the answers make a plan worse by more than ``_LOSS``.

    The normal distribution of the lines gained, as if those that go the same way were right or
    wrong together: answers about hunks alike are wrong for the same reason.
    """
    moves: dict[tuple[int, int], _Move] = {}
    for atom in situation.left:
        # What else moved cannot be asked about again.
        if atom.id not in situation.judged or atom.id not in opinions.chances:
            continue
        before, after = opinions.planned[atom.id].commit, opinions.judged[atom.id].commit
        if before != after:
            chances = opinions.chances[atom.id]
            moves.setdefault((before, after), _Move()).add(atom, chances[before], chances[after])
    variance = sum(move.variance for move in moves.values())
    if not variance:
        return 0.0
    loss = _LOSS * sum(atom.size for atom in situation.left)
    gain = sum(move.gained - move.lost for move in moves.values())
    return math.erfc((gain + loss) / math.sqrt(2 * variance)) / 2


class _Move:
    """Hunks that go from one commit to another: their lines, and the lines expected to be right
    there and here."""

    __slots__ = ("gained", "lines", "lost")

    def __init__(self) -> None:
        self.lines = self.gained = self.lost = 0.0

    def add(self, atom: Atom, before: float, after: float) -> None:
        self.lines += atom.size
        self.lost += atom.size * before
        self.gained += atom.size * after

    @property
    def variance(self) -> float:
        """Of the lines gained, if they are right or wrong together."""
        return self.lines * (self.gained + self.lost) - (self.gained - self.lost) ** 2


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
