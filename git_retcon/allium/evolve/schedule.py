"""Commits are described after their parents: one after another, or side by side."""

import contextlib
import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from queue import Empty, Queue
from threading import Thread
from typing import NamedTuple

from git_retcon.allium.engine import Checkpoint, Engine, Reconciler, Update
from git_retcon.allium.evolve.agenda import Agenda, find_parents
from git_retcon.allium.evolve.memory import Memory
from git_retcon.allium.evolve.step_writer import GroundedStep, PreparedStep, Result, StepWriter
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.reconcile.checkpoints import Checkpoints, make_record
from git_retcon.allium.store.declared_facts import FactName
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository

# How long an answer may be described and not saved, while others may come: a crash loses no more.
_SHORT_WAIT = 0.1  # seconds


class _Begun(NamedTuple):
    """A step, what is known of it without an engine, and whether its specification is compared
    with its source, since ``base``.
    """

    prepared: PreparedStep
    known: Update | None
    is_due: bool
    base: str | None


class _Done(NamedTuple):
    update: Update
    grounded: GroundedStep | None


class Schedule(NamedTuple):
    """What a run works with. ``window`` is how many commits a step sees, its own included; at most
    ``concurrency`` steps are described at a time.
    """

    repository: Repository
    branch: SpecBranch
    agenda: Agenda
    steps: StepWriter
    engine: Engine
    window: int
    concurrency: int
    memory: Memory
    checkpoints: Checkpoints | None = None
    reconciler: Reconciler | None = None
    hand_edits: AbstractSet[FactName] = frozenset()

    def describe_all(
        self, may_go_on: Callable[[], bool], before_wait: Callable[[], None]
    ) -> Iterator[tuple[Commit, Result]]:
        """Describe every commit of the agenda. A step depends on nothing but its parents' steps.

        Once ``may_go_on`` says no, no other step is begun; those begun are finished.
        ``before_wait`` is called before a wait for an engine that may be long.
        """
        if self.engine.is_slow and self.concurrency > 1:
            yield from self._describe_abreast(may_go_on, before_wait)
            return
        for number, commit in enumerate(self.agenda.graph.parents):
            if not may_go_on():
                return
            begun = self._begin_step(commit, number)
            if self.engine.is_slow:
                before_wait()
            yield self._finish_step(begun, *self._do_work(begun))

    def _describe_abreast(
        self, may_go_on: Callable[[], bool], before_wait: Callable[[], None]
    ) -> Iterator[tuple[Commit, Result]]:
        """Only engines work side by side: all reading and writing is done here.

        After the first failure nothing else is begun, but what was paid for is finished.
        """
        waiting = _WaitingCommits.of(self.agenda)
        answers: Queue[tuple[_Begun, _Done | Exception]] = Queue()
        running = 0
        failure: Exception | None = None
        while True:
            while waiting.ready and running < self.concurrency and not failure and may_go_on():
                commit, number = waiting.take()
                begun = self._begin_step(commit, number)
                running += 1
                if begun.known is not None and not begun.is_due:
                    answers.put((begun, self._do_work(begun)))
                    continue
                # A daemon: a second Ctrl-C does not wait for a model's answer.
                Thread(target=self._put_answer, args=(begun, answers), daemon=True).start()
            if not running:
                break
            begun, done = _take_answer(answers, before_wait)
            running -= 1
            if isinstance(done, Exception):
                failure = failure or done
                continue
            source, result = self._finish_step(begun, *done)
            waiting.release(source.oid)
            yield source, result
        if failure is not None:
            raise failure

    def _put_answer(
        self, begun: "_Begun", answers: "Queue[tuple[_Begun, _Done | Exception]]"
    ) -> None:
        try:
            answers.put((begun, self._do_work(begun)))
        except Exception as error:
            answers.put((begun, error))

    def _begin_step(self, commit: str, number: int) -> "_Begun":
        """All that is read before the work: which other steps are done is known here alone."""
        source = read_commit(self.repository, commit)
        parents = find_parents(self.repository, self.agenda, self.branch, commit)
        # Only a model reads the context, and it costs a read per commit.
        context = list(self._list_context(source)) if self.engine.is_slow else ()
        plan = self.checkpoints.plan if self.checkpoints else None
        number = plan.after[commit].steps - 1 if plan else self.agenda.first + number
        prepared = self.steps.prepare(source, number, parents, context[::-1])
        is_due = plan is not None and commit in plan.due
        base = self.checkpoints.find_base(commit) if is_due and self.checkpoints else None
        return _Begun(prepared, self._recall_update(prepared), is_due, base)

    def _recall_update(self, prepared: PreparedStep) -> Update | None:
        """What needs no engine: a step without source, or one that was described before."""
        step = prepared.step
        # Nothing of the source changed: no engine needs to be asked, or paid.
        if not (step.changes or step.conflicts):
            return Update()
        return self.memory.recall(step, prepared.specs)

    def _do_work(self, begun: "_Begun") -> "_Done":
        """Describe the step; at a checkpoint, compare what it gives with the source as well."""
        step = begun.prepared.step
        update = begun.known if begun.known is not None else self.engine.update(step)
        if not begun.is_due or self.checkpoints is None or self.reconciler is None:
            return _Done(update, None)
        store = self.steps.apply(begun.prepared, update)
        earlier = [read_commit(self.repository, each) for each in begun.prepared.sources]
        checkpoint = Checkpoint(step.commit, store, begun.base, earlier, self.hand_edits)
        grounding = self.reconciler.reconcile(checkpoint)
        record = make_record(
            self.checkpoints.plan.after[step.commit.oid], step.commit.oid, grounding
        )
        return _Done(update, GroundedStep(grounding, record, store))

    def _finish_step(
        self, begun: "_Begun", update: Update, grounded: GroundedStep | None
    ) -> tuple[Commit, Result]:
        prepared = begun.prepared
        result = self.steps.finish(prepared, update, grounded)
        source, number = prepared.step.commit, prepared.step.number
        record = SpecRecord(result.spec, result.spec, number)
        self.branch.add(source.oid, record, prepared.sources)
        if grounded is not None and self.checkpoints is not None:
            self.checkpoints.add_record(result.spec, grounded.record)
        return source, result

    def _list_context(self, source: Commit) -> Iterator[Commit]:
        """The commits before along first parents, the newest first."""
        commit = source
        for _ in range(self.window - 1):
            parents: Sequence[str] = self.agenda.graph.parents.get(commit.oid, commit.parents)
            # What lies before the start is not described, so it is no context either.
            at_start = commit.oid == self.agenda.start
            if not parents or at_start or not is_commit(self.repository, parents[0]):
                return
            commit = read_commit(self.repository, parents[0])
            yield commit


def _take_answer(
    answers: "Queue[tuple[_Begun, _Done | Exception]]", before_wait: Callable[[], None]
) -> "tuple[_Begun, _Done | Exception]":
    with contextlib.suppress(Empty):
        return answers.get(timeout=_SHORT_WAIT)
    before_wait()
    return answers.get()


class _WaitingCommits:
    """The commits whose parents are not all described; ``ready`` are those whose parents are."""

    def __init__(self, commits: Sequence[str], missing: dict[str, int]) -> None:
        self.ready = [number for number, commit in enumerate(commits) if not missing[commit]]
        self._commits = commits
        self._missing = missing
        self._numbers = {commit: number for number, commit in enumerate(commits)}
        self._children: Mapping[str, Sequence[str]] = {}

    @classmethod
    def of(cls, agenda: Agenda) -> "_WaitingCommits":
        """All commits of an agenda."""
        graph = agenda.graph
        # A set: one parent named twice is awaited once.
        missing = {c: len({p for p in above if p in graph}) for c, above in graph.parents.items()}
        waiting = cls(list(graph.parents), missing)
        waiting._children = graph.list_children()
        return waiting

    def take(self) -> tuple[str, int]:
        """The first commit that is ready, with its number."""
        # The lowest number first: nearest to the order of a run without threads.
        number = heapq.heappop(self.ready)
        return self._commits[number], number

    def release(self, commit: str) -> None:
        """A commit was described: its children may be ready."""
        for child in self._children[commit]:
            self._missing[child] -= 1
            if not self._missing[child]:
                heapq.heappush(self.ready, self._numbers[child])
