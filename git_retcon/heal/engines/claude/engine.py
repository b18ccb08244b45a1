"""The engine that asks Claude for the fix of one file's errors.

A model reads, edits and runs through our tools alone. That it says "fixed" decides nothing: the
step does, and the proof behind it.
"""

from collections.abc import Callable
from dataclasses import field

from git_retcon.heal.engine import Attempt, ModelTask
from git_retcon.heal.engines.claude.allowed_commands import AllowedCommands
from git_retcon.heal.engines.claude.draft_files import Discretion, DraftFiles
from git_retcon.heal.engines.claude.file_tools import list_file_tools
from git_retcon.heal.engines.claude.prompts import heal_prompt
from git_retcon.heal.engines.claude.run_tools import list_run_tools
from git_retcon.heal.engines.claude.search_tools import list_search_tools
from git_retcon.heal.engines.claude.session import Session
from git_retcon.heal.engines.claude.shown_output import OutputView
from git_retcon.lazy_dataclass import dataclass
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.model.client import Completer
from git_retcon.model.failures import BudgetSpent, ModelFailure, NoAnswer
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Task, Tool, hold_conversation
from git_retcon.prompts import read_prompt
from git_retcon.show.style import shorten

_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["fixed", "stuck"]},
        "summary": {"type": "string"},
    },
    "required": ["verdict", "summary"],
    "additionalProperties": False,
}
_MOST_TURNS = 30
_MOST_OUTPUT = 8_000  # tokens of one turn
_LONGEST_SUMMARY = 1_000


class BookedRequest(NamedTuple):
    """A request that was billed, and the number under which that is recorded."""

    number: int
    tokens: int
    dollars: float


class Models(NamedTuple):
    """Which model has the first attempt at a file, and which the second."""

    first: str
    second: str

    def __str__(self) -> str:
        return self.first if self.first == self.second else f"{self.first} and {self.second}"


@dataclass
class ClaudeEngine:
    """Asks through ``client``. ``warn`` gets a line where nothing more can be asked.

    ``requests`` grows by each request that is recorded. ``added_commands`` are
    those that the user allows a model besides.
    """

    client: Completer
    models: Models
    discretion: Discretion
    warn: Callable[[str], None]
    requests: list[BookedRequest]
    added_commands: tuple[str, ...] = ()
    name: str = "claude"
    _ended: str = field(default="", init=False)

    def attempt(self, task: ModelTask) -> Attempt:
        """See ``ModelEngine``. Behind a spent budget or a lost connection nothing is asked."""
        if self._ended:
            return Attempt("", self._ended)
        model = self.models.second if task.past else self.models.first
        files = DraftFiles(task, self.discretion)
        own = [step.command for step in task.job.failed.seen.finished.steps if step.command]
        commands = AllowedCommands(own, self.added_commands)
        session = Session(task, files, OutputView(task, files), commands)
        recorded = len(self.requests)
        kept = task.job.draft.keep()
        said, reason = self._hold_conversation(session, model)
        changed = bool(task.job.draft.list_since(kept))
        booked = self.requests[recorded:]
        return Attempt(
            model if changed else "",
            "" if changed else reason or said or "the model changed nothing",
            sum(one.tokens for one in booked),
            sum(one.dollars for one in booked),
            model,
            said,
            tuple(one.number for one in booked),
        )

    def _hold_conversation(self, session: Session, model: str) -> tuple[str, str]:
        """What the model says of its work, and why there is none, if so."""
        task = Task(
            model=model,
            system=read_prompt("heal"),
            prompt=heal_prompt(session),
            tools=make_tools(session),
            schema=_SCHEMA,
            max_turns=_MOST_TURNS,
            max_output_tokens=_MOST_OUTPUT,
        )
        try:
            outcome = hold_conversation(self.client, task, session.conversation.watch)
        except NoAnswer as failure:
            return "", str(failure)
        except (BudgetSpent, ModelFailure) as failure:
            # What was found until now is worth proving, so this ends no heal.
            self._ended = str(failure)
            self.warn(f"no model is asked any more: {failure}")
            return "", str(failure)
        return shorten(outcome.answer["summary"].strip(), _LONGEST_SUMMARY), ""


def make_tools(session: Session) -> tuple[Tool, ...]:
    """The tools of one conversation."""
    templates = (*list_file_tools(), *list_search_tools(), *list_run_tools())
    return tuple(template.on(session) for template in templates)
