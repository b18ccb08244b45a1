"""The engine that asks Claude which hunks go into a commit, and what fixes a failed one.

A model only names hunks and, rarely, writes a bridge. We check everything it says and count
everything it does. What it cannot answer is "stuck"; what the user has to fix (no credit, no
connection, the budget) is raised.
"""

from collections.abc import Mapping
from dataclasses import field

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.client import Completer
from git_retcon.model.failures import NoAnswer
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Outcome, Task, hold_conversation
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import Blocked, Choice, Progress, Situation, Trial
from git_retcon.retcon.engines.claude import final_answer
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.prompts import assess_prompt, extract_prompt
from git_retcon.retcon.engines.claude.quotations import Quotations
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.tools import DIFF_LIMIT, make_tools
from git_retcon.retcon.engines.claude.workspace import Ground, Workspace
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.repair.claims import find_foreign
from git_retcon.run.checks import Checks
from git_retcon.run.failure import Failure
from git_retcon.show.counting import some_of

# The loop ends fixes that change nothing; this ends those that change something every time.
MOST_ATTEMPTS = 24


@dataclass(frozen=True, slots=True)
class Limits:
    """What one conversation may use. ``faults`` is how many final answers may be wrong."""

    turns: int = 40
    trials: int = 12
    faults: int = 2
    diff: int = DIFF_LIMIT  # characters of a difference that are shown unasked


@dataclass
class ClaudeEngine:
    """Asks ``model`` through ``client``. ``attach`` comes before the first use."""

    client: Completer
    model: str
    ground: Ground
    limits: Limits = field(default_factory=Limits)
    _planner: OfflineEngine = field(default_factory=OfflineEngine, init=False)
    _checks: Checks | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """As recorded."""
        return "claude"

    def attach(self, checks: Checks) -> None:
        """Give the engine the checks that it builds with."""
        self._checks = checks

    def extract(self, situation: Situation) -> Choice | Blocked:
        """Choose what belongs to the current commit, of the hunks that are left."""
        session = self._open_session(situation)
        # Only here: a fix may need a hunk that 'files' gives to another commit.
        session.workspace.foreign = find_foreign(situation)
        prompt = extract_prompt(session, self.limits.diff)
        outcome = self._hold_conversation(session, "retcon-extract", prompt, may_be_nothing=True)
        return outcome if isinstance(outcome, Blocked) else session.workspace.choice

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        """Find more hunks for a commit that failed, or say why none can help."""
        if attempt > MOST_ATTEMPTS:
            return Blocked(f"{MOST_ATTEMPTS} fixes did not make it pass")
        session = self._open_session(situation)
        prompt = assess_prompt(session, failure, attempt, self.limits.diff)
        outcome = self._hold_conversation(session, "retcon-assess", prompt, may_be_nothing=False)
        if isinstance(outcome, Blocked):
            return outcome
        # A model may end by the tool or by its answer; both say what the fix is.
        given = session.message if session.committed else outcome.answer["what"]
        what = final_answer.clean_subject(given) or _describe_paths(session.workspace)
        return Progress(session.workspace.choice, what)

    def _hold_conversation(
        self, session: Session, name: str, prompt: str, *, may_be_nothing: bool
    ) -> Outcome | Blocked:
        """Hold one conversation; Blocked where the model says so, or gives no usable answer."""

        def check(answer: Json) -> str | None:
            changed = session.workspace.is_changed
            return final_answer.find_fault(
                answer, is_changed=changed, may_be_nothing=may_be_nothing
            )

        task = Task(
            model=self.model,
            system=read_prompt(name),
            prompt=prompt,
            tools=make_tools(session, self.limits.diff),
            schema=final_answer.SCHEMA,
            check=check,
            done=lambda: session.committed,
            max_turns=self.limits.turns,
            max_faults=self.limits.faults,
        )
        try:
            outcome = hold_conversation(self.client, task, session.watch)
        except NoAnswer as failure:
            return Blocked(str(failure))
        if not session.committed and outcome.answer["verdict"] == "stuck":
            return Blocked(final_answer.clean_summary(outcome.answer["summary"]))
        return outcome

    def _open_session(self, situation: Situation) -> Session:
        if self._checks is None:
            raise AssertionError("the engine has no checks: call attach() first")
        ground = self.ground
        quotations = Quotations(ground.never_send, ground.repository, situation.difference)
        placements: Mapping[str, Placement] = self._planner.plan(situation).placements
        left = {atom.id for atom in situation.left}
        display = Display(
            situation,
            ground.redactor,
            ground.never_send,
            {atom: placed for atom, placed in placements.items() if atom in left},
        )
        bench = Bench(self._checks, ground.redactor, quotations, self.limits.trials)
        return Session(Workspace(ground, situation, self._checks.judges), display, bench)


def _describe_paths(workspace: Workspace) -> str:
    """A subject for a fix that the model did not describe."""
    paths = sorted({workspace.situation.difference[atom].path for atom in workspace.taken})
    names = [path.decode("utf-8", "replace") for path in [*paths, *sorted(workspace.bridges)]]
    return final_answer.clean_subject(f"add what is missing from {some_of(names, 1)}")
