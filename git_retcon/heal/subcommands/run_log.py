"""``git heal log``: the runs so far, or one of them in detail."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.heal.check_report import count_rows
from git_retcon.heal.error_report import error_members, list_error_lines, sort_errors
from git_retcon.heal.records.run_errors import StoredError, count_errors, read_errors
from git_retcon.heal.records.runs import (
    StoredJob,
    StoredRun,
    StoredStep,
    list_runs,
    read_jobs,
    read_steps,
)
from git_retcon.heal.subcommands.run_choice import (
    Records,
    choose_run,
    describe_run,
    format_time,
    open_records,
    run_members,
)
from git_retcon.heal.verdict_notes import VerdictNote, read_notes
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.durations import note_duration, show_duration
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import Style, printable, show_path, style_of, write_line

_GOOD, _BAD = "passed", "failed"


class _Detail(NamedTuple):
    """One run, whole. ``notes`` are what people noted of its commit."""

    run: StoredRun
    jobs: Sequence[StoredJob]
    steps: Sequence[StoredStep]
    errors: Sequence[StoredError]
    notes: Sequence[VerdictNote]


def show_runs(output: Output) -> Ending:
    """Print a line for each run, the last one first."""
    with open_records() as records:
        runs, errors = list_runs(records.database), count_errors(records.database)
        setting = records.repository.config.get
    if not output.json:
        style = style_of(sys.stdout, output, setting)
        shown = runs if output.verbose else runs[: count_rows()]
        for line in _list_run_lines(shown, errors, style):
            write_line(sys.stdout, line)
        if len(shown) < len(runs):
            write_line(sys.stdout, f"... and {len(runs) - len(shown):,} more (-v lists all)")
        if not runs and not output.quiet:
            say_line("Nothing was checked here yet ('git heal check' does it).")
    members = [{**run_members(run), "errors": errors.get(run.origin, 0)} for run in runs]
    return Ending(data={"runs": members})


def show_run(name: str, output: Output) -> Ending:
    """Print the jobs, steps and errors of one run."""
    with open_records() as records:
        detail = _read_detail(records, choose_run(records, name))
        setting = records.repository.config.get
    if not output.json:
        style = style_of(sys.stdout, output, setting)
        for line in _list_lines(detail, style, verbose=output.verbose):
            write_line(sys.stdout, line)
    return Ending(data=_list_members(detail))


def _read_detail(records: Records, run: StoredRun) -> _Detail:
    database = records.database
    return _Detail(
        run,
        read_jobs(database, run.number),
        read_steps(database, run.number),
        read_errors(database, run.number),
        read_notes(records.repository, run.begin.commit),
    )


def _list_run_lines(
    runs: Sequence[StoredRun], errors: Mapping[int, int], style: Style
) -> Iterator[str]:
    width = max((len(str(run.number)) for run in runs), default=0)
    for run in runs:
        begin = run.begin
        found = errors.get(run.origin, 0)
        facts = (
            format_time(begin.started),
            "" if run.seconds is None else show_duration(run.seconds),
            " ".join(filter(None, (printable(begin.branch), shorten_id(begin.commit, TO_READ)))),
            "" if begin.source == "check" else f"from {begin.source}",
            f"same as {begin.same_as}" if begin.same_as else "",
            count(found, "error") if found else "",
        )
        verdict = _paint_verdict(run.verdict, run.verdict.ljust(11), style)
        yield f"{run.number:{width}}  {verdict}  {', '.join(filter(None, facts))}"


def _list_lines(detail: _Detail, style: Style, *, verbose: bool) -> Iterator[str]:
    run = detail.run
    seconds = "" if run.seconds is None else f", {show_duration(run.seconds)}"
    yield f"{describe_run(run)}{seconds}, run id {run.begin.run_id}"
    if run.begin.same_as:
        yield f"nothing was run: the same as check {run.begin.same_as}"
    for job in detail.jobs:
        yield from _list_job_lines(job, detail.steps, style)
    errors = [one.found for one in detail.errors]
    yield from list_error_lines(errors, style, None if verbose else count_rows(), ids=True)
    for note in detail.notes:
        yield f"noted on {shorten_id(run.begin.commit, TO_READ)}: {printable(note.describe())}"


def _list_job_lines(job: StoredJob, steps: Sequence[StoredStep], style: Style) -> Iterator[str]:
    reason = f": {printable(job.reason)}" if job.reason else ""
    cached = " (cached)" if job.cached else ""
    name = f"{show_path(job.workflow.rpartition(b'/')[2])}: {printable(job.name)}"
    yield f"{name}  {_paint_verdict(job.verdict, job.verdict, style)}{reason}{cached}"
    for step in (one for one in steps if one.job == job.number):
        ended = step.result
        indent = "  " * (1 + step.depth)
        reason = f": {printable(ended.reason)}" if ended.reason else ""
        verdict = _paint_verdict(ended.verdict.value, ended.verdict.value, style)
        yield f"{indent}{printable(ended.name)}  {verdict}{reason}{note_duration(ended.seconds)}"


def _paint_verdict(verdict: str, text: str, style: Style) -> str:
    if verdict == _GOOD:
        return style.good(text)
    return style.bad(text) if verdict == _BAD else style.warn(text)


def _list_members(detail: _Detail) -> dict[str, object]:
    found = sort_errors(one.found for one in detail.errors)
    return {
        "run": run_members(detail.run),
        "jobs": [_job_members(job, detail.steps) for job in detail.jobs],
        "errors": [error_members(error) for error in found],
        "notes": [note.members() for note in detail.notes],
    }


def _job_members(job: StoredJob, steps: Sequence[StoredStep]) -> dict[str, object]:
    return {
        "workflow": show_path(job.workflow),
        "job": job.job,
        "name": printable(job.name),
        "line": job.line,
        "verdict": job.verdict,
        "reason": job.reason or None,
        "cached": job.cached,
        "seconds": round(job.seconds, 3),
        "steps": [_step_members(step) for step in steps if step.job == job.number],
    }


def _step_members(step: StoredStep) -> dict[str, object]:
    ended = step.result
    return {
        "number": ended.number,
        "depth": step.depth,
        "name": printable(ended.name),
        "line": ended.line,
        "verdict": ended.verdict.value,
        "reason": ended.reason or None,
        "command": ended.command or None,
        "exit_status": ended.status,
        "seconds": round(ended.seconds, 3),
        "log": ended.log or None,
    }
