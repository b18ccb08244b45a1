"""``git heal check``, from the state of a checkout to what its jobs said of it.

What is known of the state is found here; what has to run is the part of ``check_jobs``, which a
check of the same state as before never loads.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_events import CheckBegan, Warned
from git_retcon.heal.check_situation import (
    Checkout,
    CheckRequest,
    Situation,
    Tell,
    make_run,
    name_question,
    read_secrets,
    see_situation,
    tell_job,
)
from git_retcon.heal.found_errors import FoundError, list_failed
from git_retcon.heal.records.repeats import append_repeat, database_path
from git_retcon.heal.results import CheckRun
from git_retcon.heal.working_files import CommitFiles
from git_retcon.run.working_state import open_commit, open_state
from git_retcon.settings import HEAL_RUNNER, Settings
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_RUNNERS = ("host", "act")
_INCLUDE_SECRETS = "'git add' takes such a file into the check"


class Findings(NamedTuple):
    """What a check found. ``elsewhere`` is how many errors are in files that do not count, ``cut``
    about how many a log has that are too many to keep.
    """

    run: CheckRun
    errors: Sequence[FoundError]
    elsewhere: int
    cut: int = 0


def run_check(checkout: Checkout, request: CheckRequest, tell: Tell) -> Findings:
    """Run what the branch would start, and tell what happens.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    started = time.time()
    runner = Settings.of(checkout.repository.config).one_of(HEAL_RUNNER, _RUNNERS)
    request = request._replace(runner=runner)
    secrets = read_secrets(request.secrets)
    with _open_situation(checkout, request, secrets) as situation:
        state = situation.state
        branch = situation.branch.checkout.branch
        tell(CheckBegan(state.run_id, state.commit, branch))
        if state.secrets:
            names = some_of(map(show_path, state.secrets), 3)
            tell(Warned(f"left out, as untracked files with secrets: {names}", _INCLUDE_SECRETS))
        if request.trust:
            from git_retcon.heal.check_jobs import remember_trust

            remember_trust(situation, request, tell)
        repeated = _repeat_check(situation, request, started, tell)
        if repeated is not None:
            return Findings(repeated, (), 0)
        from git_retcon.heal.recorded_check import run_recorded

        run, errors = run_recorded(situation, request, started, tell)
    if not request.changed:
        return Findings(run, errors, 0)
    changed = {*(situation.branch.requested or ()), *(situation.branch.pushed or ())}
    own = [one for one in errors if one.path is None or one.path in changed]
    return Findings(run, own, len(errors) - len(own))


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


def _repeat_check(
    situation: Situation, request: CheckRequest, started: float, tell: Tell
) -> CheckRun | None:
    """The same check as before, in which no step failed; it needs neither errors nor records."""
    question = name_question(situation, request)
    jobs = None if request.force else situation.verdicts.find_all(question)
    if jobs is None or any(True for job in jobs for _ in list_failed(job.steps)):
        return None
    run = make_run(situation, started, jobs)
    repeat = {
        "run_id": run.run_id,
        "commit": run.commit,
        "tree": run.tree,
        "branch": run.branch,
        "checkout": str(situation.checkout.top),
        "started": started,
        "seconds": run.seconds,
        "verdict": run.verdict.value,
        "question": question,
    }
    if not append_repeat(database_path(situation.checkout.repository.common_dir), repeat):
        return None
    for job in jobs:
        tell_job(job, tell)
    return run
