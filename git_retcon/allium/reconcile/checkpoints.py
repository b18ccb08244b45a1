"""The plan of a run: the number of each step, and which of them are followed by a reconciliation.

It is made before the first step, from the order of the source's history and the repository's
counters alone, so that steps made side by side give what one after another gives. A run that was
not finished is planned again from where it began, so that a restart changes no number either.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from git_retcon.allium.engine import Grounding
from git_retcon.allium.history.commit_graph import CommitGraph, read_graph
from git_retcon.allium.history.reconciliations import Counters, Reconciliation, State
from git_retcon.allium.history.segments import SegmentKind, find_segments
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.state_notes import StateNotes
from git_retcon.allium.reconcile.scheduler import Scheduler, StepContext
from git_retcon.git.graph import is_commit
from git_retcon.git.repository import Repository

CountTokens = Callable[[str], int]


class Plan(NamedTuple):
    """The counters after each step, and which steps are due; ``end`` is after all of them."""

    after: Mapping[str, Counters]
    due: frozenset[str]
    end: Counters


def make_plan(
    order: Iterable[tuple[str, SegmentKind]],
    scheduler: Scheduler,
    counters: Counters,
    count_tokens: CountTokens,
) -> Plan:
    """Go through the steps in their order; each is a source commit and what its segment is."""
    after: dict[str, Counters] = {}
    due: set[str] = set()
    for commit, kind in order:
        tokens = count_tokens(commit) if scheduler.counts_tokens else 0
        counters = counters.advance(is_trunk=kind is SegmentKind.TRUNK, tokens=tokens)
        after[commit] = counters
        context = StepContext(
            counters.steps, counters.trunk_steps, counters.tokens, kind,
            counters.last_step, counters.last_trunk_step,
        )  # fmt: skip
        if scheduler.should_reconcile(context):
            due.add(commit)
            counters = counters.reset()
    return Plan(after, frozenset(due), counters)


class Goal(NamedTuple):
    """What a run is to describe: all that the tips reach and ``known``, revisions, do not. The
    first tip is the one of the trunk.
    """

    graph: CommitGraph
    tips: Sequence[str]
    known: Sequence[str]


class Checkpoints:
    """The plan of one run, and the reconciliations of its branch."""

    def __init__(self, repository: Repository, notes: StateNotes, start: State, plan: Plan) -> None:
        self._repository = repository
        self._notes = notes
        self._start = start
        self._is_anchored = False
        self.plan = plan

    @classmethod
    def of(
        cls,
        repository: Repository,
        branch: SpecBranch,
        goal: Goal,
        scheduler: Scheduler,
        count_tokens: CountTokens,
    ) -> "Checkpoints":
        """Those of a branch that is loaded."""
        notes = branch.load_states()
        before = notes.state
        # Counters of a plan that cannot be made again: what it began with was collected.
        if not all(is_commit(repository, tip) for tips in before.stages for tip in tips[:1]):
            before = State(before.counters)
        start = _add_stage(before, goal)
        order = list(_list_order(repository, start, goal))
        plan = make_plan(order, scheduler, start.counters, count_tokens)
        return cls(repository, notes, start, plan)

    def find_base(self, commit: str) -> str | None:
        """The source commit to compare with, as ``find_base`` finds it."""
        return find_base(self._repository, self._notes.records.values(), commit)

    def add_record(self, spec: str, record: Reconciliation) -> None:
        """A spec commit was written that holds a reconciliation."""
        self._notes.put(spec, record=record)

    def save_start(self, branch: SpecBranch) -> None:
        """Write, with the next save, from where the plan can be made again."""
        # Where the branch is not yet, any spec commit keeps it, until the branch is there.
        anchor = branch.tip.commit if branch.tip else next(iter(branch.heads.values()), None)
        if anchor is None or self._is_anchored:
            return
        self._notes.put(anchor, state=self._start)
        self._is_anchored = branch.tip is not None

    def save_end(self, branch: SpecBranch, sources: Iterable[str]) -> None:
        """Write, with the next save, the counters after the whole plan, where these source commits
        are described.
        """
        for source in sources:
            if (record := branch.find(source)) is not None:
                self._notes.put(record.last, state=State(self.plan.end))


def find_base(repository: Repository, records: Iterable[Reconciliation], commit: str) -> str | None:
    """The nearest ancestor of a source commit, or itself, that was reconciled or skipped.

    One of which a part failed is none: that part is compared again, with what came since.
    """
    # Only an ancestor: what a side branch had reconciled says nothing of the trunk.
    whole = (each for each in records if not each.failed)
    for record in sorted(whole, key=lambda each: -each.at_step):
        sha = record.at_sha
        if is_commit(repository, sha) and (
            sha == commit or repository.objects.descendant_of(commit, sha)
        ):
            return sha
    return None


def make_record(counters: Counters, sha: str, grounding: Grounding) -> Reconciliation:
    """The record of a reconciliation that was made now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Reconciliation(
        counters.steps, counters.trunk_steps, sha, grounding.model, grounding.cost,
        len(grounding.findings), bool(grounding.skipped), now, len(grounding.failures),
    )  # fmt: skip


def _add_stage(before: State, goal: Goal) -> State:
    tips = tuple(goal.tips)
    if not before.stages:
        return State(before.counters, tuple(goal.known), (tips,))
    if before.stages[-1] == tips:
        return before
    return before._replace(stages=(*before.stages, tips))


def _list_order(
    repository: Repository, start: State, goal: Goal
) -> Iterator[tuple[str, SegmentKind]]:
    """Every commit of all stages, in their order, and what the run has beside them."""
    seen: set[str] = set()
    if len(start.stages) > 1 or tuple(goal.known) != start.known:
        known = list(start.known)
        for tips in start.stages:
            yield from _list_steps(read_graph(repository.git, tips, known), tips[0], seen)
            known += tips
    yield from _list_steps(goal.graph, goal.tips[0], seen)


def _list_steps(graph: CommitGraph, tip: str, seen: set[str]) -> Iterator[tuple[str, SegmentKind]]:
    kinds = {c: each.kind for each in find_segments(graph, tip) for c in each.commits}
    for commit in graph.parents:
        if commit not in seen:
            seen.add(commit)
            yield commit, kinds[commit]
