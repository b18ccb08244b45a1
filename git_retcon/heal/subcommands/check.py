"""``git heal check``: run CI's jobs here, and say what they found."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Reason
from git_retcon.heal.check_events import CheckEvent
from git_retcon.heal.check_progress import CheckProgress
from git_retcon.heal.check_report import (
    count_rows,
    list_found_lines,
    list_lines,
    list_members,
    make_remarks,
    summarize,
)
from git_retcon.heal.check_run import Findings, run_check
from git_retcon.heal.check_situation import Checkout, CheckRequest, open_checkout
from git_retcon.heal.found_errors import list_failed
from git_retcon.heal.results import CheckRun, Verdict
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.heal.subcommands.nothing_ran import explain_nothing
from git_retcon.options import Output
from git_retcon.show.annotations import make_sarif, make_workflow_command
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.events import open_listeners
from git_retcon.show.notices import say
from git_retcon.show.style import style_of, write_line

if TYPE_CHECKING:
    from git_retcon.heal.foreign_output import ForeignOutput


def show_check(
    request: CheckRequest,
    output: Output,
    form: str,
    *,
    events: bool,
    foreign: "ForeignOutput | None" = None,
) -> Ending:
    """Run a check and print what it found, for people or in one of the forms of code hosts.

    ``foreign`` is read in place of running anything.
    """
    checkout = open_checkout(Path.cwd())
    remove_leftovers(checkout.repository)  # before they are taken for files of the state
    setting = checkout.repository.config.get
    progress = CheckProgress(style_of(sys.stderr, output, setting))
    with open_listeners(output, progress, events=events) as tell:

        def tell_one(event: CheckEvent) -> None:
            tell(event)

        if foreign is None:
            findings = run_check(checkout, request, tell_one)
        else:
            from git_retcon.heal.foreign_output import read_output

            findings = read_output(checkout, foreign, request, tell_one)
    if not output.json and not events:
        style = style_of(sys.stdout, output, setting)
        list_text = list_lines if foreign is None else list_found_lines
        lines = list_text(findings, style, verbose=output.verbose, screen=count_rows())
        for line in lines if form == "text" else _list_for_host(findings, form):
            write_line(sys.stdout, line)
    if foreign is not None:
        return _end_reading(findings, foreign)
    return _end_check(checkout, findings.run, list_members(findings))


def _list_for_host(findings: Findings, form: str) -> Iterable[str]:
    """The errors as a code host reads them: GitHub's logs, or what takes SARIF."""
    remarks = make_remarks(findings.errors)
    if form == "sarif":
        # Code scanning takes nothing that has no file: the workflow's, which asked for the step.
        pairs = zip(remarks, findings.errors, strict=True)
        placed = (one if one.file else one._replace(file=error.workflow) for one, error in pairs)
        return [make_sarif("git-heal", placed)]
    return map(make_workflow_command, remarks)


def _end_reading(findings: Findings, foreign: "ForeignOutput") -> Ending:
    """What was read of another run never counts as passed."""
    found = len(findings.errors) + findings.elsewhere
    if found:
        error, reason = f"{count(found, 'error')} in '{foreign.path}'", Reason.ERRORS_FOUND
        hint = "'git heal errors' lists them again, 'git heal show ERROR' shows all of one"
    else:
        error, reason = f"no error is recognized in '{foreign.path}'", Reason.NOT_READY
        hint = "'git heal check' runs the jobs here"
    say("error", error, hint)
    return Ending(FAILED, list_members(findings), Failure(reason, error, hint))


def _end_check(checkout: Checkout, run: CheckRun, data: dict[str, object]) -> Ending:
    if run.is_good:
        return Ending(data=data)
    failed, reason = run.count(Verdict.FAILED), Reason.NOT_READY
    if failed:
        reason = Reason.ERRORS_FOUND
        error = f"{count(failed, 'job')} failed"
        hint = "the logs that are named have everything that was printed"
        if not any(step.log for job in run.jobs for step in list_failed(job.steps)):
            hint = "nothing was printed; the reason is beside each"
    else:
        why, hint = explain_nothing(checkout, run.branch, run.jobs)
        error = f"nothing ran ({summarize(run)})" if run.jobs else "nothing ran"
        error = f"{error}: {why}" if why else error
    say("error", error, hint)
    return Ending(FAILED, data, Failure(reason, error, hint))
