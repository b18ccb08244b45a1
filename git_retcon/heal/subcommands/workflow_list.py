"""How a forecast is printed: lines for people, members for programs."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.heal.forecast import (
    CellForecast,
    JobForecast,
    Outlook,
    SkippedStep,
    WorkflowForecast,
)
from git_retcon.heal.local_tools import Match
from git_retcon.heal.workflows.faults import Problem
from git_retcon.show.counting import all_of, count, some_of
from git_retcon.show.style import Style, printable, show_path

_WIDEST = 48


class _Row(NamedTuple):
    """A line of a job: a name, what of it would run, and what would be skipped."""

    depth: int
    name: str
    outlook: Outlook
    text: str
    skipped: tuple[SkippedStep, ...] = ()


def list_lines(
    workflows: Sequence[WorkflowForecast], style: Style, *, verbose: bool
) -> Iterator[str]:
    """All lines, those of workflows that do not start last. Cells that fare alike are one line,
    unless all are asked for.
    """
    rows = [_list_rows(one.jobs, 1, verbose) for one in workflows]
    widths = (2 * row.depth + len(row.name) for row in itertools.chain(*rows))
    width = min(max(widths, default=0), _WIDEST)
    for one, its_rows in sorted(zip(workflows, rows, strict=True), key=lambda pair: not pair[1]):
        yield _format_title(one, style)
        yield from (f"  {_describe_problem(problem)}" for problem in one.problems)
        for row in its_rows:
            yield from _lines_of(row, width, style)
    if any(rows):
        yield _summarize_workflows(workflows)


def _format_title(one: WorkflowForecast, style: Style) -> str:
    name = f" ({printable(one.name)})" if one.name else ""
    file = style.title(show_path(one.file))
    if one.is_refused:
        return f"{file}{name}: {style.bad('refused by GitHub')}"
    if not one.events:
        return f"{file}{name}: {style.faint('does not start')}: {printable(one.reason)}"
    also = f", {all_of(one.events[1:])} too" if one.events[1:] else ""
    return f"{file}{name}: {printable(one.reason + also)}"


def _describe_problem(problem: Problem) -> str:
    return printable(str(problem))


def _lines_of(row: _Row, width: int, style: Style) -> Iterator[str]:
    paint = {
        Outlook.RUNS: style.good,
        Outlook.INCOMPLETE: style.warn,
        Outlook.NOT_RUN: style.faint,
    }[row.outlook]
    indent = "  " * row.depth
    name = f"{indent}{printable(row.name)}".ljust(width)
    yield f"{name}  {paint(row.outlook.value)}{printable(row.text)}"
    for step in row.skipped:
        yield f"{indent}  line {step.line}: {printable(step.reason)}"


def _list_rows(jobs: Iterable[JobForecast], depth: int, verbose: bool) -> list[_Row]:
    rows: list[_Row] = []
    for job in jobs:
        if job.reason:
            rows.append(_Row(depth, job.id, Outlook.NOT_RUN, f": {job.reason}"))
        elif job.called:
            rows += _list_rows([_name_under_caller(job, one) for one in job.called], depth, verbose)
        elif verbose:
            rows += [_row_of(cell.name, cell, job, depth) for cell in job.cells]
        else:
            rows += _fold_cells(job, depth)
    return rows


def _name_under_caller(caller: JobForecast, job: JobForecast) -> JobForecast:
    """A job of a called workflow, named as GitHub names it: ``caller / job``."""
    above = f"{caller.id} / "
    cells = tuple(cell._replace(name=above + cell.name) for cell in job.cells)
    return job._replace(id=above + job.id, cells=cells, unmet=(*caller.unmet, *job.unmet))


def _fold_cells(job: JobForecast, depth: int) -> Iterator[_Row]:
    """The cells of a job, those that fare alike in one line, and first those that run."""
    groups: dict[_Row, list[CellForecast]] = {}
    for cell in sorted(job.cells, key=lambda cell: bool(cell.same_as)):
        groups.setdefault(_row_of("", cell, job, depth), []).append(cell)
    for row, cells in groups.items():
        what = f"{len(cells)} other cells" if cells[0].same_as else f"{len(cells)} cells"
        name = cells[0].name if len(cells) == 1 else f"{job.id}: {what}"
        yield row._replace(name=name)


def _row_of(name: str, cell: CellForecast, job: JobForecast, depth: int) -> _Row:
    text = _describe_cell(cell)
    if job.unmet and cell.outlook is not Outlook.NOT_RUN:
        text += f" (needs {some_of(job.unmet, 2)}, not run here)"
    return _Row(depth, name, cell.outlook, text, cell.skipped)


def _describe_cell(cell: CellForecast) -> str:
    if cell.same_as:
        return f" ({cell.reason})"
    if cell.outlook is Outlook.NOT_RUN:
        return f": {cell.reason}"
    tools = ", ".join(dict.fromkeys(map(_describe_tool, cell.tools)))
    machine = f" on {cell.machine}" if cell.machine else ""
    if cell.skipped:
        lines = len({step.line for step in cell.skipped})
        skipped = f": {lines} of {count(cell.steps, 'step')} skipped"
        return skipped + (f", {tools}" if tools else "") + machine
    return (f" with {tools}" if tools else "") + machine


def _describe_tool(match: Match) -> str:
    assert match.tool is not None, "a cell without a tool it sets up does not run"
    name = f"{match.request.tool} {match.tool.version}".rstrip()
    return name if match.exact else f"{name} (wanted {match.wanted})"


def _summarize_workflows(workflows: Sequence[WorkflowForecast]) -> str:
    """How many runs of jobs there would be; cells that another one runs for do not count."""
    counts = dict.fromkeys(Outlook, 0)
    for outlook in (
        found for one in workflows for job in one.jobs for found in _list_outlooks(job)
    ):
        counts[outlook] += 1
    words = {**{one: one.value for one in Outlook}, Outlook.RUNS: "run"}
    parts = [f"{number} {words[outlook]}" for outlook, number in counts.items() if number]
    return f"{count(sum(counts.values()), 'job')}: {', '.join(parts)}"


def _list_outlooks(job: JobForecast) -> Iterator[Outlook]:
    if job.reason:
        yield Outlook.NOT_RUN
    yield from (cell.outlook for cell in job.cells if not cell.same_as)
    for one in job.called:
        yield from _list_outlooks(one)


def list_members(workflows: Sequence[WorkflowForecast]) -> list[dict[str, object]]:
    """What ``--json`` prints of each workflow (git-heal(1), OUTPUT)."""
    return [
        {
            "file": show_path(one.file),
            "name": one.name or None,
            "events": list(one.events),
            "reason": one.reason,
            "problems": [_problem_members(problem) for problem in one.problems],
            "jobs": [_job_members(job) for job in one.jobs],
        }
        for one in workflows
    ]


def _problem_members(problem: Problem) -> dict[str, object]:
    return {**problem._asdict(), "file": show_path(problem.file)}


def _job_members(job: JobForecast) -> dict[str, object]:
    file = show_path(job.file)
    return {
        "job": job.id,
        "file": file,
        "line": job.line,
        "reason": job.reason or None,
        "unmet": list(job.unmet),
        "cells": [_cell_members(cell, file) for cell in job.cells],
        "called": [_job_members(one) for one in job.called],
    }


def _cell_members(cell: CellForecast, file: str) -> dict[str, object]:
    return {
        "name": cell.name,
        "outlook": cell.outlook.value,
        "reason": cell.reason or None,
        "same_as": cell.same_as or None,
        "machine": cell.machine or None,
        "steps": cell.steps,
        "skipped": [
            {"file": file, "line": step.line, "reason": step.reason} for step in cell.skipped
        ],
        "tools": [_tool_members(match) for match in cell.tools],
    }


def _tool_members(match: Match) -> dict[str, object]:
    return {
        "tool": match.request.tool,
        "wanted": match.wanted or None,
        "path": match.tool.path if match.tool else None,
        "version": (match.tool.version or None) if match.tool else None,
        "exact": match.exact,
    }
