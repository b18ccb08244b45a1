"""A job held open at the step that fails: fixes are written there, and the step runs again."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from git_retcon.files.beneath import File
from git_retcon.heal.execution.job_runner import open_job
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import FoundError, Tree
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.drafted_job import NO_FILES, Confine, DraftedJob, went_well
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.work_items import FailedJob, read_step
from git_retcon.heal.results import GOOD, StepResult, StepVerdict
from git_retcon.heal.workflows.workflow import Step, name_step
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.shell_command import Outcome

if TYPE_CHECKING:
    from git_retcon.heal.healing.copied_packages import CopiedPackages


class StepRun(NamedTuple):
    """How the step ended this time, and what it complained of."""

    result: StepResult
    errors: tuple[FoundError, ...]

    @property
    def passed(self) -> bool:
        return self.result.verdict in GOOD


class FixPlace(Protocol):
    """Where files are fixed: the fixes so far, and the files of the state."""

    @property
    def draft(self) -> Draft: ...
    @property
    def bench(self) -> HealBench: ...
    def has_changed(self, path: bytes) -> bool:
        """Whether a file is not as it was when its errors were named."""


class FailingJob:
    """The place where an engine works. It is made by ``open_failing_job``."""

    def __init__(self, failed: FailedJob, drafted: DraftedJob) -> None:
        self.failed = failed
        self.items = failed.items
        self._drafted = drafted
        self._seen: dict[bytes, File | None] = {}
        self._before: tuple[StepResult, ...] = ()
        self._repeated: list[Step] = []
        self._copied: CopiedPackages | None = None

    @property
    def draft(self) -> Draft:
        """The fixes so far."""
        return self._drafted.draft

    @property
    def bench(self) -> HealBench:
        return self._drafted.bench

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
        return self._drafted.env

    @property
    def folders(self) -> JobFolders:
        """What the job has for itself beside the tree."""
        return self._drafted.folders

    @property
    def folder(self) -> str:
        """Where the step runs, relative to the top."""
        return self.failed.step.folder

    def begin(self) -> str:
        """Run what comes before the step; why nothing can be tried there, or empty."""
        self._before = self._drafted.begin(self._list_earlier())
        if not went_well(self._before):
            return "a step before it fails now"
        return "" if self._drafted.has_files else NO_FILES

    def confine(self, confine: Confine) -> None:
        """From now on everything runs in a sandbox, on the files as the fixes have them. Raises
        Refused where a fix could never reach the step there.
        """
        from git_retcon.heal.healing.copied_packages import (
            prepare_copied_packages,
            require_copied_packages,
        )

        if self._copied is None:  # at first nothing of a model's is there
            self._copied = prepare_copied_packages(self._drafted, self._before)
        self._drafted.confine(confine)
        require_copied_packages(self._drafted, self._copied)
        self.draft.write_all()

    def find_repeated(self) -> None:
        """Find the steps before that a fix can affect and that run here as they are: from now on
        they run again before the failed one. What needs the network keeps its products.
        """
        earlier = zip(self._list_earlier(), self._before, strict=True)
        copying = self._copied.steps if self._copied is not None else ()
        affected = [
            step
            for step, result in earlier
            if not self._drafted.keeps_result(result, ()) and result.number not in copying
        ]
        self._repeated = [step for step in affected if self._drafted.run_step(step).verdict in GOOD]

    def run_step(self, step: Step | None = None) -> StepRun:
        """Run the failed step, or another, on the files as the fixes have them."""
        self._seen = dict(self.draft.keep())
        for earlier in self._repeated if step in (None, self.step) else ():
            again = self._drafted.run_step(earlier)
            if again.verdict is StepVerdict.FAILED:
                return self._read_errors(again)
        return self._read_errors(self._drafted.run_step(step or self.step))

    def _list_earlier(self) -> tuple[Step, ...]:
        return tuple(self.failed.seen.ready.job.steps[: self.failed.position])

    def _read_errors(self, result: StepResult) -> StepRun:
        paths = self.bench.paths | {change.path for change in self.draft.changes}
        tree = Tree(lambda: paths, self.top)
        errors = read_step(self.failed.seen, result, tree)
        return StepRun(result, tuple(errors))

    def has_changed(self, path: bytes) -> bool:
        """Whether a file is not as it was when the step last ran."""
        return self.draft.read(path) != self._seen.get(path, self.bench.read_base(path))

    def run_tool(self, argv: Sequence[str], paths: Sequence[bytes]) -> Outcome:
        """Run a program that may change some files; what it does to others is undone."""
        return self._drafted.run_tool(argv, self.folder, paths)

    def find_step(self, workflow: str, job: str, step: str) -> Step | None:
        """A step of this job, by what people call workflow, job and step; None for another's."""
        ready = self.failed.seen.ready
        file = os.fsdecode(ready.file)
        own = {file, Path(file).name, Path(file).stem, ready.workflow}
        if workflow not in own or job not in (ready.job.id, ready.plan.name):
            return None
        for one in ready.job.steps:
            if step and step in (str(one.number), name_step(one), one.id):
                return one
        return None

    def describe_steps(self) -> str:
        """What ``find_step`` finds, for a model."""
        ready = self.failed.seen.ready
        names = ", ".join(f"'{name_step(one)}'" for one in ready.job.steps)
        return f"of workflow '{os.fsdecode(ready.file)}', job '{ready.job.id}': {names}"


@contextlib.contextmanager
def open_failing_job(
    failed: FailedJob, bench: HealBench, draft: Draft, progress: Progress, tree: str = ""
) -> Iterator[FailingJob]:
    """Hold a job open, on the state with the fixes so far, or on another tree."""
    tree = tree or draft.make_tree()
    paths = [item.path for item in failed.items if item.path is not None]
    with open_job(failed.seen.ready, bench.at(tree, paths), progress) as job:
        yield FailingJob(failed, DraftedJob(job, bench, draft, tree))
