"""A check whose jobs are run, or found faulty before: all of it is recorded as it happens."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal, lower_first
from git_retcon.git.graph import tree_of
from git_retcon.git.repository import Repository, explain_libgit2
from git_retcon.heal.check_events import Warned
from git_retcon.heal.check_recorder import CheckRecorder, open_diary
from git_retcon.heal.check_situation import (
    CheckRequest,
    Situation,
    Tell,
    make_redact,
    make_run,
    name_question,
    tell_job,
)
from git_retcon.heal.found_errors import FoundError, StepErrors, Tree
from git_retcon.heal.records.database import database_path
from git_retcon.heal.records.runs import RunBegin
from git_retcon.heal.results import CheckRun, JobResult, Verdict
from git_retcon.heal.unparsed_scripts import make_suspicion
from git_retcon.run.kept_worktrees import repository_key

if TYPE_CHECKING:
    from git_retcon.heal.check_jobs import Jobs


def run_recorded(
    situation: Situation, request: CheckRequest, started: float, tell: Tell
) -> tuple[CheckRun, Sequence[FoundError]]:
    """Run what is not known, and record all; the run and the errors of its jobs.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    with _open_recorder(situation, started, tell) as recorder:
        jobs, question = _find_jobs(situation, request, tell, recorder) or _run_jobs(
            situation, request, tell, recorder
        )
        run = make_run(situation, started, jobs)
        recorder.end(run.verdict, run.seconds, question)
    _note_verdict(situation, request, run, tell)
    return run, recorder.errors


def run_to_heal(
    situation: Situation, request: CheckRequest, started: float, tell: Tell
) -> tuple["Jobs", int | None]:
    """The same, with all that it takes to run the jobs again; and the number of the run, None where
    the database refused it.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    from git_retcon.heal.check_jobs import run_jobs

    question = name_question(situation, request)
    with _open_recorder(situation, started, tell) as recorder:
        known = situation.verdicts.find_all(question)
        found = run_jobs(situation, request, tell, recorder if known is None else None)
        if known is None:
            question = _keep_answer(situation, request, found).question
        else:
            recorder.recall(known, question)
        run = make_run(situation, started, found.ended)
        number = recorder.end(run.verdict, run.seconds, question)
    _note_verdict(situation, request, run, tell)
    return found, number


def _is_worth_a_note(request: CheckRequest, run: CheckRun, repository: Repository) -> bool:
    """Whether jobs ran that say something of a commit as it is: all of them, on all of it."""
    is_all = not (request.event or request.workflow or request.job)
    has_run = any(not job.cached and job.verdict is not Verdict.NOT_RUN for job in run.jobs)
    return bool(is_all and has_run and run.commit) and tree_of(repository, run.commit) == run.tree


def _note_verdict(situation: Situation, request: CheckRequest, run: CheckRun, tell: Tell) -> None:
    from git_retcon.heal.verdict_notes import note_verdict

    repository = situation.checkout.repository
    if not _is_worth_a_note(request, run, repository):
        return
    try:
        with explain_libgit2():
            note_verdict(repository, run)
    except Fatal as fault:
        tell(Warned(f"the verdict is not noted on the commit: {fault}", fault.hint or ""))
    except OSError as error:  # as libgit2 says that it has no permission
        tell(Warned(f"the verdict is not noted on the commit: {lower_first(str(error))}"))


@contextlib.contextmanager
def _open_recorder(situation: Situation, started: float, tell: Tell) -> Iterator[CheckRecorder]:
    checkout, state = situation.checkout, situation.state
    begin = RunBegin(
        state.run_id, state.commit, state.tree, situation.branch.checkout.branch,
        bytes(checkout.top), started=started,
    )  # fmt: skip
    root = situation.base / repository_key(checkout.repository) / state.run_id
    tree = Tree(state.list_paths, root / "tree", situation.files.read, make_suspicion(situation))
    errors = StepErrors(tree, lambda: _make_mask(situation), lambda said: tell(Warned(said)))
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
    question = name_question(situation, request)
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

    return _keep_answer(situation, request, run_jobs(situation, request, tell, recorder))


def _keep_answer(situation: Situation, request: CheckRequest, found: "Jobs") -> _Answer:
    """Remember what the jobs said, for the next check of the same state that is asked the same."""
    if not found.is_settled:
        return _Answer(found.ended, "")
    question = name_question(situation, request)
    known = [
        job if job.verdict is Verdict.NOT_RUN else job._replace(cached=True) for job in found.ended
    ]
    situation.verdicts.keep_all(question, known)
    return _Answer(found.ended, question)
