"""Commits are described after their parents: one after another, or side by side."""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Queue
from threading import Thread
from typing import NamedTuple

from git_retcon.allium.engine import Engine, Update
from git_retcon.allium.evolve.agenda import Agenda, find_parents
from git_retcon.allium.evolve.memory import Memory
from git_retcon.allium.evolve.step_writer import PreparedStep, Result, StepWriter
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository


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

    def tell_all(self, may_go_on: Callable[[], bool]) -> Iterator[tuple[Commit, Result]]:
        """Describe every commit of the agenda. A step depends on nothing but its parents' steps.

        Once ``may_go_on`` says no, no other step is begun; those begun are finished.
        """
        if self.engine.is_slow and self.concurrency > 1:
            yield from self._tell_side_by_side(may_go_on)
            return
        for number, commit in enumerate(self.agenda.graph.parents):
            if not may_go_on():
                return
            prepared = self._prepare(commit, number)
            yield self._finish(prepared, self._recall(prepared) or self._update(prepared))

    def _tell_side_by_side(self, may_go_on: Callable[[], bool]) -> Iterator[tuple[Commit, Result]]:
        """Only engines work side by side: all reading and writing is done here.

        After the first failure nothing else is begun, but what was paid for is finished.
        """
        waiting = _WaitingCommits.of(self.agenda)
        answers: Queue[tuple[PreparedStep, Update | Exception]] = Queue()
        running = 0
        failure: Exception | None = None
        while True:
            while waiting.ready and running < self.concurrency and not failure and may_go_on():
                commit, number = waiting.take()
                prepared = self._prepare(commit, number)
                running += 1
                if (known := self._recall(prepared)) is not None:
                    answers.put((prepared, known))
                    continue
                # A daemon: a second Ctrl-C does not wait for a model's answer.
                Thread(target=self._answer, args=(prepared, answers), daemon=True).start()
            if not running:
                break
            prepared, update = answers.get()
            running -= 1
            if isinstance(update, Exception):
                failure = failure or update
                continue
            source, result = self._finish(prepared, update)
            waiting.release(source.oid)
            yield source, result
        if failure is not None:
            raise failure

    def _answer(
        self, prepared: PreparedStep, answers: "Queue[tuple[PreparedStep, Update | Exception]]"
    ) -> None:
        try:
            answers.put((prepared, self._update(prepared)))
        except Exception as error:
            answers.put((prepared, error))

    def _prepare(self, commit: str, number: int) -> PreparedStep:
        source = read_commit(self.repository, commit)
        parents = find_parents(self.agenda, self.branch, commit)
        # Only a model reads the context, and it costs a read per commit.
        context = list(self._list_context(source)) if self.engine.is_slow else ()
        return self.steps.prepare(source, self.agenda.first + number, parents, context[::-1])

    def _recall(self, prepared: PreparedStep) -> Update | None:
        """What needs no engine: a step without source, or one that was described before."""
        step = prepared.step
        # Nothing of the source changed: no engine needs to be asked, or paid.
        if not (step.changes or step.conflicts):
            return Update()
        return self.memory.recall(step, prepared.specs)

    def _update(self, prepared: PreparedStep) -> Update:
        return self.engine.update(prepared.step)

    def _finish(self, prepared: PreparedStep, update: Update) -> tuple[Commit, Result]:
        result = self.steps.finish(prepared, update)
        source, number = prepared.step.commit, prepared.step.number
        record = SpecRecord(result.spec, result.spec, number)
        self.branch.add(source.oid, record, prepared.sources)
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
