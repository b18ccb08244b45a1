"""``git heal check``, from the state of a checkout to what its jobs said of it.

What is known of the state is found here; what has to run is the part of ``check_jobs``, which a
check of the same state as before never loads.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.errors import Fatal
from git_retcon.git.graph import resolve_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.heal.check_events import CheckBegan, Warned
from git_retcon.heal.check_recorder import CheckRecorder, open_diary
from git_retcon.heal.check_situation import (
    Checkout,
    CheckRequest,
    Situation,
    Tell,
    make_redact,
    read_secrets,
    see_situation,
    tell_job,
)
from git_retcon.heal.found_errors import FoundError, StepErrors, Tree
from git_retcon.heal.records.database import database_path
from git_retcon.heal.records.runs import RunBegin
from git_retcon.heal.results import CheckRun, JobResult, Verdict
from git_retcon.heal.stored_verdicts import make_digest
from git_retcon.heal.working_files import CommitFiles
from git_retcon.heal.working_state import open_commit, open_state
from git_retcon.run.kept_worktrees import repository_key
from git_retcon.settings import HEAL_RUNNER, Settings
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_RUNNERS = ("host",)
_INCLUDE_SECRETS = "'git add' takes a file into the check, whatever it holds"


class Findings(NamedTuple):
    """What a check found. ``elsewhere`` is how many errors are in files that do not count."""

    run: CheckRun
    errors: Sequence[FoundError]
    elsewhere: int


def run_check(checkout: Checkout, request: CheckRequest, tell: Tell) -> Findings:
    """Run what the branch would start, and tell what happens.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    started = time.time()
    # Whoever asks for another runner would take our verdicts for its own.
    Settings.of(checkout.repository.config).one_of(HEAL_RUNNER, _RUNNERS)
    secrets = read_secrets(request.secrets)
    with _open_situation(checkout, request, secrets) as situation:
        state = situation.state
        branch = situation.branch.checkout.branch
        tell(CheckBegan(state.run_id, state.commit, branch))
        if state.secrets:
            names = some_of(map(show_path, state.secrets), 3)
            tell(Warned(f"left out, as untracked files with secrets: {names}", _INCLUDE_SECRETS))
        with _open_recorder(situation, started, tell) as recorder:
            jobs, question = _find_jobs(situation, request, tell, recorder) or _run_jobs(
                situation, request, tell, recorder
            )
            run = CheckRun(
                state.run_id, state.commit, state.tree, branch, started, time.time() - started, jobs
            )
            recorder.end(run.verdict, run.seconds, question)
        if _is_worth_a_note(request, run, checkout.repository):
            _note_verdict(checkout.repository, run, tell)
    if not request.changed:
        return Findings(run, recorder.errors, 0)
    changed = {*(situation.branch.requested or ()), *(situation.branch.pushed or ())}
    own = [one for one in recorder.errors if one.path is None or one.path in changed]
    return Findings(run, own, len(recorder.errors) - len(own))


@contextlib.contextmanager
def _open_situation(
    checkout: Checkout, request: CheckRequest, secrets: Mapping[str, str]
) -> Iterator[Situation]:
    repository = checkout.repository
    if request.commit:
        with open_commit(repository, request.commit) as state:
            files = CommitFiles(repository, state.tree, state.list_paths)
            yield see_situation(checkout, state, secrets, files)
        return
    head = resolve_commit(repository, "HEAD") or ""
    with open_state(repository, checkout.top, head) as state:
        yield see_situation(checkout, state, secrets)


def _is_worth_a_note(request: CheckRequest, run: CheckRun, repository: Repository) -> bool:
    """Whether jobs ran that say something of a commit as it is: all of them, on all of it."""
    is_all = not (request.event or request.workflow or request.job)
    has_run = any(not job.cached and job.verdict is not Verdict.NOT_RUN for job in run.jobs)
    return bool(is_all and has_run and run.commit) and tree_of(repository, run.commit) == run.tree


def _note_verdict(repository: Repository, run: CheckRun, tell: Tell) -> None:
    from git_retcon.heal.verdict_notes import note_verdict

    try:
        note_verdict(repository, run)
    except Fatal as fault:
        tell(Warned(f"the verdict is not noted on the commit: {fault}", fault.hint or ""))


@contextlib.contextmanager
def _open_recorder(situation: Situation, started: float, tell: Tell) -> Iterator[CheckRecorder]:
    checkout, state = situation.checkout, situation.state
    begin = RunBegin(
        state.run_id, state.commit, state.tree, situation.branch.checkout.branch,
        bytes(checkout.top), started=started,
    )  # fmt: skip
    root = situation.base / repository_key(checkout.repository) / state.run_id
    errors = StepErrors(Tree(state.list_paths, root / "tree"), lambda: _make_mask(situation))
    path = database_path(checkout.repository.common_dir)
    with open_diary(path, begin, tell) as diary:
        yield CheckRecorder(diary, errors)


def _make_mask(situation: Situation) -> Callable[[str], str]:
    redact = make_redact(situation.secrets)
    return lambda text: redact(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")


class _Answer(NamedTuple):
    """What is known of the jobs; ``question`` names what all that depends on, or is empty."""

    jobs: tuple[JobResult, ...]
    question: str


def _find_jobs(
    situation: Situation, request: CheckRequest, tell: Tell, recorder: CheckRecorder
) -> _Answer | None:
    """The jobs of an earlier check that depended on the same."""
    question = _name(situation, request)
    found = None if request.force else situation.verdicts.find_all(question)
    if found is None:
        return None
    for job in found:
        tell_job(job, tell)
    recorder.recall(found, question)
    return _Answer(found, question)


def _run_jobs(
    situation: Situation, request: CheckRequest, tell: Tell, recorder: CheckRecorder
) -> _Answer:
    from git_retcon.heal.check_jobs import run_jobs

    found = run_jobs(situation, request, tell, recorder)
    if not found.is_settled:
        return _Answer(found.ended, "")
    question = _name(situation, request)
    known = [
        job if job.verdict is Verdict.NOT_RUN else job._replace(cached=True) for job in found.ended
    ]
    situation.verdicts.keep_all(question, known)
    return _Answer(found.ended, question)


def _name(situation: Situation, request: CheckRequest) -> str:
    return make_digest(["all", *situation.key, request.event, request.workflow, request.job])
