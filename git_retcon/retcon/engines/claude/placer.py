"""Asks a model once a run where every hunk belongs, and keeps what it said."""

from collections.abc import Callable, Mapping

from git_retcon.model.client import Completer
from git_retcon.model.failures import NoAnswer
from git_retcon.model.toolloop import Task, hold_conversation
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude import placement_answer
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placement_answer import Placements
from git_retcon.retcon.engines.claude.placement_request import make_request
from git_retcon.retcon.planner.plan import Plan
from git_retcon.show.counting import all_of, count

# A second answer may put right what was wrong with the first; a third costs more than it brings.
_MOST_FAULTS = 2


class Placer:
    """``judge`` asks for a spec and a source once, also after further builds."""

    def __init__(self, client: Completer, model: str, warn: Callable[[str], None]) -> None:
        self._client, self._model, self._warn = client, model, warn
        self._asked: tuple[object, Mapping[str, int]] | None = None

    def judge(self, situation: Situation, display: Display, plan: Plan) -> Mapping[str, int]:
        """The commit, from 0, that the model names for a hunk; empty where it says nothing.

        ``plan`` is the plan without a model. No answer is no reason to stop: one warning, and the
        plan counts. Raises BudgetSpent or ModelFailure.
        """
        key = _make_identity(situation)
        if self._asked is None or self._asked[0] != key:
            self._asked = key, self._ask_model(situation, display, plan)
        return self._asked[1]

    def _ask_model(self, situation: Situation, display: Display, plan: Plan) -> Mapping[str, int]:
        if situation.index == len(situation.spec.commits) - 1:
            return {}  # there is one place only
        request = make_request(situation, display, plan.placements)
        if request is None:
            return {}
        task = Task(
            model=self._model,
            system=read_prompt("retcon-place"),
            prompt=request.prompt,
            schema=placement_answer.SCHEMA,
            max_turns=_MOST_FAULTS,
            max_faults=_MOST_FAULTS,
        )
        try:
            answer = hold_conversation(self._client, task).answer
        except NoAnswer as failure:
            self._warn(f"{failure}: hunks are placed without the model")
            return {}
        commits = len(situation.spec.commits)
        found = placement_answer.read_placements(answer, len(request.atoms), commits)
        self._warn_of_open(found)
        return {request.atoms[number - 1]: commit for number, commit in found.commits.items()}

    def _warn_of_open(self, found: Placements) -> None:
        """Say, in one line, for how many hunks the model is of no help."""
        unsure = f"is unsure of {count(len(found.unsure), 'hunk')}" if found.unsure else ""
        silent = f"names no commit for {count(len(found.silent), 'hunk')}" if found.silent else ""
        if unsure or silent:
            what = all_of(filter(None, (unsure, silent)))
            self._warn(f"the model {what}: placed without it")


def _make_identity(situation: Situation) -> object:
    commits = tuple(commit.digest for commit in situation.spec.commits)
    return situation.difference.target, commits
