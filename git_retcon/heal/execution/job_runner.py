"""One run of a job in the worktree: made ready, its steps run, its outputs read."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence

from git_retcon.files.xdg import cache_folder
from git_retcon.git.process import GitError
from git_retcon.heal.execution.github_variables import (
    Situation,
    name_variables,
    see_situation,
    write_event,
)
from git_retcon.heal.execution.hidden_files import HiddenFiles
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.local_artifacts import LocalArtifacts
from git_retcon.heal.execution.local_caches import LocalCaches
from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.own_origin import provide_origin
from git_retcon.heal.execution.ready_job import LACK, FinishedJob, ReadyJob, Workbench, make_slug
from git_retcon.heal.execution.step_environment import JobFolders, make_environment
from git_retcon.heal.execution.step_runner import Progress, StepRunner
from git_retcon.heal.execution.step_scope import Scope
from git_retcon.heal.execution.tool_setup import (
    Environment,
    choose_python,
    enter_environment,
    find_uv_use,
    list_used,
    prepare_environment,
    uses_python,
)
from git_retcon.heal.results import (
    Blame,
    StepResult,
    StepVerdict,
    UsedTool,
    Verdict,
    list_skipped,
)
from git_retcon.heal.workflows.checkouts import fetches_all, fetches_origin
from git_retcon.heal.workflows.contexts import Misevaluated, evaluate_env, evaluate_node
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import NotKnown, Value, to_number
from git_retcon.heal.workflows.step_plans import evaluate_known
from git_retcon.heal.workflows.workflow import Job, Step
from git_retcon.heal.workflows.workflow_plan import CellPlan
from git_retcon.run.background import Background, keep_background
from git_retcon.run.removal import remove
from git_retcon.run.stray_processes import MARK
from git_retcon.run.temporary_folder import open_temporary
from git_retcon.show.counting import count

_LONGEST = 360.0  # minutes: GitHub's own limit


def run_job(ready: ReadyJob, bench: Workbench, progress: Progress) -> FinishedJob:
    """Run the steps of a job.

    Raises Misevaluated where the job itself cannot be read, NoVirtualEnvironment where Python
    would install into the user's own.
    """
    with open_job(ready, bench, progress) as job:
        return job.finish(job.run(ready.job.steps))


@contextlib.contextmanager
def open_job(ready: ReadyJob, bench: Workbench, progress: Progress) -> "Iterator[OpenJob]":
    """Make the worktree ready for a job, for the length of the block. Raises as ``run_job``."""
    try:
        with (
            open_temporary("heal.") as short,
            keep_background(bench.worktree.root) as background,
        ):
            folders = JobFolders(bench.root / "jobs" / ready.key, short)
            yield OpenJob(ready, bench, progress, folders, background)
    finally:
        if bench.worktree.aside.is_set:
            bench.worktree.bring_back()


class OpenJob:
    """A job whose steps its caller runs, in their order; any of them can be run again."""

    def __init__(
        self,
        ready: ReadyJob,
        bench: Workbench,
        progress: Progress,
        folders: JobFolders,
        background: Background,
    ) -> None:
        self.ready = ready
        self.bench = bench
        self._started = time.monotonic()
        commit = bench.prepare(ready.key)
        # Both last until the next run, for people who look at a failure.
        for emptied in (folders.temporary, folders.logs):
            remove(emptied)
        self.session, around = _open_session(ready, bench, folders, commit, self._started)
        self.session.background = background
        self._caches = LocalCaches(bench.root / "caches")
        # Those of one run: a called workflow shares them with its callers.
        run = f"{ready.started.decode('latin-1')} {self.session.base['GITHUB_EVENT_NAME']}"
        uploads = bench.root / "uploads" / make_slug(run)
        self._artifacts = LocalArtifacts(uploads, ready.key, ready.ended)
        self._files = HiddenFiles(
            bench.worktree, self.session, bench.include, at_once=ready.job.has_files
        )
        self._runner = StepRunner(
            self.session,
            bench.worktree,
            bench.tools,
            progress,
            self._caches,
            self._artifacts,
            bench.actions,
            self._files,
        )
        self._scope = Scope(around, ready.defaults)

    def run(self, steps: Sequence[Step]) -> tuple[StepResult, ...]:
        """Run the next steps."""
        return self._runner.run(steps, self._scope)

    @property
    def has_files(self) -> bool:
        """Whether the next step finds the files of the state: a checkout came before."""
        return self._files.are_shown

    def came_before_files(self, number: int) -> bool:
        """Whether the step of a number ran without them, so that they mean nothing to it."""
        return number in self._files.earlier

    def forget_failure(self) -> None:
        """Let the next step run as if none had failed, such as the failed one once more."""
        self.session.failed = self._scope.failed = False
        self._artifacts.allow_again()

    def end_background(self) -> None:
        """End what steps left running; from now on it ends with its step."""
        if self.session.background is not None:
            self.session.background.end()
        self.session.background = None

    def finish(self, steps: tuple[StepResult, ...]) -> FinishedJob:
        """Keep its caches; how the job ended whose steps ended so."""
        self._caches.finish(self.session)
        tools = list_used(self.ready.plan.steps, self.bench.tools)
        verdict, reason = judge_steps(steps, tools, self.bench.find_blame, self.ready.plan.machine)
        # A step that was stopped for time has an exit status of its own, which explains nothing.
        if self.session.seconds_left() <= 0 and verdict is not Verdict.PASSED:
            verdict, reason = Verdict.FAILED, "its time ran out"
        outputs = _read_outputs(self.ready.job, self._scope.see(self.session))
        seconds = time.monotonic() - self._started
        return FinishedJob(verdict, reason, steps, tools, seconds, outputs)


def _open_session(
    ready: ReadyJob, bench: Workbench, folders: JobFolders, commit: str, started: float
) -> tuple[JobSession, Surroundings]:
    """The session of a job, and what its steps see."""
    made = make_environment(bench.caller, folders)
    if made.without_credentials:
        names = ", ".join(made.without_credentials)
        bench.warn(f"steps get no credentials, without which these do not work: {names}")
    workspace = bench.worktree.tree
    if fetches_all(ready.plan.steps):
        workspace = folders.workspace
        remove(workspace)
        workspace.mkdir(parents=True)
    situation = Situation(
        ready.job.id, ready.workflow, workspace, folders, bench.run, commit, bench.machine
    )
    around = see_situation(ready.around, situation, bench.secrets)
    write_event(around)
    masks = Masks(bench.secrets.values(), bench.redact)
    # In an empty workspace, git would look for a repository in the folders above.
    above = {"GIT_CEILING_DIRECTORIES": str(bench.root)}
    base = {**made.variables, **above, **name_variables(around)}
    deadline = started + _read_minutes(ready.job, around) * 60
    session = JobSession(folders, workspace, base, masks, deadline)
    session.set_variables(ready.env)
    session.set_variables(evaluate_env(ready.job.env, around))
    _provide_python(ready.plan, bench, folders, session)
    if fetches_origin(ready.plan.steps):
        # Where git cannot make it, the step that fetches says so.
        with contextlib.suppress(GitError, OSError):
            provide_origin(bench.worktree, folders.origin, session.base.get("GITHUB_REPOSITORY"))
    return session, around


def _read_minutes(job: Job, around: Surroundings) -> float:
    try:
        said = to_number(evaluate_node(job.timeout, around)) if job.timeout else _LONGEST
    except NotKnown:
        return _LONGEST
    return said if 0 < said < _LONGEST else _LONGEST


def _provide_python(
    plan: CellPlan, bench: Workbench, folders: JobFolders, session: JobSession
) -> None:
    if not uses_python(plan.steps, bench.worktree.tree):
        return
    match = choose_python(plan.steps, bench.tools)
    if match.tool is None:
        return
    folder = folders.virtual_environment
    seeds = cache_folder(bench.caller) / "virtualenv"
    # Marked: one that outlives us would go on writing into a folder that the next run removes.
    env = {**session.base, MARK: os.fspath(bench.worktree.root)}
    prepare_environment(Environment(folder, match.tool.path, seeds), env)
    enter_environment(session, find_uv_use(plan.steps, bench.worktree.tree))


def _read_outputs(job: Job, around: Surroundings) -> tuple[tuple[str, Value], ...]:
    pairs: list[tuple[str, Value]] = []
    for key, node in job.outputs.pairs if job.outputs else ():
        try:
            pairs.append((key.text, evaluate_known(node, around)))
        except Misevaluated:
            # GitHub warns of it and goes on with an empty output.
            pairs.append((key.text, ""))
    return tuple(pairs)


def judge_steps(
    steps: tuple[StepResult, ...],
    tools: tuple[UsedTool, ...],
    find_blame: Callable[[StepResult], Blame],
    machine: str = "",
) -> tuple[Verdict, str]:
    """The verdict of a job whose steps ended so, and why.

    A failure counts where the output puts the fault in the files. Where it puts it in the machine
    it does not; nor, if it puts it in neither, behind a skipped step, which may have brought what
    is missing, or with another version of a tool than was asked for, or on another machine, which
    ``machine`` says.
    """
    others = _name_others(tools) + ([f"on {machine}"] if machine else [])
    number = next((at for at, one in enumerate(steps) if one.verdict is StepVerdict.FAILED), None)
    if number is not None:
        failed, before = steps[number], list_skipped(steps[: number + 1])
        skips = [f"behind {count(len(before), 'skipped step')}"] if before else []
        blame = find_blame(failed)
        lacks = [LACK] if blame is Blame.MACHINE else []
        reason = ", ".join([f"{failed.name}: {failed.reason}", *lacks, *skips, *others])
        is_sure = blame is Blame.FILES or not (lacks or before or others)
        return (Verdict.FAILED if is_sure else Verdict.INCOMPLETE), reason
    skipped = list_skipped(steps)
    if skipped:
        reasons = dict.fromkeys(one.reason for one in skipped)
        return Verdict.INCOMPLETE, f"{count(len(skipped), 'step')} skipped: {', '.join(reasons)}"
    return Verdict.PASSED, ", ".join(others)


def _name_others(tools: tuple[UsedTool, ...]) -> list[str]:
    """The tools that were others than a job asked for, in a few words."""
    others = [f"{one.tool} {one.version}, wanted {one.wanted}" for one in tools if not one.exact]
    return ["with " + "; ".join(others)] if others else []
