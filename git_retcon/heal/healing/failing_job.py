"""A job held open at the step that fails: fixes are written there, and the step runs again."""

import contextlib
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.files.beneath import File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.heal.execution.job_runner import OpenJob, open_job
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import FoundError, Tree
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.work_items import FailedJob, read_step
from git_retcon.heal.results import StepResult, StepVerdict
from git_retcon.heal.workflows.workflow import Step
from git_retcon.run.shell_command import Outcome

_TOOL_SECONDS = 300.0
_GOOD = (StepVerdict.PASSED, StepVerdict.FORGIVEN, StepVerdict.SATISFIED)

Confine = Callable[[Mapping[str, str]], Sequence[str]]


class StepRun(NamedTuple):
    """How the step ended this time, and what it complained of."""

    result: StepResult
    errors: tuple[FoundError, ...]

    @property
    def passed(self) -> bool:
        return self.result.verdict in _GOOD


class FailingJob:
    """The place where an engine works. It is made by ``open_failing_job``."""

    def __init__(self, failed: FailedJob, job: OpenJob, bench: HealBench, draft: Draft) -> None:
        self.failed = failed
        self.draft = draft
        self.bench = bench
        self.before: tuple[StepResult, ...] = ()
        self.items = failed.items
        self._job = job
        self._generated: dict[bytes, File | None] = {}
        self._seen: dict[bytes, File | None] = {}
        self._presented = draft.make_tree()

    @property
    def top(self) -> Path:
        """Where the files are."""
        return self.bench.worktree.tree

    @property
    def step(self) -> Step:
        return self.failed.seen.ready.job.steps[self.failed.position]

    @property
    def env(self) -> Mapping[str, str]:
        """The variables that the step finds, those of its own aside."""
        return self._job.session.make_env({})

    @property
    def folder(self) -> str:
        """Where the step runs, relative to the top."""
        return self.failed.step.folder

    def begin(self) -> bool:
        """Run what comes before the step; whether that went as it did in the check."""
        steps = self.failed.seen.ready.job.steps[: self.failed.position]
        self.before = self._job.run(steps)
        self._generated = self._read_changed()
        return all(one.verdict is not StepVerdict.FAILED for one in self.before)

    def confine(self, confine: Confine) -> None:
        """From now on everything runs in a sandbox."""
        self._job.session.confine = confine

    def run_step(self) -> StepRun:
        """Run the step on the files as the fixes have them."""
        self._settle_files()
        self._job.forget_failure()
        self._seen = dict(self.draft.keep())
        (result,) = self._job.run([self.step])
        paths = self.bench.paths | {change.path for change in self.draft.changes}
        tree = Tree(lambda: paths, self.top)
        errors = read_step(self.failed.seen, result, tree)
        return StepRun(result, tuple(errors))

    def has_changed(self, path: bytes) -> bool:
        """Whether a file is not as it was when the step last ran."""
        return self.draft.read(path) != self._seen.get(path, self.bench.read_base(path))

    def run_tool(self, argv: Sequence[str], paths: Sequence[bytes]) -> Outcome:
        """Run a program that may change some files; what it does to others is undone."""
        self._settle_files()
        before = self._read_changed()
        env = self.env
        outcome = self.bench.worktree.run(
            shlex.join(argv),
            env=env,
            directory=self.top / self.folder,
            timeout=_TOOL_SECONDS,
            prefix=self._job.session.confine(env),
        )
        self._take_changes(before, paths)
        return outcome

    def _take_changes(self, before: Mapping[bytes, File | None], paths: Sequence[bytes]) -> None:
        after = self._read_changed()
        for path in {*before, *after}:
            now = after[path] if path in after else self.draft.read(path)
            was = before[path] if path in before else self.draft.read(path)
            if now == was:
                continue
            if path in paths:
                self.draft.put(path, now)
            else:
                self.bench.write(path, was)

    def _settle_files(self) -> None:
        """Put back what a run of the step changed, and tell git of the fixes."""
        tree = self.draft.make_tree()
        if tree != self._presented:
            self.bench.present(tree)
            self._presented = tree
        for path, now in self._read_changed().items():
            was = self._generated[path] if path in self._generated else self.draft.read(path)
            if now != was:
                self.bench.write(path, was)

    def _read_changed(self) -> dict[bytes, File | None]:
        """The tracked files that differ from what git has, as they are."""
        found: dict[bytes, File | None] = {}
        listed = self.bench.worktree.git.run("diff-files", "--name-only", "-z")
        for path in filter(None, listed.split(b"\0")):
            with contextlib.suppress(ForbiddenPath):  # a link, which no fixer changes
                found[path] = self.bench.files.read(path)
        return found


@contextlib.contextmanager
def open_failing_job(
    failed: FailedJob, bench: HealBench, draft: Draft, progress: Progress
) -> Iterator[FailingJob]:
    """Hold a job open, on the state with the fixes so far."""
    workbench = bench.at(draft.make_tree())
    with open_job(failed.seen.ready, workbench, progress) as job:
        yield FailingJob(failed, job, bench, draft)
