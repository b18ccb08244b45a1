"""The report of a check: lines for people, members for programs."""

import os
import sys
from collections.abc import Iterator, Sequence

from git_retcon.heal.check_run import Findings
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.results import (
    Annotation,
    CheckRun,
    JobResult,
    StepResult,
    StepVerdict,
    UsedTool,
    Verdict,
    list_skipped,
    name_job,
)
from git_retcon.show.annotations import Remark
from git_retcon.show.counting import count
from git_retcon.show.durations import note_duration
from git_retcon.show.style import Style, printable, show_path

_WIDEST = 48
_ROWS = 24  # of a terminal that does not say
_BELOW = 2  # lines: the summary and the prompt
_SCREEN = _ROWS - _BELOW
_FEWEST_LINES = 10  # for errors, below however many jobs


def list_lines(
    findings: Findings, style: Style, *, verbose: bool, screen: int = _SCREEN
) -> Iterator[str]:
    """The jobs by workflow, then the errors, then the count of verdicts; ``screen`` is how many
    lines there is room for unless everything is asked.
    """
    run, printed = findings.run, 0
    for line in _list_job_lines(run.jobs, style, verbose=verbose):
        printed += 1
        yield line
    yield from list_found_lines(findings, style, verbose=verbose, screen=screen - printed)
    yield summarize(run)


def list_found_lines(
    findings: Findings, style: Style, *, verbose: bool, screen: int
) -> Iterator[str]:
    """The errors alone; ``screen`` as in ``list_lines``."""
    room = None if verbose else max(screen, _FEWEST_LINES)
    # Of a step that only failed the line of its job says all.
    named = [error for error in findings.errors if not error.is_bare]
    if named:
        from git_retcon.heal.error_report import list_error_lines

        yield from list_error_lines(named, style, room)
    if findings.elsewhere:
        yield f"{count(findings.elsewhere, 'more error')} in files that this branch leaves alone"


def _list_job_lines(jobs: Sequence[JobResult], style: Style, *, verbose: bool) -> Iterator[str]:
    width = min(max((len(name_job(job)) for job in jobs), default=0), _WIDEST)
    file = b""
    for job in jobs:
        if job.file != file:
            file = job.file
            yield style.title(show_path(file))
        yield from _lines_of(job, width, style, verbose=verbose)


def count_rows() -> int:
    """How many lines of a report fit on a screen."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).lines - _BELOW
    except (OSError, ValueError):
        return _SCREEN


def summarize(run: CheckRun) -> str:
    """ "5 jobs: 3 passed, 1 incomplete, 1 not run"."""
    counts = {verdict: run.count(verdict) for verdict in Verdict}
    parts = [f"{number} {verdict.value}" for verdict, number in counts.items() if number]
    return f"{count(len(run.jobs), 'job')}: {', '.join(parts) or 'nothing to run'}"


def _lines_of(job: JobResult, width: int, style: Style, *, verbose: bool) -> Iterator[str]:
    paint = {
        Verdict.PASSED: style.good,
        Verdict.FAILED: style.bad,
        Verdict.INCOMPLETE: style.warn,
        Verdict.NOT_RUN: style.faint,
    }[job.verdict]
    cached = " (cached)" if job.cached else ""
    text = f"{paint(job.verdict.value)}{printable(describe_reason(job))}{cached}"
    yield f"  {printable(name_job(job)).ljust(width)}  {text}"
    if verbose:
        yield from _list_step_lines(job.steps, 2, style)
    else:
        for step in list_skipped(job.steps):
            yield f"    line {step.line}: {printable(step.reason)}"
    for step in _list_failed(job.steps):
        if step.log:
            yield f"    log: {printable(step.log)}"


def describe_reason(job: JobResult) -> str:
    """What follows the verdict."""
    if not job.reason:
        return ""
    if job.verdict is Verdict.PASSED or job.reason.startswith("same tools as"):
        return f" ({job.reason})"
    has_failed = any(step.verdict is StepVerdict.FAILED for step in job.steps)
    if job.verdict is Verdict.INCOMPLETE and not has_failed:
        skipped = len(list_skipped(job.steps))
        total = len(job.steps)
        return f": {skipped} of {count(total, 'step')} skipped" if skipped else f": {job.reason}"
    return f": {job.reason}"


def _list_step_lines(steps: Sequence[StepResult], depth: int, style: Style) -> Iterator[str]:
    for step in steps:
        word = step.verdict.value
        painted = style.bad(word) if step.verdict is StepVerdict.FAILED else word
        reason = f": {step.reason}" if step.reason else ""
        took = note_duration(step.seconds)
        yield f"{'  ' * depth}{printable(step.name)}  {painted}{printable(reason)}{took}"
        yield from _list_step_lines(step.inner, depth + 1, style)


def _list_failed(steps: Sequence[StepResult]) -> Iterator[StepResult]:
    for step in steps:
        if step.verdict is StepVerdict.FAILED:
            yield from _list_failed(step.inner) if step.inner else (step,)


def list_members(findings: Findings) -> dict[str, object]:
    """What ``--json`` prints (git-heal(1), OUTPUT)."""
    run = findings.run
    return {
        "run_id": run.run_id,
        "commit": run.commit or None,
        "tree": run.tree,
        "branch": run.branch or None,
        "seconds": round(run.seconds, 3),
        "jobs": [_job_members(job) for job in run.jobs],
        "errors": list(_list_error_members(findings.errors)),
        "elsewhere": findings.elsewhere,
        "cut": findings.cut,
    }


def _list_error_members(errors: Sequence[FoundError]) -> Iterator[dict[str, object]]:
    from git_retcon.heal.error_report import error_members  # late: most checks find none

    return map(error_members, errors)


def _job_members(job: JobResult) -> dict[str, object]:
    return {
        "workflow": show_path(job.file),
        "job": job.job,
        "name": name_job(job),
        "line": job.line,
        "verdict": job.verdict.value,
        "reason": job.reason or None,
        "cached": job.cached,
        "seconds": round(job.seconds, 3),
        "tools": [_tool_members(tool) for tool in job.tools],
        "steps": [_step_members(step) for step in job.steps],
    }


def _tool_members(tool: UsedTool) -> dict[str, object]:
    return {**tool._asdict(), "wanted": tool.wanted or None, "version": tool.version or None}


def _step_members(step: StepResult) -> dict[str, object]:
    return {
        "number": step.number,
        "name": printable(step.name),
        "line": step.line,
        "verdict": step.verdict.value,
        "reason": step.reason or None,
        "exit_status": step.status,
        "seconds": round(step.seconds, 3),
        "log": step.log or None,
        "annotations": [_annotation_members(one) for one in step.annotations],
        "steps": [_step_members(one) for one in step.inner],
    }


def _annotation_members(one: Annotation) -> dict[str, object]:
    return {name: value or None for name, value in one._asdict().items()}


def make_remarks(errors: Sequence[FoundError]) -> Iterator[Remark]:
    """The errors as code hosts read them."""
    from git_retcon.run.places import make_remark

    return (make_remark(error.finding) for error in errors)
