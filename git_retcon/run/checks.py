"""Whether a commit builds: the user's commands, run on exactly its files.

Every commit is checked out into a worktree of ours; ``setup`` runs when what it depends on has
changed, then the build, then the tests. Nothing here touches the user's own working tree. What
holds bytes that a model wrote runs in a sandbox (see ``confined_worktree``).
"""

import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Reason, Refused
from git_retcon.files.xdg import data_folder, expand_home
from git_retcon.git.repository import Repository
from git_retcon.run import events
from git_retcon.run.confined_worktree import ConfinedWorktree, Guard
from git_retcon.run.events import CheckListener
from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.judges import Judges, find_judges, sources_of_trees
from git_retcon.run.prepared_worktree import PreparedWorktree, setup_key
from git_retcon.run.sandbox.level import choose
from git_retcon.run.shell import DEFAULT_TIMEOUT, open_shell
from git_retcon.run.shell_command import Outcome
from git_retcon.run.toolchain import fingerprint
from git_retcon.run.verdicts import Pass, Question, Verdicts
from git_retcon.run.worktree import open_free_worktree
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path


@dataclass(frozen=True, slots=True)
class Commands:
    """What proves a commit. None is skipped. ``timeout`` is seconds for each."""

    setup: str | None = None
    build: str | None = None
    test: str | None = None
    timeout: float = DEFAULT_TIMEOUT

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """Build and test as far as they are known, in order."""
        pairs = (("build", self.build), ("test", self.test))
        return tuple((step, command) for step, command in pairs if command)

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(command for command in (self.setup, self.build, self.test) if command)


@dataclass(frozen=True, slots=True)
class WorktreePlace:
    """Where commits are checked out: beneath ``base``, by the name ``id`` (see ``worktree``)."""

    repository: Repository
    base: Path
    id: str

    @property
    def confined_id(self) -> str:
        """The worktree for what a model wrote."""
        return f"{self.id}-confined"


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
        guard: Guard | None = None,
    ) -> None:
        self.commands = commands
        self.seconds = 0.0
        self.verdict_lines: list[str] = []
        self._place = place
        self._verdicts = verdicts
        self._tell = tell
        self._redact = redact
        self._guard = guard
        self._shell = open_shell()
        self._tools = fingerprint(commands.all, self._shell.env) if commands.all else ""
        self._failures: dict[Question, Failure] = {}
        self._trials: dict[Question, Outcome] = {}
        self._stack = contextlib.ExitStack()
        self._outside: PreparedWorktree | None = None
        self._inside: ConfinedWorktree | None = None

    def __enter__(self) -> "Checks":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def check_commit(self, oid: str, tree: str) -> Failure | None:
        """Build, then test, a commit; report each step. None when nothing failed."""
        self.verdict_lines = []
        if self.commands.steps and self._is_distrusted(tree):
            self._require_own_judges(tree)
            self._open_confined()  # told before the line of a step begins
        for step, command in (("build", self.commands.build), ("test", self.commands.test)):
            self._tell(events.StepStarted(step))
            if not command:
                self._tell(events.StepEnded(step, events.Outcome.SKIPPED))
                self.verdict_lines.append(f"{step} {events.Outcome.SKIPPED.value}")
                continue
            answer = self._prove(step, command, oid, tree)
            self._report(step, answer)
            self.verdict_lines[-1] += self._sandbox_record(command, tree)
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
        return self._answer(step, dict(self.commands.steps)[step], oid or tree, tree).failure

    def distrust(self, paths: Iterable[bytes]) -> None:
        """A model wrote these: trees that hold them are run in the sandbox from now on."""
        if self._guard is not None:
            self._guard.quarantine.add(paths)

    @functools.cached_property
    def judges(self) -> Judges:
        """The files that decide what passes, as the base and the source have them."""
        if self._guard is None:
            return Judges()
        quarantine = self._guard.quarantine
        sources = sources_of_trees(self._place.repository, quarantine.base, quarantine.source)
        return find_judges(self.commands.all, sources)

    @property
    def places(self) -> tuple[Path, ...]:
        """Where files are checked out, as far as anything was."""
        inside = self._inside.place if self._inside is not None else None
        return tuple(each.worktree.tree for each in (self._outside, inside) if each is not None)

    def _report(self, step: str, answer: _Answer) -> None:
        failure, seconds = answer.failure, answer.seconds
        verdict = events.Outcome.PASS if failure is None else events.Outcome.FAIL
        cause = "" if failure is None else failure.headline
        if failure is not None and failure.step != step:
            cause = f"{failure.step}: {cause}"
        self._tell(events.StepEnded(step, verdict, cause, round(seconds, 3), answer.cached))
        self.verdict_lines.append(f"{step} {verdict.value} {seconds:.1f} s")
        if failure is not None:
            self._tell(events.Output(step, failure.output.decode("utf-8", "replace")))

    def _prove(self, step: str, command: str, oid: str, tree: str) -> _Answer:
        """The answer that is recorded of a commit: by nothing but its own tree."""
        question = self._question(step, command, tree)
        if self._is_distrusted(tree) and self._verdicts.find(question) is None:
            self._open_confined().purify(tree)
            self._trials.pop(question, None)
        return self._answer(step, command, oid, tree)

    def _answer(self, step: str, command: str, oid: str, tree: str) -> _Answer:
        # The tree, not the commit: a commit whose message alone changed needs no new build.
        question = self._question(step, command, tree)
        known = self._verdicts.find(question) or self._trials.get(question)
        if known is not None:
            return _Answer(known.seconds, self._failure(question, known), cached=True)
        start = time.monotonic()
        outcome = self._run(step, command, oid, tree)
        self.seconds += time.monotonic() - start
        if self._is_distrusted(tree) and not self._open_confined().is_pure(tree):
            self._trials[question] = outcome  # good for a trial, and proves nothing
        else:
            self._verdicts.record(question, outcome)
        return _Answer(outcome.seconds, self._failure(question, outcome))

    def _question(self, step: str, command: str, tree: str) -> Question:
        return Question(tree, step, command, self.commands.setup or "", self._tools)

    def _require_own_judges(self, tree: str) -> None:
        """Raise Refused where a model's bytes are in what decides whether they pass."""
        assert self._guard is not None
        odb = self._place.repository.objects.odb
        found = self._guard.quarantine.find_bridged(tree, self.judges.bars_bridge, odb)
        if found:
            names = some_of([show_path(path) for path in found], 5)
            raise Refused(
                f"a model wrote into what judges this commit: {names}",
                hint="'--restart' builds the branch again without that",
                reason=Reason.NOT_BUILT,
                again=["--restart"],
            )

    def _run(self, step: str, command: str, oid: str, tree: str) -> Outcome:
        if self._guard is None or not self._is_distrusted(tree):
            return self._open_outside().run(command, oid, tree, self._shell)
        source = self._guard.source

        def passes_outside() -> bool:
            return self._answer(step, command, source.oid, source.tree).failure is None

        return self._open_confined().run(command, oid, tree, passes_outside)

    def _failure(self, question: Question, answer: Pass | Outcome) -> Failure | None:
        """The same value for the same question, so that its output is parsed once."""
        if isinstance(answer, Pass) or answer.passed:
            return None
        if question not in self._failures:
            # A failed set-up ends the step that asked for it, and is what the user has to fix.
            step = question.step if answer.command == question.command else "setup"
            self._failures[question] = read_failure(step, answer, self._redact)
        return self._failures[question]

    def _is_distrusted(self, tree: str) -> bool:
        return self._guard is not None and self._guard.quarantine.holds(tree)

    def _sandbox_record(self, command: str, tree: str) -> str:
        if self._inside is None or not self._is_distrusted(tree):
            return ""
        record = self._inside.record(command)
        return f", sandbox {record}" if record else ""

    def _open_outside(self) -> PreparedWorktree:
        if self._outside is None:
            self._outside = self._open(self._place.id)
        return self._outside

    def _open_confined(self) -> ConfinedWorktree:
        assert self._guard is not None
        if self._inside is None:
            sandbox = choose(self._guard.consent.policy)
            self._tell(events.Confined(sandbox.level.value, sandbox.description))
            place = self._place
            self._inside = ConfinedWorktree(self._open(place.confined_id), sandbox, self._guard)
        return self._inside

    def _open(self, id: str) -> PreparedWorktree:  # noqa: A002
        place = self._place
        worktree = self._stack.enter_context(open_free_worktree(place.base, place.repository, id))
        return PreparedWorktree(
            worktree, self.commands.setup, self._setup_key, self.commands.timeout, self._warn
        )

    def _warn(self, message: str) -> None:
        self._tell(events.Warned(message))

    def _setup_key(self, tree: str) -> str:
        return setup_key(self.commands.setup or "", self._tools, self._place.repository.trees, tree)


def worktrees_directory(configured: str | None) -> Path:
    """Where worktrees of ours live: ``retcon.worktreeDir``, else below XDG_DATA_HOME."""
    if configured:
        return expand_home(configured, os.environ)
    return data_folder(os.environ) / "worktrees"
