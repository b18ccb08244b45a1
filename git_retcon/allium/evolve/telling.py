"""Telling commits in an order that their parents allow: one after another, or side by side."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from git_retcon.allium.engine import Engine, Update
from git_retcon.allium.evolve.pending import Pending, find_parents
from git_retcon.allium.evolve.steps import Prepared, Result, Steps
from git_retcon.allium.history.source_notes import Told
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository


class Telling(NamedTuple):
    """What a run tells with. ``window`` is how many commits a step sees, its own included; at most
    ``concurrency`` steps are told at a time.
    """

    repository: Repository
    branch: SpecBranch
    pending: Pending
    steps: Steps
    engine: Engine
    window: int
    concurrency: int

    def tell_all(self, may_go_on: Callable[[], bool]) -> Iterator[tuple[Commit, Result]]:
        """Tell every pending commit. What a step is told as depends on nothing but its parents.

        Once ``may_go_on`` says no, no other step is begun; those begun are finished.
        """
        if self.engine.is_slow and self.concurrency > 1:
            yield from self._tell_side_by_side(may_go_on)
            return
        for number, commit in enumerate(self.pending.graph.parents):
            if not may_go_on():
                return
            prepared = self._prepare(commit, number)
            yield self._finish(prepared, self._update(prepared))

    def _tell_side_by_side(self, may_go_on: Callable[[], bool]) -> Iterator[tuple[Commit, Result]]:
        graph = self.pending.graph
        numbers = {commit: number for number, commit in enumerate(graph.parents)}
        children = graph.list_children()
        missing = {c: len({p for p in above if p in graph}) for c, above in graph.parents.items()}
        ready = [number for commit, number in numbers.items() if not missing[commit]]
        commits = list(numbers)
        running: dict[Future[Update], Prepared] = {}
        with ThreadPoolExecutor(self.concurrency) as pool:
            while True:
                while ready and len(running) < self.concurrency and may_go_on():
                    number = heapq.heappop(ready)
                    prepared = self._prepare(commits[number], number)
                    running[pool.submit(self._update, prepared)] = prepared
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda each: running[each].step.number):
                    source, result = self._finish(running.pop(future), future.result())
                    for child in children[source.oid]:
                        missing[child] -= 1
                        if not missing[child]:
                            heapq.heappush(ready, numbers[child])
                    yield source, result

    def _prepare(self, commit: str, number: int) -> Prepared:
        source = read_commit(self.repository, commit)
        parents = find_parents(self.pending, self.branch, commit)
        context = list(self._list_context(source)) if self.engine.is_slow else ()
        return self.steps.prepare(source, self.pending.first + number, parents, context[::-1])

    def _update(self, prepared: Prepared) -> Update:
        step = prepared.step
        return self.engine.update(step) if step.changes or step.conflicts else Update()

    def _finish(self, prepared: Prepared, update: Update) -> tuple[Commit, Result]:
        result = self.steps.finish(prepared, update)
        source, number = prepared.step.commit, prepared.step.number
        told = Told(result.spec, result.spec, number)
        self.branch.add(source.oid, told, prepared.sources)
        return source, result

    def _list_context(self, source: Commit) -> Iterator[Commit]:
        """The commits before along first parents, the newest first."""
        commit = source
        for _ in range(self.window - 1):
            parents: Sequence[str] = self.pending.graph.parents.get(commit.oid, commit.parents)
            at_start = commit.oid == self.pending.start
            if not parents or at_start or not is_commit(self.repository, parents[0]):
                return
            commit = read_commit(self.repository, parents[0])
            yield commit
