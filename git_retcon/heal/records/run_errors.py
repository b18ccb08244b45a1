"""Errors of runs: what stays of an error by its fingerprint, and how each run found it."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.runs import ORIGIN, StoredRun, as_text, read_run

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.diagnostic import Edit

_FEWEST_DIGITS = 4  # of a fingerprint that is not given whole


class StoredError(NamedTuple):
    """An error as a run found it. ``step`` is the number of the step that named it, None where
    the run was none of ours.
    """

    found: FoundError
    run: int
    step: int | None

    @property
    def fingerprint(self) -> str:
        return self.found.finding.fingerprint


class ErrorFilter(NamedTuple):
    """Which errors of a run are meant; what is empty means all.

    A path names a file, or a folder for all below it. A workflow is named by its path, its file's
    name with or without its ending; a job by its id or its name.
    """

    paths: tuple[bytes, ...] = ()
    workflow: str = ""
    job: str = ""


EVERY = ErrorFilter()


def record_errors(
    database: Database, run: int, step: int | None, errors: Iterable[FoundError]
) -> None:
    """Record what a step of a run named; ``step`` is its number there."""
    with database.transaction():
        for error in errors:
            _record_error(database, run, step, error)


def read_errors(database: Database, run: int, only: ErrorFilter = EVERY) -> list[StoredError]:
    """The errors of a run, each once, in the order in which they were printed."""
    found: dict[str, StoredError] = {}
    for error in _read_every(database, run):
        if _is_meant(error.found, only):
            found.setdefault(error.fingerprint, error)
    return list(found.values())


def read_error(database: Database, run: int, fingerprint: str) -> list[StoredError]:
    """All that steps of a run said of one error."""
    return [one for one in _read_every(database, run) if one.fingerprint == fingerprint]


def find_fingerprints(database: Database, name: str) -> list[str]:
    """The fingerprints that begin so, or [] where too few digits are given."""
    if len(name) < _FEWEST_DIGITS or not set(name) <= set("0123456789abcdef"):
        return []
    rows = database.fetch(
        "SELECT fingerprint FROM errors WHERE fingerprint >= ? AND fingerprint < ?"
        " ORDER BY fingerprint",
        name, name + "g",
    )  # fmt: skip
    return [row[0] for row in rows]


def list_runs_with(database: Database, fingerprint: str) -> list[StoredRun]:
    """The runs that found an error, the last first."""
    rows = database.fetch(
        "SELECT number FROM runs WHERE coalesce(same_as, number) IN"
        " (SELECT run FROM run_errors WHERE fingerprint = ?) ORDER BY number DESC",
        fingerprint,
    )
    found = (read_run(database, row[0]) for row in rows)
    return [run for run in found if run is not None]


def count_errors(database: Database) -> dict[int, int]:
    """How many errors each run found that ran something, by the run's number."""
    rows = database.fetch("SELECT run, count(DISTINCT fingerprint) FROM run_errors GROUP BY run")
    return {row[0]: row[1] for row in rows}


def _record_error(database: Database, run: int, step: int | None, error: FoundError) -> None:
    finding, said = error.finding, error.finding.diagnostic
    database.execute(
        "INSERT OR IGNORE INTO errors (fingerprint, path, tool, rule, category)"
        " VALUES (?, ?, ?, ?, ?)",
        finding.fingerprint, finding.path, as_text(said.tool), as_text(said.rule),
        said.category.value,
    )  # fmt: skip
    wanted = [one.decode("utf-8", "surrogateescape") for one in said.wants_file]
    database.execute(
        'INSERT INTO run_errors (run, fingerprint, step, line, "column", end_line, end_column,'
        " severity, message, kind, missing, wants_file, owner, noun, suggestion, stack, snippet,"
        " edits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run, finding.fingerprint, step, finding.line, finding.column, said.end_line,
        said.end_column, said.severity.value, as_text(said.message), said.kind.value,
        json.dumps(said.missing), json.dumps(wanted), as_text(said.owner), as_text(said.noun),
        as_text(said.suggestion), json.dumps(said.stack), json.dumps(finding.snippet),
        json.dumps([_write_edit(edit) for edit in finding.edits]),
    )  # fmt: skip


def _write_edit(edit: "Edit") -> list[object]:
    return [edit.path.decode("utf-8", "surrogateescape"), *edit[1:]]


def _read_every(database: Database, run: int) -> list[StoredError]:
    rows = database.fetch(
        "SELECT fingerprint, path, tool, rule, category, line, \"column\", end_line, end_column,"
        " severity, message, kind, missing, wants_file, owner, noun, suggestion, stack, snippet,"
        " edits, step, coalesce(workflow, x''), coalesce(job_id, ''), coalesce(job_name, ''),"
        " coalesce(step_name, '') FROM run_errors JOIN errors USING (fingerprint) LEFT JOIN"
        " (SELECT steps.number AS step, steps.name AS step_name, jobs.job AS job_id,"
        "  jobs.name AS job_name, workflow FROM steps JOIN jobs ON jobs.number = steps.job)"
        f" USING (step) WHERE run = {ORIGIN} ORDER BY run_errors.number",
        run,
    )  # fmt: skip
    return [_make_error(run, row) for row in rows]


def _make_error(run: int, row: Sequence[Any]) -> StoredError:
    from git_retcon.code.diagnostics.diagnostic import (
        Category,
        Diagnostic,
        Edit,
        Kind,
        Severity,
    )
    from git_retcon.run.places import Finding, Source

    (
        fingerprint, path, tool, rule, category, line, column, end_line, end_column, severity,
        message, kind, missing, wants_file, owner, noun, suggestion, stack, snippet, edits, step,
        workflow, job, job_name, step_name,
    ) = row  # fmt: skip
    places = [
        Edit(one[0].encode("utf-8", "surrogateescape"), *one[1:]) for one in json.loads(edits)
    ]
    diagnostic = Diagnostic(
        path, line, message, tuple(json.loads(missing)),
        tuple(one.encode("utf-8", "surrogateescape") for one in json.loads(wants_file)),
        Kind(kind), owner, noun, column, end_line, end_column, Severity(severity),
        Category(category), rule, tool, tuple(json.loads(stack)), suggestion, tuple(places),
    )  # fmt: skip
    lines = tuple(Source(*one) for one in json.loads(snippet))
    finding = Finding(diagnostic, path, line, column, lines, tuple(places), "", fingerprint)
    return StoredError(FoundError(finding, workflow, job, step_name, job_name), run, step)


def _is_meant(error: FoundError, only: ErrorFilter) -> bool:
    if only.paths and not any(is_at(error.path, path) for path in only.paths):
        return False
    if only.workflow and only.workflow not in _name_workflow(error.workflow):
        return False
    return not only.job or only.job in (error.job, error.job_name)


def is_at(path: bytes | None, named: bytes) -> bool:
    """Whether an error's path is the one that is named, or below it."""
    return path is not None and (not named or path == named or path.startswith(named + b"/"))


def _name_workflow(file: bytes) -> tuple[str, ...]:
    path = file.decode("utf-8", "surrogateescape")
    name = path.rpartition("/")[2]
    return path, name, name.removesuffix(".yml").removesuffix(".yaml")
