"""Asks a model once a run where every hunk belongs, and keeps what it said.

Where an answer is against the plan, and much depends on it, it is asked about these hunks again.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from git_retcon.model.client import Completer
from git_retcon.model.failures import BudgetSpent, NoAnswer
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Task, hold_conversation
from git_retcon.prompts import read_prompt
from git_retcon.retcon.branch.progress import find_atoms
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude import placement_answer
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placement_answer import Placements, read_placements
from git_retcon.retcon.engines.claude.placement_request import (
    MOST_TOKENS,
    PlacementRequest,
    make_request,
)
from git_retcon.retcon.engines.claude.second_look import (
    Opinions,
    ask_again,
    find_doubts,
    join_answers,
)
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.planner.plan import Plan
from git_retcon.retcon.spec.hunk_parts import HunkId, Lines, name_whole
from git_retcon.show.counting import all_of, count

# A second answer may put right what was wrong with the first; a third costs more than it brings.
_MOST_FAULTS = 2
# Fewer pages are not worth what the rules and messages around them cost.
_LEAST_TOKENS = MOST_TOKENS // 16


class _Said(NamedTuple):
    """The commit, from 0, of each id that a model named: of whole hunks, and of parts of them.

    ``twice`` are the whole hunks for which it said so again.
    """

    wholes: Mapping[str, int]
    parts: Mapping[str, int]
    twice: frozenset[str] = frozenset()


_NOTHING_SAID = _Said({}, {})


class Placer:
    """``judge`` asks for a spec and a source once; ``recall`` says again what was answered."""

    def __init__(
        self, client: Completer, model: str, warn: Callable[[str], None], planner: OfflineEngine
    ) -> None:
        self._client, self._model, self._warn, self._planner = client, model, warn, planner
        self._asked: tuple[object, _Said] | None = None

    def judge(self, situation: Situation, display: Display) -> Situation:
        """The situation with what the model says of its hunks; some of them may be divided.

        No answer is no reason to stop: one warning, and the plan without a model counts. Raises
        BudgetSpent or ModelFailure.
        """
        plan = self._planner.plan(situation)
        said = self._ask_model(situation, display, plan)
        if said.wholes:
            said = self._ask_again(situation, display, plan, said)
        self._asked = _make_identity(situation), said
        return _add_judgement(situation, said)

    def recall(self, situation: Situation) -> Situation | None:
        """The same by what was answered before, after further builds too; None if not asked."""
        if self._asked is None or self._asked[0] != _make_identity(situation):
            return None
        return _add_judgement(situation, self._asked[1])

    def _ask_model(self, situation: Situation, display: Display, plan: Plan) -> _Said:
        try:
            asked = self._ask_about_most(situation, display, plan)
        except NoAnswer as failure:
            self._warn(f"{failure}: hunks are placed without the model")
            return _NOTHING_SAID
        if asked is None:
            return _NOTHING_SAID
        request, answer = asked
        if request.left_out:
            whole = count(len(request.atoms) + request.left_out, "hunk")
            self._warn(f"the model is asked about {len(request.atoms):,} of {whole} alone")
        commits = len(situation.spec.commits)
        found = read_placements(answer, len(request.atoms), commits)
        parts = _name_parts(request, found)
        refused = _find_refused(situation, parts)
        self._warn_of_open(found, _count_divided(request, found), len(refused))
        kept = {part: commit for part, commit in parts.items() if name_whole(part) not in refused}
        return _Said(_name_wholes(request, found), kept)

    def _ask_about_most(
        self, situation: Situation, display: Display, plan: Plan
    ) -> tuple[PlacementRequest, Json] | None:
        """What is asked, and the answer: about all, or as many pages as can be paid.

        None where nothing is worth asking. Raises BudgetSpent where not even a few pages can be.
        """
        most = MOST_TOKENS
        while request := make_request(situation, display, plan.placements, most):
            try:
                return request, self._hold_conversation(request)
            except BudgetSpent:  # said before anything was sent
                most //= 2
                if most < _LEAST_TOKENS:
                    raise
        return None

    def _ask_again(self, situation: Situation, display: Display, plan: Plan, said: _Said) -> _Said:
        """The same after a second request about what is in doubt, where there is such."""
        judged = replace(situation, judged=said.wholes)
        opinions = Opinions(
            plan.placements,
            self._planner.plan(judged).placements,
            self._planner.weigh_judged(judged),
        )
        doubts = find_doubts(judged, opinions)
        if not doubts:
            return said
        request = ask_again(situation, display, doubts)
        try:
            answer = self._hold_conversation(request)
        except (NoAnswer, BudgetSpent):
            return said  # the first answers are still worth what they are
        found = read_placements(answer, len(request.atoms), len(situation.spec.commits))
        wholes, twice = join_answers(said.wholes, _name_wholes(request, found), doubts)
        return _Said(wholes, said.parts, twice)

    def _hold_conversation(self, request: PlacementRequest) -> Json:
        task = Task(
            model=self._model,
            system=read_prompt("retcon-place"),
            prompt=request.prompt,
            schema=placement_answer.SCHEMA,
            check=placement_answer.find_fault,
            max_turns=_MOST_FAULTS,
            max_faults=_MOST_FAULTS,
        )
        return hold_conversation(self._client, task).answer

    def _warn_of_open(self, found: Placements, divided: int, refused: int) -> None:
        """Say, in one line, for how many hunks the model is of no help."""
        faults = (
            f"is unsure of {count(len(found.unsure), 'hunk')}" if found.unsure else "",
            f"names no commit for {count(len(found.silent), 'hunk')}" if found.silent else "",
            f"divides {count(divided, 'part')} of a hunk again" if divided else "",
            f"divides {count(refused, 'hunk')} within a statement" if refused else "",
        )
        if any(faults):
            self._warn(f"the model {all_of(filter(None, faults))}: placed without it")


def _name_wholes(request: PlacementRequest, found: Placements) -> Mapping[str, int]:
    return {request.atoms[number - 1]: commit for number, commit in found.commits.items()}


def _name_parts(request: PlacementRequest, found: Placements) -> Mapping[str, int]:
    """The commit of each part by its id. What is a part already is not divided again."""
    return {
        str(HunkId(request.atoms[part.hunk - 1], (Lines(part.first, part.last),))): commit
        for part, commit in found.parts.items()
        if not _is_part(request.atoms[part.hunk - 1])
    }


def _count_divided(request: PlacementRequest, found: Placements) -> int:
    """How many parts of hunks a model divides again."""
    return sum(_is_part(request.atoms[hunk - 1]) for hunk in {part.hunk for part in found.parts})


def _is_part(atom: str) -> bool:
    return name_whole(atom) != atom


def _find_refused(situation: Situation, parts: Mapping[str, int]) -> frozenset[str]:
    """The hunks that cannot be divided as a model wants, since a statement would break: it
    miscounted their lines, so none of their parts says anything.
    """
    divided = _divide(situation, parts).difference
    return frozenset(name_whole(part) for part in parts if not find_atoms(divided, part))


def _add_judgement(situation: Situation, said: _Said) -> Situation:
    divided = _divide(situation, said.parts)
    judged = {
        atom: commit
        for part, commit in said.parts.items()
        for atom in find_atoms(divided.difference, part)
    }
    return replace(divided, judged={**said.wholes, **judged}, confirmed=said.twice)


def _divide(situation: Situation, parts: Mapping[str, int]) -> Situation:
    """The situation with its hunks cut at the ends of some parts, where that can be done."""
    if not parts:
        return situation
    # Late: few answers have parts, and cutting reads languages.
    from git_retcon.retcon.branch.hunk_division import divide_hunks

    difference = divide_hunks(situation.difference, parts)
    if difference is situation.difference:
        return situation
    # A part came from where its hunk did, as far as that is known.
    known = situation.origin
    origin = {
        atom.id: known[each]
        for atom in difference.atoms
        if (each := atom.id if atom.id in known else name_whole(atom.id)) in known
    }
    taken = {
        atom: index
        for each, index in situation.taken.items()
        for atom in find_atoms(difference, each)
    }
    return replace(situation, difference=difference, origin=origin, taken=taken)


def _make_identity(situation: Situation) -> object:
    commits = tuple(commit.digest for commit in situation.spec.commits)
    return situation.difference.target, commits
