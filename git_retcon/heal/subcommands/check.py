"""``git heal check``: run CI's jobs here, and say what they found."""

import sys
from collections.abc import Iterable
from pathlib import Path

from git_retcon.errors import Reason
from git_retcon.heal.check_events import CheckEvent
from git_retcon.heal.check_progress import CheckProgress
from git_retcon.heal.check_report import list_lines, list_members, make_remarks, summarize
from git_retcon.heal.check_run import Findings, run_check
from git_retcon.heal.check_situation import CheckRequest, open_checkout
from git_retcon.heal.results import CheckRun, Verdict
from git_retcon.options import Output
from git_retcon.show.annotations import make_sarif, make_workflow_command
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.events import open_listeners
from git_retcon.show.notices import say
from git_retcon.show.style import Style, style_of, write_line


def show_check(
    request: CheckRequest,
    output: Output,
    form: str,
    *,
    events: bool,
) -> Ending:
    """Run a check and print what it found, for people or in one of the forms of code hosts."""
    checkout = open_checkout(Path.cwd())
    setting = checkout.repository.config.get
    progress = CheckProgress(style_of(sys.stderr, output, setting))
    with open_listeners(output, progress, events=events) as tell:

        def tell_one(event: CheckEvent) -> None:
            tell(event)

        findings = run_check(checkout, request, tell_one)
    if not output.json and not events:
        style = style_of(sys.stdout, output, setting)
        for line in _list_lines(findings, form, style, output):
            write_line(sys.stdout, line)
    return _end(findings.run, list_members(findings))


def _list_lines(
    findings: Findings,
    form: str,
    style: Style,
    output: Output,
) -> Iterable[str]:
    match form:
        case "github":
            return map(make_workflow_command, make_remarks(findings.errors))
        case "sarif":
            return [make_sarif("git-heal", list(make_remarks(findings.errors)))]
    return list_lines(findings, style, verbose=output.verbose)


def _end(run: CheckRun, data: dict[str, object]) -> Ending:
    if run.is_good:
        return Ending(data=data)
    failed, reason = run.count(Verdict.FAILED), Reason.NOT_READY
    if failed:
        reason = Reason.ERRORS_FOUND
        error = f"{count(failed, 'job')} failed"
        hint = "the logs that are named have everything that was printed"
    else:
        error = "nothing ran" if not run.jobs else f"nothing ran ({summarize(run)})"
        hint = "'git config --add heal.step COMMAND' names a command to run here"
    say("error", error, hint)
    return Ending(FAILED, data, Failure(reason, error, hint))
