"""``git heal check``, from the state of a checkout to what its jobs said of it."""

import contextlib
import dataclasses
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.files.xdg import data_folder, expand_home
from git_retcon.git.graph import resolve_commit, tree_of
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository, open_repository
from git_retcon.heal.check_events import (
    CheckBegan,
    CheckEvent,
    JobBegan,
    JobEnded,
    StepBegan,
    StepEnded,
    StepPrinted,
    Warned,
)
from git_retcon.heal.check_worktree import place_of
from git_retcon.heal.current_branch import CurrentBranch, read_current_branch
from git_retcon.heal.execution.job_runner import Finished, ReadyJob, Workbench, run_job
from git_retcon.heal.execution.scope import to_plain
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.execution.tool_setup import NoVirtualEnvironment
from git_retcon.heal.execution.workflow_runner import Surrounding, run_workflow
from git_retcon.heal.found_errors import FoundError, Tree, list_errors
from git_retcon.heal.held_bench import BenchNeeds, HeldBench
from git_retcon.heal.included_files import IncludedFiles
from git_retcon.heal.local_tools import LocalTools, read_local_machine
from git_retcon.heal.named_commands import list_commands
from git_retcon.heal.results import CheckRun, JobResult, StepResult, Verdict
from git_retcon.heal.stored_verdicts import StoredVerdict, StoredVerdicts, make_digest
from git_retcon.heal.tool_memory import ToolMemory
from git_retcon.heal.workflow_choice import Choice, ChosenWorkflow, choose_workflows, is_called
from git_retcon.heal.workflows.plan import Planner, begin_run
from git_retcon.heal.workflows.triggers import name_event
from git_retcon.heal.working_files import StateFiles
from git_retcon.heal.working_state import WorkingState, reading_state
from git_retcon.run.tool_versions import ToolFinder, choose_folders
from git_retcon.run.trust import Trust
from git_retcon.run.worktree import repository_key
from git_retcon.settings import HEAL_INCLUDE, HEAL_TRUSTED, HEAL_WORKTREE_DIR, Settings

Tell = Callable[[CheckEvent], None]


class CheckRequest(NamedTuple):
    """What was asked for. ``force``: what is known does not count; ``trust``: the person said yes
    to the commands; ``secrets`` are names of variables whose values workflows get.
    """

    choice: Choice = Choice()
    force: bool = False
    trust: bool = False
    secrets: tuple[str, ...] = ()


class Checkout(NamedTuple):
    """The checkout whose state is checked; ``git`` is bound to its top."""

    repository: Repository
    git: Git
    top: Path


def open_checkout(where: Path) -> Checkout:
    """The checkout around a folder. Raises Fatal where there is no working tree."""
    repository = open_repository(where)
    top = repository.work_tree
    if top is None:
        raise Fatal(
            "there is no working tree here to check",
            hint="run this in a checkout ('git worktree add' makes one of a bare repository)",
        )
    return Checkout(repository, dataclasses.replace(repository.git, work_tree=top), top)


def run_check(
    checkout: Checkout, request: CheckRequest, tell: Tell
) -> tuple[CheckRun, list[FoundError]]:
    """Run what the branch would start, and tell what happens; what was found, and where.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    started = time.time()
    head = resolve_commit(checkout.repository, "HEAD") or ""
    with reading_state(checkout.repository, checkout.top, head) as state:
        check = _Check(checkout, request, state, tell)
        with check.opening():
            jobs = tuple(check.run())
            errors = list_errors(jobs, check.tree)
    run = CheckRun(
        state.run_id, state.commit, state.tree, check.branch.checkout.branch, started,
        time.time() - started, jobs,
    )  # fmt: skip
    return run, errors


class _Check:
    """One check of one state."""

    def __init__(
        self, checkout: Checkout, request: CheckRequest, state: WorkingState, tell: Tell
    ) -> None:
        repository = checkout.repository
        self._request = request
        self._tell = tell
        self._state = state
        self._files = StateFiles(state.paths, checkout.top)
        self.branch = _read_branch(checkout, state)
        settings = Settings.of(repository.config)
        base = worktrees_folder(settings)
        self._caller = _see_caller(checkout.top)
        finder = ToolFinder(self._caller, without=checkout.top)
        self._memory = ToolMemory(finder, base / repository_key(repository) / "tools.json")
        self._tools = LocalTools(self._memory, self._files)
        self._included = IncludedFiles(checkout.git, checkout.top, settings.all(HEAL_INCLUDE))
        root = place_of(base, repository, state.run_id)
        self.tree = Tree(state.paths, root / "tree")
        self._store = StoredVerdicts(root)
        self._chosen = choose_workflows(self._files, self.branch, request.choice)
        self._secrets = _read_secrets(request.secrets)
        self._bench = HeldBench(self._list_needs(checkout, base))
        self._common_key = self._describe_all()

    def _list_needs(self, checkout: Checkout, base: Path) -> BenchNeeds:
        def warn(message: str) -> None:
            self._tell(Warned(message))

        return BenchNeeds(
            checkout.repository, base, self._state, self._included.copy_to, self._tools,
            self._caller, self._secrets, _make_redact(self._secrets),
            Trust(HEAL_TRUSTED, checkout.repository, self._request.trust, warn),
            lambda: list_commands(
                (one.read.workflow for one in self._chosen if one.read.workflow and one.started),
                self._files,
            ),
            warn,
        )  # fmt: skip

    def _describe_all(self) -> Sequence[str]:
        """What every verdict depends on, beside the job and the state."""
        checkout = self.branch.checkout
        places = (*map(str, checkout), self._memory.fingerprint)
        return [*places, *sorted(self._secrets), self._included.digest()]

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Hold what is opened for the length of the block."""
        with self._bench:
            yield

    def run(self) -> Iterator[JobResult]:
        """The jobs of all workflows that start, in the order in which they ran."""
        self._tell(CheckBegan(self._state.run_id, self._state.commit, self.branch.checkout.branch))
        for one in self._chosen:
            if one.read.workflow is not None and one.started:
                yield from self._run_workflow(one)

    def _run_workflow(self, one: ChosenWorkflow) -> Sequence[JobResult]:
        workflow, event = one.read.workflow, one.started[0]
        assert workflow is not None, "asked only of a workflow that starts"
        content = self._files.read(one.path) or b""
        keys: list[str | bytes] = [*self._common_key, content, name_event(event)]

        def run_one(ready: ReadyJob) -> tuple[Finished, bool]:
            return self._run_job(ready, keys)

        planner = Planner(self._files, self._tools, read_local_machine())
        surrounding = Surrounding(planner, self._tools, run_one, self._tell_job)
        around = begin_run(workflow, event, self.branch.checkout)
        name = self._request.choice.job
        only = next((job.id for job in workflow.jobs if name and is_called(job, name)), "")
        return run_workflow(workflow, around, surrounding, only)

    def _run_job(self, ready: ReadyJob, keys: Sequence[str | bytes]) -> tuple[Finished, bool]:
        key = make_digest([*keys, ready.key, *_describe_inputs(ready)])
        found = None if self._request.force else self._store.find(key)
        if found is None:
            # Another check may have run the job while this one waited for the worktree.
            bench = self._bench.get()
            found = None if self._request.force else self._store.find(key)
            if found is None:
                file = ready.file.decode("utf-8", "replace")
                self._tell(JobBegan(file, ready.plan.name))
                return self._run_and_keep(ready, key, bench), False
        return Finished(*found), True

    def _run_and_keep(self, ready: ReadyJob, key: str, bench: Workbench) -> Finished:
        try:
            finished = run_job(ready, bench, self._make_progress())
        except NoVirtualEnvironment as error:
            reason = f"Python cannot make a virtual environment ({error})"
            return Finished(Verdict.NOT_RUN, reason, (), (), 0.0, ())
        self._store.keep(key, StoredVerdict(*finished))
        return finished

    def _make_progress(self) -> Progress:
        def end(step: StepResult) -> None:
            self._tell(StepEnded(step.name, step.line, step.verdict, step.reason, step.seconds))

        return Progress(
            lambda name: self._tell(StepBegan(name)),
            lambda line: self._tell(StepPrinted(line)),
            end,
        )

    def _tell_job(self, job: JobResult) -> None:
        name = " / ".join((*job.callers, job.name))
        file = job.file.decode("utf-8", "replace")
        self._tell(JobEnded(file, name, job.verdict, job.reason, job.seconds, job.cached))


def _describe_inputs(ready: ReadyJob) -> list[str]:
    """What a job sees of its cell and of the jobs before it."""
    contexts = ready.around.contexts
    names = ("inputs", "matrix", "needs")
    return [json.dumps(to_plain(contexts.get(name))) for name in names]


def worktrees_folder(settings: Settings) -> Path:
    """Where worktrees of ours are: ``heal.worktreeDir``, else below XDG_DATA_HOME."""
    configured = settings.get(HEAL_WORKTREE_DIR)
    if configured:
        return expand_home(configured, os.environ)
    return data_folder(os.environ) / "worktrees"


def _read_branch(checkout: Checkout, state: WorkingState) -> CurrentBranch:
    repository = checkout.repository

    def list_changed(commit: str) -> list[bytes]:
        # the state's own trees may be there alone
        repository.objects.odb.add_disk_alternate(os.fspath(state.objects))
        changes = repository.trees.changes(tree_of(repository, commit), state.tree)
        return [change.path for change in changes]

    return read_current_branch(repository, checkout.git, state.commit or None, list_changed)


def _see_caller(top: Path) -> Mapping[str, str]:
    """This process's environment, without programs of the checkout or of a virtual environment
    that is activated: a job would pass with what is installed there.
    """
    env = dict(os.environ)
    folders = choose_folders(env.get("PATH", os.defpath), top)
    active = env.pop("VIRTUAL_ENV", "")
    kept = (one for one in folders.split(os.pathsep) if not active or not _is_below(one, active))
    return {**env, "PATH": os.pathsep.join(dict.fromkeys(kept))}


def _is_below(path: str, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _read_secrets(names: Sequence[str]) -> dict[str, str]:
    """The values of the secrets that the person gives. Raises Fatal for one that is not set."""
    for name in names:
        if name not in os.environ:
            raise Fatal(
                f"there is no variable '{name}' in the environment",
                hint=f"set it for this command: {name}=... git heal check --secret {name}",
                reason=Reason.INVALID,
            )
    return {name: os.environ[name] for name in names}


def _make_redact(secrets: Mapping[str, str]) -> Callable[[bytes], bytes]:
    """Mask the secrets of this machine, and what looks like one."""
    from git_retcon.model.known_secrets import secrets_in
    from git_retcon.model.redaction import Redactor

    given = {f"{name}_SECRET": value for name, value in secrets.items()}
    return Redactor(secrets_in({**os.environ, **given})).data
