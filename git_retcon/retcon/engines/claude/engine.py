"""The engine that asks Claude which hunks go into a commit, and what fixes a failed one.

A model only names hunks and, rarely, writes a bridge. We check everything it says and count
everything it does. What it cannot choose, or the budget does not allow it to, the planner does;
what neither can fix is "stuck". What the user has to fix (no credit, no connection, a budget
without which nothing goes on) is raised.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.client import Completer
from git_retcon.model.failures import BudgetSpent, NoAnswer
from git_retcon.model.messages import Json
from git_retcon.model.toolloop import Outcome, Task, hold_conversation
from git_retcon.retcon.engine import UNSURE, Blocked, Choice, Progress, Situation, Trial
from git_retcon.retcon.engines.claude import final_answer
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.dialogue import Dialogue, open_dialogue
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placer import Placer
from git_retcon.retcon.engines.claude.prompts import (
    assess_prompt,
    commit_rules,
    describe_news,
    describe_state,
    extract_prompt,
    shared_prompt,
)
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

# A commit of which more than this share of lines is unsure is put together by the model's tools.
_MOST_UNSURE = 0.25
# The loop ends fixes that change nothing; this ends those that change something every time.
MOST_ATTEMPTS = 24


class Extraction(StrEnum):
    """How hunks are chosen: all at once by pages, or commit by commit with tools."""

    PAGES = "pages"
    TOOLS = "tools"


def _ignore_warning(message: str) -> None:
    pass


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
    extraction: Extraction = Extraction.PAGES
    warn: Callable[[str], None] = _ignore_warning
    _planner: OfflineEngine = field(default_factory=OfflineEngine, init=False)
    _placer: Placer = field(init=False)
    _checks: Checks | None = field(default=None, init=False)
    _dialogue: Dialogue | None = field(default=None, init=False)
    _shared: tuple[tuple[str, str], str] | None = field(default=None, init=False)
    _is_spent: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._placer = Placer(self.client, self.model, self.warn, self._planner)

    @property
    def name(self) -> str:
        """As recorded."""
        return "claude"

    def attach(self, checks: Checks) -> None:
        """Give the engine the checks that it builds with."""
        self._checks = checks

    def extract(self, situation: Situation) -> Choice:
        """Choose what belongs to the current commit, of the hunks that are left."""
        if self.extraction is Extraction.TOOLS:
            return self._choose_with_tools(situation)
        placed = self._place_hunks(situation)
        choice = self._planner.extract(placed)
        asks_on = placed.judged and not self._is_spent and not _is_last(situation)
        if not asks_on or not _stays_unsure(placed, choice):
            return choice
        try:
            return self._choose_with_tools(placed)
        except BudgetSpent as spent:
            self._warn_of_budget(spent)
            return choice

    def _choose_with_tools(self, situation: Situation) -> Choice:
        session = self._open_session(situation)
        # Only here: a fix may need a hunk that 'files' gives to another commit.
        session.workspace.foreign = find_foreign(situation)
        self._dialogue = None
        prompt = extract_prompt(session)
        outcome = self._hold_conversation(session, prompt, may_be_nothing=True)
        if isinstance(outcome, Outcome):
            return session.workspace.choice
        # Stuck is what a build says; a model that finds no answer leaves it to the plan.
        self.warn(f"{outcome.summary}: commit {situation.index + 1} is as planned")
        return self._planner.extract(situation)

    def _place_hunks(self, situation: Situation) -> Situation:
        """The situation, with what the model says of every hunk; it is asked once a run."""
        recalled = self._placer.recall(situation)
        if recalled is not None:
            return recalled
        return self._placer.judge(situation, self._make_display(situation, {}))

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        """Find more hunks for a commit that failed, or say why none can help."""
        if attempt > MOST_ATTEMPTS:
            return Blocked(f"{MOST_ATTEMPTS} fixes did not make it pass")
        situation = self._placer.recall(situation) or situation
        session = self._open_session(situation)
        if self._dialogue is None or not self._dialogue.goes_on(situation):
            self._dialogue, state = None, describe_state(session)
        else:
            state = describe_news(session, self._dialogue.shown, self.limits.diff)
            session.bench.quoted = self._dialogue.quoted
        prompt = assess_prompt(session, failure, attempt, state)
        try:
            outcome = self._hold_conversation(session, prompt, may_be_nothing=False)
        except BudgetSpent as spent:
            found = self._planner.assess(situation, failure, attempt, trial)
            if isinstance(found, Blocked):
                raise
            self._warn_of_budget(spent)
            return found
        if isinstance(outcome, Blocked):
            return self._assess_without_model(situation, failure, attempt, trial, outcome)
        # A model may end by the tool or by its answer; both say what the fix is.
        given = session.message if session.committed else outcome.answer["what"]
        what = final_answer.clean_subject(given) or _describe_paths(session.workspace)
        return Progress(session.workspace.choice, what)

    def _warn_of_budget(self, spent: BudgetSpent) -> None:
        """Say once a run that it goes on without the model."""
        if not self._is_spent:
            self.warn(f"{spent}: the run goes on without the model")
        self._is_spent = True

    def _assess_without_model(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial, blocked: Blocked
    ) -> Progress | Blocked:
        """What the planner finds where the model finds nothing; else what the model says."""
        found = self._planner.assess(situation, failure, attempt, trial)
        if isinstance(found, Blocked):
            return blocked
        self.warn(f"{blocked.summary}: commit {situation.index + 1} is fixed without the model")
        return found

    def _hold_conversation(
        self, session: Session, prompt: str, *, may_be_nothing: bool
    ) -> Outcome | Blocked:
        """Hold one task's part of a conversation, or all of it where none is open.

        Blocked where the model says so, or gives no usable answer.
        """

        def check(answer: Json) -> str | None:
            changed = session.workspace.is_changed
            return final_answer.find_fault(
                answer, is_changed=changed, may_be_nothing=may_be_nothing
            )

        situation = session.workspace.situation
        earlier, self._dialogue = self._dialogue, None
        task = Task(
            model=self.model,
            system=commit_rules(dict(session.bench.checks.commands.steps)),
            shared="" if earlier else self._share_prompt(situation),
            prompt=prompt,
            earlier=earlier.messages if earlier else (),
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
        self._dialogue = open_dialogue(situation, outcome.messages, session.bench.quoted, earlier)
        return outcome

    def _share_prompt(self, situation: Situation) -> str:
        """The text that each conversation about this difference begins with."""
        # Not by identity: a hunk that was divided since is shown whole, as it was before.
        ends = situation.difference.base, situation.difference.target
        if self._shared is None or self._shared[0] != ends:
            display = self._make_display(situation, {})
            self._shared = ends, shared_prompt(situation, display, self.limits.diff)
        return self._shared[1]

    def _open_session(self, situation: Situation) -> Session:
        if self._checks is None:
            raise AssertionError("the engine has no checks: call attach() first")
        ground = self.ground
        quotations = Quotations(ground.never_send, ground.repository, situation.difference)
        # With what was decided so far: a plan made before may name commits that are built.
        placements = OfflineEngine().plan(situation).placements
        left = {atom.id for atom in situation.left}
        display = self._make_display(
            situation, {atom: placed for atom, placed in placements.items() if atom in left}
        )
        bench = Bench(self._checks, ground.redactor, quotations, self.limits.trials)
        return Session(Workspace(ground, situation, self._checks.judges), display, bench)

    def _make_display(self, situation: Situation, placements: Mapping[str, Placement]) -> Display:
        return Display(situation, self.ground.redactor, self.ground.never_send, placements)


def _is_last(situation: Situation) -> bool:
    """Whether no other commit can have what is left: a model could but leave some of it over."""
    last = len(situation.spec.commits) - 1
    return situation.index >= (last - 1 if situation.spec.is_leftover(last) else last)


def _stays_unsure(situation: Situation, choice: Choice) -> bool:
    """Whether too much of a commit is a guess still, by lines, to build it as it is."""
    sizes = {atom: situation.difference[atom].size for atom in choice.atoms}
    unsure = [atom for atom, reason in choice.reasons.items() if reason.confidence < UNSURE]
    return sum(sizes[atom] for atom in unsure) > _MOST_UNSURE * sum(sizes.values())


def _describe_paths(workspace: Workspace) -> str:
    """A subject for a fix that the model did not describe."""
    moved = workspace.taken | workspace.released
    paths = sorted({workspace.situation.difference[atom].path for atom in moved})
    names = [path.decode("utf-8", "replace") for path in [*paths, *sorted(workspace.bridges)]]
    return final_answer.clean_subject(f"add what is missing from {some_of(names, 1)}")
