"""Proof that a commit builds: the user's commands, run on exactly its files.

Every commit is checked out into a worktree of ours; ``setup`` runs when what it depends on has
changed, then the build, then the tests. Nothing here touches the user's own working tree.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from git_retcon.code.manifests import is_manifest
from git_retcon.files.atomic import save
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Trees
from git_retcon.retcon import events
from git_retcon.retcon.engine import Failure
from git_retcon.retcon.events import Listener
from git_retcon.run.command import Outcome
from git_retcon.run.environment import command_environment
from git_retcon.run.toolchain import fingerprint
from git_retcon.run.verdicts import Pass, Question, Verdicts
from git_retcon.run.worktree import Worktree, open_worktree

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


Explain = Callable[[Failure], str]


class Checks:
    """Builds and tests commits (or bare trees), remembering what passed."""

    def __init__(
        self,
        repository: Repository,
        commands: Commands,
        worktrees: Path,
        verdicts: Verdicts,
        tell: Listener,
        explain: Explain,
    ) -> None:
        self.commands = commands
        self.seconds = 0.0
        self.verdict_lines: list[str] = []
        self._repository = repository
        self._base = worktrees
        self._verdicts = verdicts
        self._tell = tell
        self._explain = explain
        self._trees = Trees(repository.objects)
        self._env = command_environment()
        self._tools = fingerprint(commands.all, self._env) if commands.all else ""
        self._stack = contextlib.ExitStack()
        self._worktree: Worktree | None = None
        self._standing: str | None = None

    def __enter__(self) -> "Checks":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def failure(self, oid: str, tree: str) -> Failure | None:
        """Build, then test, a commit; tell each step. None when nothing failed."""
        self.verdict_lines = []
        for step, command in (("build", self.commands.build), ("test", self.commands.test)):
            self._tell(events.StepStarted(step))
            if not command:
                self._tell(events.StepEnded(step, events.Outcome.SKIPPED))
                continue
            answer, cached = self._answer(step, command, oid, tree)
            failure = _failure(step, answer)
            self._report(step, answer.seconds, failure, cached=cached)
            if failure is not None:
                return failure
        return None

    def quietly(self, oid: str, tree: str) -> Failure | None:
        """The same without a word, for trials."""
        for step, command in self.commands.steps:
            answer, _ = self._answer(step, command, oid, tree)
            failure = _failure(step, answer)
            if failure is not None:
                return failure
        return None

    def _report(self, step: str, seconds: float, failure: Failure | None, *, cached: bool) -> None:
        verdict = events.Outcome.PASS if failure is None else events.Outcome.FAIL
        cause = "" if failure is None else self._explain(failure)
        self._tell(events.StepEnded(step, verdict, cause, round(seconds, 3), cached))
        self.verdict_lines.append(f"{step} {verdict.value} {seconds:.1f} s")
        if failure is not None:
            self._tell(events.Output(step, failure.output.decode("utf-8", "replace")))

    def _answer(self, step: str, command: str, oid: str, tree: str) -> tuple[Pass | Outcome, bool]:
        question = Question(tree, step, command, self.commands.setup or "", self._tools)
        known = self._verdicts.find(question)
        if known is not None:
            return known, True
        start = time.monotonic()
        outcome = self._prepare(oid, tree) or self._run(command)
        self.seconds += time.monotonic() - start
        self._verdicts.record(question, outcome)
        return outcome, False

    def _prepare(self, oid: str, tree: str) -> Outcome | None:
        """Check out, and set up when a manifest changed; the outcome of a set-up that failed."""
        worktree = self._opened()
        if self._standing != oid:
            worktree.checkout(oid)
            self._standing = oid
        if not self.commands.setup:
            return None
        wanted = self._setup_key(tree).encode()
        done = worktree.root / "setup"
        if done.is_file() and done.read_bytes() == wanted:
            return None
        outcome = self._run(self.commands.setup)
        if outcome.passed:
            save(done, wanted)
            return None
        return outcome

    def _run(self, command: str) -> Outcome:
        return self._opened().run(command, env=self._env, timeout=self.commands.timeout)

    def _opened(self) -> Worktree:
        if self._worktree is None:
            self._worktree = self._stack.enter_context(
                open_worktree(self._base, self._repository, WORKTREE_ID)
            )
        return self._worktree

    def _setup_key(self, tree: str) -> str:
        digest = hashlib.sha256(f"{self.commands.setup}\0{self._tools}\0".encode())
        for path, entry in self._manifests(tree):
            digest.update(path + b"\0" + entry.encode() + b"\0")
        return digest.hexdigest()

    def _manifests(self, tree: str) -> Iterator[tuple[bytes, str]]:
        for path, entry in self._trees.files(tree):
            if is_manifest(path):
                yield path, entry.oid


def _failure(step: str, answer: Pass | Outcome) -> Failure | None:
    if isinstance(answer, Pass) or answer.passed:
        return None
    return Failure(step, answer.command, answer.status, answer.output, answer.timed_out)


def worktrees_directory(configured: str | None) -> Path:
    """Where worktrees of ours live: ``retcon.worktreeDir``, else beneath XDG_DATA_HOME."""
    if configured:
        return Path(configured).expanduser()
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "git-retcon" / "worktrees"
