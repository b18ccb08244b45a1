"""Proof that a commit builds: the user's commands, run on exactly its files.

Every commit is checked out into a worktree of ours; ``setup`` runs when what it depends on has
changed, then the build, then the tests. Nothing here touches the user's own working tree. What
holds bytes that a model wrote runs in a sandbox (see ``confining``).
"""

import contextlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from git_retcon.files.xdg import data_folder, expand_home
from git_retcon.git.repository import Repository
from git_retcon.retcon import events
from git_retcon.retcon.confining import CONFINED_ID, Confined, Guard
from git_retcon.retcon.events import Listener
from git_retcon.retcon.workplace import Manner, Workplace, forget_worktree, setup_key
from git_retcon.run.command import Outcome
from git_retcon.run.environment import command_environment
from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.sandbox.level import choose
from git_retcon.run.toolchain import fingerprint
from git_retcon.run.verdicts import Pass, Question, Verdicts
from git_retcon.run.worktree import open_worktree

WORKTREE_ID = "retcon"
DEFAULT_TIMEOUT = 1800.0  # seconds


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


class _Answer(NamedTuple):
    """What is known of a step on a tree. ``cached``: it was not run for this question."""

    seconds: float
    failure: Failure | None
    cached: bool = False


class Checks:
    """Builds and tests commits (or bare trees), remembering what passed."""

    def __init__(
        self,
        repository: Repository,
        commands: Commands,
        worktrees: Path,
        verdicts: Verdicts,
        tell: Listener,
        guard: Guard | None = None,
    ) -> None:
        self.commands = commands
        self.seconds = 0.0
        self.verdict_lines: list[str] = []
        self._repository = repository
        self._base = worktrees
        self._verdicts = verdicts
        self._tell = tell
        self._failures: dict[Question, Failure] = {}
        self._guard = guard
        self._trees = repository.trees
        self._manner = Manner(command_environment())
        self._tools = fingerprint(commands.all, self._manner.env) if commands.all else ""
        self._stack = contextlib.ExitStack()
        self._outside: Workplace | None = None
        self._inside: Confined | None = None

    def __enter__(self) -> "Checks":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def failure(self, oid: str, tree: str) -> Failure | None:
        """Build, then test, a commit; tell each step. None when nothing failed."""
        self.verdict_lines = []
        if self.commands.steps and self._distrusted(tree):
            self._confined()  # told before the line of a step begins
        for step, command in (("build", self.commands.build), ("test", self.commands.test)):
            self._tell(events.StepStarted(step))
            if not command:
                self._tell(events.StepEnded(step, events.Outcome.SKIPPED))
                continue
            answer = self._answer(step, command, oid, tree)
            failure = answer.failure
            self._report(step, answer)
            self.verdict_lines[-1] += self._sandbox_record(command, tree)
            if failure is not None:
                return failure
        return None

    def quietly(self, oid: str, tree: str) -> Failure | None:
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

    def _answer(self, step: str, command: str, oid: str, tree: str) -> _Answer:
        question = Question(tree, step, command, self.commands.setup or "", self._tools)
        known = self._verdicts.find(question)
        if known is not None:
            return _Answer(known.seconds, self._failure(question, known), cached=True)
        start = time.monotonic()
        outcome = self._outcome(step, command, oid, tree)
        self.seconds += time.monotonic() - start
        self._verdicts.record(question, outcome)
        return _Answer(outcome.seconds, self._failure(question, outcome))

    def _outcome(self, step: str, command: str, oid: str, tree: str) -> Outcome:
        if self._guard is None or not self._distrusted(tree):
            return self._opened().outcome(command, oid, tree, self._manner)
        source = self._guard.source

        def passed_outside() -> bool:
            return self._answer(step, command, source.oid, source.tree).failure is None

        return self._confined().outcome(command, oid, tree, passed_outside)

    def _distrusted(self, tree: str) -> bool:
        return self._guard is not None and self._guard.quarantine.holds(tree)

    def _sandbox_record(self, command: str, tree: str) -> str:
        if self._inside is None or not self._distrusted(tree):
            return ""
        record = self._inside.record(command)
        return f", sandbox {record}" if record else ""

    def _opened(self) -> Workplace:
        if self._outside is None:
            self._outside = self._workplace(WORKTREE_ID)
        return self._outside

    def _confined(self) -> Confined:
        assert self._guard is not None
        if self._inside is None:
            sandbox = choose(self._guard.policy)
            self._tell(events.Confined(sandbox.level.value, sandbox.description))
            forget_worktree(self._base, self._repository, CONFINED_ID)
            self._inside = Confined(
                self._workplace(CONFINED_ID),
                sandbox,
                self._guard,
                lambda message: self._tell(events.Warned(message)),
            )
        return self._inside

    def _workplace(self, name: str) -> Workplace:
        worktree = self._stack.enter_context(open_worktree(self._base, self._repository, name))
        setup = self.commands.setup
        return Workplace(worktree, setup, self._setup_key, self.commands.timeout)

    def _setup_key(self, tree: str) -> str:
        return setup_key(self.commands.setup or "", self._tools, self._trees, tree)

    def _failure(self, question: Question, answer: Pass | Outcome) -> Failure | None:
        """The same value for the same question, so that its output is parsed once."""
        if isinstance(answer, Pass) or answer.passed:
            return None
        if question not in self._failures:
            step = "setup" if answer.command == self.commands.setup else question.step
            self._failures[question] = read_failure(step, answer, mask_known_secrets)
        return self._failures[question]


def mask_known_secrets(output: bytes) -> bytes:
    """What a command printed, without the secrets of this process's environment."""
    # A run that builds at once needs none of these patterns.
    from git_retcon.model.known import secrets_in
    from git_retcon.model.redaction import Redactor

    return Redactor(secrets_in(os.environ)).data(output)


def worktrees_directory(configured: str | None) -> Path:
    """Where worktrees of ours live: ``retcon.worktreeDir``, else below XDG_DATA_HOME."""
    if configured:
        return expand_home(configured, os.environ)
    return data_folder(os.environ) / "worktrees"
