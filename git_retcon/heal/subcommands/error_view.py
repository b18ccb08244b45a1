"""``git heal show``: all that is known of one error."""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.error_report import (
    SHORTEST_ID,
    error_members,
    list_snippet,
    name_place,
)
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import StoredHeal, list_heals_of
from git_retcon.heal.records.run_errors import (
    StoredError,
    find_fingerprints,
    list_runs_with,
    read_error,
)
from git_retcon.heal.records.runs import StoredRun, StoredStep, read_steps
from git_retcon.heal.subcommands.run_choice import (
    Records,
    describe_run,
    open_records,
    run_members,
)
from git_retcon.options import Output
from git_retcon.show.counting import some_of
from git_retcon.show.envelope import Ending
from git_retcon.show.style import Style, printable, show_path, style_of, write_line

_MOST_RUNS = 8


class _View(NamedTuple):
    """An error as the last run found it, the steps that named it, and where else it is known."""

    error: StoredError
    run: StoredRun
    steps: Sequence[tuple[StoredError, StoredStep | None]]
    others: Sequence[StoredRun]
    heals: Sequence[StoredHeal]


def show_error(name: str, output: Output) -> Ending:
    """Print the whole record of the error whose id begins so."""
    with open_records() as records:
        view = _read_view(records, _find_fingerprint(records.database, name.lower()))
        setting = records.repository.config.get
    if not output.json:
        style = style_of(sys.stdout, output, setting)
        for line in _list_lines(view, style):
            write_line(sys.stdout, line)
    return Ending(data=_list_members(view))


def list_known_errors(database: Database, name: str) -> Sequence[str]:
    """The ids that begin so. Raises Fatal where no check found such an error."""
    found = find_fingerprints(database, name)
    if not found:
        raise Fatal(
            f"there is no error '{name}'",
            hint="'git heal errors' lists them by their ids, of which 4 digits or more are enough",
            reason=Reason.INVALID,
            commands=[["git", "heal", "errors"]],
        )
    return found


def _find_fingerprint(database: Database, name: str) -> str:
    found = list_known_errors(database, name)
    if len(found) == 1:
        return found[0]
    listed = some_of((one[: len(name) + 4] for one in found), 8)
    hint = f"give more digits; there are {listed}"
    raise Fatal(f"'{name}' begins more than one id", hint=hint, reason=Reason.INVALID)


def _read_view(records: Records, fingerprint: str) -> _View:
    database = records.database
    runs = list_runs_with(database, fingerprint)
    # How it is here counts more than how another checkout found it later.
    here = (run for run in runs if run.begin.checkout == records.checkout)
    run = next(here, runs[0])
    found = read_error(database, run.number, fingerprint)
    steps = {step.number: step for step in read_steps(database, run.number)}
    by_step = [(one, steps.get(one.step or 0)) for one in found]
    others = [one for one in runs if one.number != run.number]
    return _View(found[0], run, by_step, others, list_heals_of(database, fingerprint))


def _list_lines(view: _View, style: Style) -> Iterator[str]:
    error = view.error.found
    said = error.finding.diagnostic
    yield f"{style.title(name_place(error))}: {printable(said.message)}"
    yield from list_snippet(error.finding, style)
    for key, value in _list_facts(view):
        first, *more = value.splitlines() or [""]
        yield f"{(key + ':').ljust(12)}{printable(first)}"
        yield from (f"{' ' * 12}{printable(line)}" for line in more)


def _list_facts(view: _View) -> Iterator[tuple[str, str]]:
    finding, said = view.error.found.finding, view.error.found.finding.diagnostic
    yield "category", said.category.value
    tool = " ".join(filter(None, (said.tool, said.rule)))
    facts = (("rule", tool), ("suggestion", said.suggestion), ("stack", "\n".join(said.stack)))
    yield from ((key, value) for key, value in facts if value)
    if finding.edits:
        yield (
            "edits",
            "\n".join(
                f"{show_path(one.path)}:{one.start_line}:{one.start_column}: {one.text!r}"
                for one in finding.edits
            ),
        )
    for error, step in view.steps:
        yield from _list_step_facts(error, step)
    yield "found by", describe_run(view.run)
    if view.others:
        listed = some_of((f"{run.number} ({run.verdict})" for run in view.others), _MOST_RUNS)
        yield "also in", listed
    for heal in view.heals:
        text = f"{heal.number}: {heal.heal.verdict.value}, {heal.heal.decision.value}"
        yield "heal", text
    yield "id", finding.fingerprint


def _list_step_facts(error: StoredError, step: StoredStep | None) -> Iterator[tuple[str, str]]:
    if step is None:
        return
    found, ran = error.found, step.result
    yield "job", f"{show_path(found.workflow)}: {found.job_name}"
    yield "step", f"{ran.name} (line {ran.line}): {ran.reason or ran.verdict.value}"
    if ran.command:
        yield "command", ran.command.strip()
    if ran.log:
        yield "log", ran.log


def _list_members(view: _View) -> dict[str, object]:
    steps = [
        {
            "workflow": show_path(error.found.workflow),
            "job": error.found.job,
            "name": printable(error.found.job_name),
            "step": printable(step.result.name),
            "line": step.result.line,
            "command": step.result.command or None,
            "exit_status": step.result.status,
            "log": step.result.log or None,
        }
        for error, step in view.steps
        if step is not None
    ]
    heals = [
        {
            "heal": one.number,
            "verdict": one.heal.verdict.value,
            "decision": one.heal.decision.value,
        }
        for one in view.heals
    ]
    return {
        "error_id": view.error.fingerprint[:SHORTEST_ID],
        "record": error_members(view.error.found),
        "run": run_members(view.run),
        "steps": steps,
        "runs": [run.number for run in view.others],
        "heals": heals,
    }
