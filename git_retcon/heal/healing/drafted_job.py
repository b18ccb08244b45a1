"""A job held open on a tree with fixes in it: its steps run on the files as the fixes have them.

What a step does to tracked files is put back before the next thing runs, so that it is never taken
for a part of a fix.
"""

import contextlib
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence

from git_retcon.files.beneath import File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.refs import Ref, list_refs
from git_retcon.heal.execution.job_runner import OpenJob
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.network_steps import keeps_result
from git_retcon.heal.patches import FileChange
from git_retcon.heal.results import StepResult, StepVerdict
from git_retcon.heal.workflows.steps import CHECKOUT
from git_retcon.heal.workflows.workflow import Step
from git_retcon.run.shell_command import Outcome
from git_retcon.run.worktree import Worktree

_TOOL_SECONDS = 300.0
# Why no change of files can heal a step.
NO_FILES = "no checkout comes before it, so it finds no file of the repository"

Confine = Callable[[Mapping[str, str]], Sequence[str]]


class DraftedJob:
    """``tree`` is what the job was opened on: the state, perhaps with fixes."""

    def __init__(self, job: OpenJob, bench: HealBench, draft: Draft, tree: str) -> None:
        self.draft = draft
        self.bench = bench
        self._job = job
        self._generated: dict[bytes, File | None] = {}
        self._presented = tree
        # Before anything runs, the files are as the checkout wrote them.
        self._has_run = False
        self._refs = _StepRefs(bench.worktree)
        # Words that come before the command of each step that is run again.
        self.before_steps: Sequence[str] = ()

    @property
    def env(self) -> Mapping[str, str]:
        """The variables that steps find, those of their own aside."""
        return self._job.session.make_env({})

    @property
    def folders(self) -> JobFolders:
        """What the job has for itself beside the tree."""
        return self._job.session.folders

    def begin(self, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        """Run the first steps, as what comes before anything of interest; what they generate
        stays.
        """
        results = self._run(steps)
        if self.has_files:
            self._generated = self._read_changed()
        return results

    @property
    def has_files(self) -> bool:
        """Whether the next step finds the files, and so what is written into them."""
        return self._job.has_files

    def keeps_result(self, step: StepResult, changes: Sequence[FileChange]) -> bool:
        """Whether nothing that changes can reach a step that came before."""
        return self._job.came_before_files(step.number) or keeps_result(step, changes)

    def confine(self, confine: Confine) -> None:
        """From now on everything runs in a sandbox."""
        # A server that watches the tree would run what a model writes there outside of it.
        self._job.end_background()
        self._job.session.confine = confine

    def run_step(self, step: Step) -> StepResult:
        """Run a step as if none had failed before it."""
        self.settle_files()
        if step.run is not None and "git" in step.run.text:
            self._refs.bring_back(step.number)
        self._job.forget_failure()
        session = self._job.session
        confine = session.confine
        session.confine = lambda env: [*confine(env), *self.before_steps]
        try:
            (result,) = self._run([step])
        finally:
            session.confine = confine
        return result

    def run_tool(self, argv: Sequence[str], folder: str, paths: Sequence[bytes]) -> Outcome:
        """Run a program that may change some files; what it does to others is undone."""
        self.settle_files()
        before = self._read_changed()
        outcome = self.run_command(argv, folder)
        self._take_changes(before, paths)
        return outcome

    def run_command(self, argv: Sequence[str], folder: str) -> Outcome:
        """Run a program as a step would be, in a folder; what it changes stays."""
        env = self.env
        self._has_run = True
        return self.bench.worktree.run(
            shlex.join(argv),
            env=env,
            directory=self.bench.worktree.tree / folder,
            timeout=_TOOL_SECONDS,
            prefix=self._job.session.confine(env),
        )

    def settle_files(self) -> None:
        """Put back what a run of a step changed, and tell git of the fixes."""
        tree = self.draft.make_tree()
        if tree != self._presented:
            changed = self._read_files(self.bench.present(tree))
            self._presented = tree
        else:
            changed = self._read_changed()
        for path, now in changed.items():
            was = self._generated[path] if path in self._generated else self.draft.read(path)
            if now != was:
                self.bench.write(path, was)

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

    def _run(self, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        results = self._job.run(steps)
        self._has_run = self._has_run or not all(map(_leaves_files, results))
        return results

    def _read_changed(self) -> dict[bytes, File | None]:
        """The tracked files that differ from what git has, as they are."""
        if not self._has_run and not self.draft.changes:
            return {}
        return self._read_files(self.bench.list_changed())

    def _read_files(self, paths: Iterable[bytes]) -> dict[bytes, File | None]:
        found: dict[bytes, File | None] = {}
        for path in paths:
            with contextlib.suppress(ForbiddenPath):  # a link, which no fixer changes
                found[path] = _as_checked_out(self.bench.files.read(path))
        return found


class _StepRefs:
    """The branches and tags of a clone as each step first found them: one that makes a branch finds
    none of that name when it runs again.
    """

    def __init__(self, worktree: Worktree) -> None:
        self._worktree = worktree
        self._found: dict[int, Mapping[str, Ref]] = {}

    def bring_back(self, number: int) -> None:
        """Let the step of a number find them so again."""
        now = list_refs(self._worktree.git)
        found = self._found.setdefault(number, now)
        if now == found:
            return
        if self._worktree.head is not None:  # no branch goes that HEAD is on
            self._worktree.detach_head(self._worktree.head)
        lines = [f"delete {name}\n" for name in now.keys() - found.keys()]
        lines += [f"update {name} {ref.oid}\n" for name, ref in found.items()]
        self._worktree.git.run("update-ref", "--stdin", stdin=os.fsencode("".join(lines)))


def _as_checked_out(file: File | None) -> File | None:
    """A file with the permissions that git keeps: what else a umask does to it is no change."""
    if file is None:
        return None
    return File(file.content, 0o755 if file.git_mode == b"100755" else 0o644)


def _leaves_files(step: StepResult) -> bool:
    """Whether nothing ran: the state was there already, or the step was not wanted."""
    is_checkout = step.verdict is StepVerdict.SATISFIED and step.reason == CHECKOUT
    return is_checkout or step.verdict is StepVerdict.NOT_WANTED


def went_well(steps: Sequence[StepResult]) -> bool:
    """Whether no step failed."""
    return all(one.verdict is not StepVerdict.FAILED for one in steps)
