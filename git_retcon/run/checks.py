"""Whether a commit builds: the user's commands, run on exactly its files.

Every commit is checked out into a worktree of ours; ``setup`` runs when what it depends on has
changed, then the build, then the tests. Nothing here touches the user's own working tree. What
holds bytes that a model wrote runs in a sandbox (see ``executor``).
"""

import functools
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Reason, Refused
from git_retcon.run import events
from git_retcon.run.commands import Commands
from git_retcon.run.events import CheckListener
from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.verdicts import Pass, Question, Verdicts
from git_retcon.run.worktree_place import WorktreePlace
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

if TYPE_CHECKING:
    from git_retcon.run.confined_worktree import Guard
    from git_retcon.run.executor import Executor
    from git_retcon.run.judges import Judges
    from git_retcon.run.shell_command import Outcome


class _Answer(NamedTuple):
    """What is known of a step on a tree. ``cached``: it was not run for this question."""

    seconds: float
    failure: Failure | None
    cached: bool = False


class Checks:
    """Builds and tests commits (or bare trees), remembering what passed.

    ``redact`` masks secrets in what commands print. Without a ``guard`` every tree is the user's.
    """

    def __init__(
        self,
        commands: Commands,
        place: WorktreePlace,
        verdicts: Verdicts,
        tell: CheckListener,
        redact: Callable[[bytes], bytes],
        guard: "Guard | None" = None,
    ) -> None:
        self.commands = commands
        self.seconds = 0.0
        self.verdict_lines: list[str] = []
        self._place = place
        self._verdicts = verdicts
        self._tell = tell
        self._redact = redact
        self._guard = guard
        self._failures: dict[Question, Failure] = {}
        self._trials: dict[Question, Outcome] = {}
        self._executor: Executor | None = None

    def __enter__(self) -> "Checks":
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.close()

    def check_commit(self, oid: str, tree: str) -> Failure | None:
        """Build, then test, a commit; report each step. None when nothing failed."""
        self.verdict_lines = []
        if self.commands.steps:
            executor = self._open_executor()
            if executor.is_distrusted(tree):
                self._require_own_judges(tree)
            executor.prepare(tree)  # its warnings come before the line of a step begins
        for step, command in (("build", self.commands.build), ("test", self.commands.test)):
            self._tell(events.StepStarted(step, command or ""))
            if not command:
                self._tell(events.StepEnded(step, events.Outcome.SKIPPED))
                self.verdict_lines.append(f"{step} {events.Outcome.SKIPPED.value}")
                continue
            answer = self._prove_tree(step, command, oid, tree)
            self._report_answer(step, answer)
            sandbox = self._open_executor().describe_sandbox(command, tree)
            self.verdict_lines[-1] += f", sandbox {sandbox}" if sandbox else ""
            if answer.failure is not None:
                return answer.failure
        return None

    def try_commit(self, oid: str, tree: str) -> Failure | None:
        """The same without a word, for trials."""
        for step, _ in self.commands.steps:
            failure = self.try_step(step, tree, oid)
            if failure is not None:
                return failure
        return None

    def try_step(self, step: str, tree: str, oid: str = "") -> Failure | None:
        """One step on a tree, without a word. KeyError where there is no command for it."""
        return self._find_answer(step, dict(self.commands.steps)[step], oid or tree, tree).failure

    def distrust(self, paths: Iterable[bytes]) -> None:
        """A model wrote these: trees that hold them are run in the sandbox from now on."""
        if self._guard is not None:
            self._guard.quarantine.add(paths)

    @functools.cached_property
    def judges(self) -> "Judges":
        """The files that decide what passes, as the base and the source have them."""
        from git_retcon.run.judges import Judges, find_judges, sources_of_trees

        if self._guard is None:
            return Judges()
        quarantine = self._guard.quarantine
        repository = self._place.repository
        sources = sources_of_trees(repository, quarantine.base, quarantine.source)
        judges = find_judges(self.commands.all, sources)
        top = repository.work_tree
        if top is None:
            return judges
        # What git runs out of the user's tree is no model's to write either.
        from git_retcon.run.executed_files import find_executed

        executed = (os.fsencode(path.relative_to(top)) for path in find_executed(repository, top))
        return judges.add(executed)

    @property
    def places(self) -> tuple[Path, ...]:
        """Where files are checked out, as far as anything was."""
        return () if self._executor is None else self._executor.places

    def _report_answer(self, step: str, answer: _Answer) -> None:
        end = events.describe_end(step, answer.failure, answer.seconds, cached=answer.cached)
        self._tell(end)
        self.verdict_lines.append(f"{step} {end.outcome.value} {answer.seconds:.1f} s")
        if answer.failure is not None:
            self._tell(events.Output(step, answer.failure.output.decode("utf-8", "replace")))

    def _prove_tree(self, step: str, command: str, oid: str, tree: str) -> _Answer:
        """The answer that is recorded of a commit: by nothing but its own tree."""
        question = self._make_question(step, command, tree)
        executor = self._open_executor()
        if executor.is_distrusted(tree) and self._verdicts.find(question) is None:
            executor.purify(tree)
            self._trials.pop(question, None)
        return self._find_answer(step, command, oid, tree)

    def _find_answer(self, step: str, command: str, oid: str, tree: str) -> _Answer:
        executor = self._open_executor()
        # The tree, not the commit: a commit whose message alone changed needs no new build.
        question = self._make_question(step, command, tree)
        known = self._verdicts.find(question) or self._trials.get(question)
        if known is not None:
            return _Answer(known.seconds, self._make_failure(question, known), cached=True)

        def passes_on_source() -> bool:
            assert self._guard is not None
            source = self._guard.source
            return self._find_answer(step, command, source.oid, source.tree).failure is None

        start = time.monotonic()
        outcome = executor.run(command, oid, tree, passes_on_source)
        self.seconds += time.monotonic() - start
        if executor.is_distrusted(tree) and not executor.is_pure(tree):
            self._trials[question] = outcome  # good for a trial, and proves nothing
        else:
            self._verdicts.record(question, outcome)
        return _Answer(outcome.seconds, self._make_failure(question, outcome))

    def _make_question(self, step: str, command: str, tree: str) -> Question:
        tools = self._open_executor().tools
        return Question(tree, step, command, self.commands.setup or "", tools)

    def _require_own_judges(self, tree: str) -> None:
        """Raise Refused where a model's bytes are in what decides whether they pass."""
        assert self._guard is not None
        odb = self._place.repository.objects.odb
        found = self._guard.quarantine.find_bridged(tree, self.judges.bars_bridge, odb)
        if found:
            names = some_of([show_path(path) for path in found], 5)
            raise Refused(
                f"a model changed files that judge this commit: {names}",
                hint="'--restart' builds the branch again without that",
                reason=Reason.NOT_BUILT,
                again=["--restart"],
            )

    def _make_failure(self, question: Question, answer: "Pass | Outcome") -> Failure | None:
        """The same value for the same question, so that its output is parsed once."""
        if isinstance(answer, Pass) or answer.passed:
            return None
        if question not in self._failures:
            # A failed set-up ends the step that asked for it, and is what the user has to fix.
            step = question.step if answer.command == question.command else "setup"
            self._failures[question] = read_failure(step, answer, self._redact)
        return self._failures[question]

    def _open_executor(self) -> "Executor":
        if self._executor is None:
            # Late: a run without commands needs no worktree, and no sandbox.
            from git_retcon.run.executor import Executor

            self._executor = Executor(self.commands, self._place, self._guard, self._tell)
        return self._executor
