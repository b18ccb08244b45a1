"""``git heal check``, from the state of a checkout to what its jobs said of it.

What is known of the state is found here; what has to run is the part of ``check_jobs``, which a
check of the same state as before never loads.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_events import CheckBegan, Warned
from git_retcon.heal.check_situation import (
    Checkout,
    CheckRequest,
    Situation,
    Tell,
    read_secrets,
    see_situation,
    tell_job,
)
from git_retcon.heal.found_errors import FoundError, Tree, list_errors
from git_retcon.heal.results import CheckRun, JobResult, Verdict
from git_retcon.heal.stored_verdicts import make_digest
from git_retcon.heal.working_state import open_state
from git_retcon.run.kept_worktrees import repository_key
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

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
    secrets = read_secrets(request.secrets)
    head = resolve_commit(checkout.repository, "HEAD") or ""
    with open_state(checkout.repository, checkout.top, head) as state:
        situation = see_situation(checkout, state, secrets)
        branch = situation.branch.checkout.branch
        tell(CheckBegan(state.run_id, state.commit, branch))
        if state.secrets:
            names = some_of(map(show_path, state.secrets), 3)
            tell(Warned(f"left out, as untracked files with secrets: {names}", _INCLUDE_SECRETS))
        jobs = _find_jobs(situation, request, tell) or _run_jobs(situation, request, tell)
        root = situation.base / repository_key(checkout.repository) / state.run_id
        errors = list_errors(jobs, Tree(state.list_paths, root / "tree"))
    run = CheckRun(
        state.run_id, state.commit, state.tree, branch, started, time.time() - started, jobs
    )
    if not request.changed:
        return Findings(run, errors, 0)
    changed = {*(situation.branch.requested or ()), *(situation.branch.pushed or ())}
    own = [error for error in errors if error.path in changed]
    return Findings(run, own, len(errors) - len(own))


def _find_jobs(
    situation: Situation, request: CheckRequest, tell: Tell
) -> tuple[JobResult, ...] | None:
    """The jobs of an earlier check that depended on the same."""
    found = None if request.force else situation.verdicts.find_all(_name(situation, request))
    for job in found or ():
        tell_job(job, tell)
    return found


def _run_jobs(situation: Situation, request: CheckRequest, tell: Tell) -> tuple[JobResult, ...]:
    from git_retcon.heal.check_jobs import run_jobs

    found = run_jobs(situation, request, tell)
    if found.is_settled:
        known = [
            job if job.verdict is Verdict.NOT_RUN else job._replace(cached=True)
            for job in found.ended
        ]
        situation.verdicts.keep_all(_name(situation, request), known)
    return found.ended


def _name(situation: Situation, request: CheckRequest) -> str:
    return make_digest(["all", *situation.key, request.event, request.workflow, request.job])
