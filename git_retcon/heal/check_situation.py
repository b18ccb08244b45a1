"""What is checked, and all that it depends on."""

import dataclasses
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon import __version__
from git_retcon.errors import Fatal, Reason
from git_retcon.files.xdg import data_folder, expand_home
from git_retcon.git.graph import tree_of
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.trees import EntryChange
from git_retcon.heal.check_events import CheckEvent, JobEnded
from git_retcon.heal.current_branch import CurrentBranch, read_current_branch
from git_retcon.heal.included_files import IncludedFiles
from git_retcon.heal.results import CheckRun, JobResult, name_job
from git_retcon.heal.seen_refs import SeenRefs
from git_retcon.heal.stored_verdicts import StoredVerdicts, make_digest
from git_retcon.heal.tool_memory import ToolMemory
from git_retcon.heal.workflow_memory import WorkflowMemory
from git_retcon.heal.working_files import StateFiles, WorkflowFiles
from git_retcon.run.kept_worktrees import repository_key
from git_retcon.run.tool_versions import ToolFinder, choose_folders
from git_retcon.run.working_state import WorkingState
from git_retcon.settings import HEAL_INCLUDE, HEAL_STEP, HEAL_WORKTREE_DIR, Settings

Tell = Callable[[CheckEvent], None]


class CheckRequest(NamedTuple):
    """What was asked for: an event, a workflow and a job by their names, empty for all that the
    branch would start.

    ``changed``: errors in files that the branch leaves alone are only counted; ``force``: what is
    known does not count; ``trust``: the person said yes to the commands;
    ``secrets`` are names of variables whose values workflows get; ``commit`` is checked in place of
    the working tree; ``is_ours``: this program wrote the commands. ``runner`` is what runs jobs:
    "host" or "act".
    """

    event: str = ""
    workflow: str = ""
    job: str = ""
    changed: bool = False
    force: bool = False
    trust: bool = False
    secrets: tuple[str, ...] = ()
    commit: str = ""
    is_ours: bool = False
    runner: str = "host"


class Checkout(NamedTuple):
    """The checkout whose state is checked; ``git`` is bound to its top."""

    repository: Repository
    git: Git
    top: Path


class Situation(NamedTuple):
    """All that a check depends on beside what was asked for. ``base`` is where worktrees are,
    ``caller`` the environment that steps may take from; ``key`` names the whole, but for ``refs``
    other than tags.
    """

    checkout: Checkout
    state: WorkingState
    branch: CurrentBranch
    base: Path
    caller: Mapping[str, str]
    tools: ToolMemory
    included: IncludedFiles
    secrets: Mapping[str, str]
    verdicts: StoredVerdicts
    workflows: WorkflowMemory
    key: Sequence[str]
    refs: SeenRefs
    other_files: WorkflowFiles | None

    @property
    def files(self) -> WorkflowFiles:
        """The files of the state: those of the working tree, unless it is another's."""
        return self.other_files or StateFiles(
            self.checkout.repository, self.state.paths, self.checkout.top
        )


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


def make_run(situation: Situation, started: float, jobs: tuple[JobResult, ...]) -> CheckRun:
    """A run of these jobs that has just ended."""
    state, branch = situation.state, situation.branch.checkout.branch
    seconds = time.time() - started
    return CheckRun(state.run_id, state.commit, state.tree, branch, started, seconds, jobs)


def name_question(situation: Situation, request: CheckRequest) -> str:
    """A digest of all that the outcome of a check depends on."""
    asked = (request.event, request.workflow, request.job, request.runner)
    return make_digest(["all", *situation.key, situation.refs.digest, *asked])


def tell_job(job: JobResult, tell: Tell) -> None:
    """Tell that a job has ended."""
    file = job.file.decode("utf-8", "replace")
    tell(JobEnded(file, name_job(job), job.verdict, job.reason, job.seconds, job.cached))


def see_situation(
    checkout: Checkout,
    state: WorkingState,
    secrets: Mapping[str, str],
    files: WorkflowFiles | None = None,
) -> Situation:
    """The situation of a state that has been read, from the working tree unless ``files`` are
    given.
    """
    repository = checkout.repository
    settings = Settings.of(repository.config)
    base = Path(os.path.realpath(worktrees_folder(settings)))
    ours = base / repository_key(repository)
    branch = _read_branch(checkout, state)
    caller = _see_caller(checkout.top)
    tools = ToolMemory(ToolFinder(caller, without=checkout.top), ours / "tools.json")
    included = IncludedFiles(checkout.git, checkout.top, settings.all(HEAL_INCLUDE))
    places = (
        *map(str, branch.checkout), repr(branch.pushed), repr(branch.requested), branch.before,
    )  # fmt: skip
    steps = settings.all(HEAL_STEP)
    # A later version may run steps, or read what they print, otherwise.
    refs = SeenRefs(checkout.git, repository.config)
    key = [
        __version__, *places, repr(steps), tools.fingerprint, included.digest(), refs.tags,
        *sorted(secrets),
    ]  # fmt: skip
    verdicts = StoredVerdicts(ours / state.run_id)
    return Situation(
        checkout,
        state,
        branch,
        base,
        caller,
        tools,
        included,
        secrets,
        verdicts,
        WorkflowMemory(ours / "workflows.json"),
        key,
        refs,
        files,
    )


def make_redact(secrets: Mapping[str, str]) -> Callable[[bytes], bytes]:
    """What masks the secrets of this machine, those that were given, and what looks like one."""
    from git_retcon.model.known_secrets import secrets_in
    from git_retcon.model.redaction import Redactor

    given = {f"{name}_SECRET": value for name, value in secrets.items()}
    return Redactor(secrets_in({**os.environ, **given})).redact_bytes


def worktrees_folder(settings: Settings) -> Path:
    """Where worktrees of ours are: ``heal.worktreeDir``, else below XDG_DATA_HOME."""
    configured = settings.get(HEAL_WORKTREE_DIR)
    if configured:
        return expand_home(configured, os.environ)
    return data_folder(os.environ) / "worktrees"


def list_changes(checkout: Checkout, state: WorkingState, commit: str) -> list[EntryChange]:
    """What differs from a commit, while the state is held."""
    repository = checkout.repository
    # the state's own trees may be there alone
    repository.objects.odb.add_disk_alternate(os.fspath(state.objects))
    return repository.trees.changes(tree_of(repository, commit), state.tree)


def _read_branch(checkout: Checkout, state: WorkingState) -> CurrentBranch:
    def list_changed(commit: str) -> list[bytes]:
        return [change.path for change in list_changes(checkout, state, commit)]

    repository = checkout.repository
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


def read_secrets(names: Sequence[str]) -> dict[str, str]:
    """The values of the secrets that the person gives. Raises Fatal for one that is not set."""
    for name in names:
        if name not in os.environ:
            raise Fatal(
                f"there is no variable '{name}' in the environment",
                hint=f"set it for this command: {name}=... git heal check --secret {name}",
                reason=Reason.INVALID,
            )
    return {name: os.environ[name] for name in names}
