"""Runs, their jobs and steps: written as they happen, so that a killed run says how far it came.

A run that is going on holds a lock of its own (``<common dir>/heal/running/<number>``), which ends
with its process: one that says "running" and holds none was interrupted.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.errors import Fatal
from git_retcon.files.lock import hold_lock
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.repeats import take_repeats
from git_retcon.heal.results import JobResult, StepResult, StepVerdict, Verdict, name_job

RUNNING, INTERRUPTED = "running", "interrupted"
CHECK = "check"  # a run of jobs here; other sources are what was given to read
# In place of a run's number: that of the run whose jobs and errors it shows.
ORIGIN = "(SELECT coalesce(same_as, number) FROM runs WHERE number = ?)"
_OLD = (
    "started < ? AND verdict != 'running' AND number NOT IN"
    " (SELECT same_as FROM runs WHERE started >= ? AND same_as IS NOT NULL)"
)
_FEWEST_DIGITS = 4  # of a run id that is not given whole


class RunBegin(NamedTuple):
    """What is known of a run before anything of it happens; the columns of ``runs``.

    ``same_as`` is the number of an earlier run where nothing is run, as that one said it all.
    """

    run_id: str
    commit: str
    tree: str
    branch: str
    checkout: bytes
    source: str = CHECK
    started: float = 0.0
    same_as: int | None = None


class StoredRun(NamedTuple):
    """A run, as stored. ``verdict`` is that of ``Verdict``, or "running" or "interrupted";
    ``seconds`` is None where it has not ended.
    """

    number: int
    begin: RunBegin
    seconds: float | None
    verdict: str

    @property
    def origin(self) -> int:
        """The number of the run whose jobs and errors these are."""
        return self.begin.same_as or self.number


class StoredJob(NamedTuple):
    """A job of a run, as stored."""

    number: int
    workflow: bytes
    job: str
    name: str
    line: int
    verdict: str
    reason: str
    seconds: float
    cached: bool


class StoredStep(NamedTuple):
    """A step of a job, as stored: ``result`` without annotations, matchers and inner steps.

    ``job`` is the number of its job; ``depth`` is 0 for its own steps, 1 for those of an action
    that they use.
    """

    number: int
    job: int
    depth: int
    result: StepResult


@contextlib.contextmanager
def record_run(database: Database, begin: RunBegin) -> Iterator[int]:
    """Record that a run begins; its number. Within the block it counts as running, behind it as
    interrupted, unless ``end_run`` said how it ended.
    """
    with contextlib.ExitStack() as stack:
        with database.transaction():
            number = _insert_run(database, begin)
            # Before anybody can see the run: one that sees it without its lock ends it.
            lock = _lock_of(database, number)
            stack.enter_context(hold_lock(lock, f"running check {number}"))
        try:
            yield number
        finally:
            _mark_interrupted(database, number)
            lock.unlink(missing_ok=True)


def record_same_run(
    database: Database, begin: RunBegin, verdict: Verdict, seconds: float, question: str
) -> int:
    """Record a run that ran nothing, whole: it never counts as running. Its number."""
    with database.transaction():
        number = _insert_run(database, begin)
        end_run(database, number, verdict, seconds, question)
    return number


def end_run(
    database: Database, number: int, verdict: Verdict, seconds: float, question: str = ""
) -> None:
    """Record how a run ended; ``question`` is a digest of all that this depends on, empty where
    the next such run may end otherwise.
    """
    database.execute(
        "UPDATE runs SET verdict = ?, seconds = ?, question = ? WHERE number = ?",
        verdict.value, seconds, question, number,
    )  # fmt: skip


def record_job(database: Database, run: int, workflow: bytes, job: str, name: str) -> int:
    """Record that a job begins; its number. ``job`` is its id, ``name`` is for people."""
    return database.insert(
        "INSERT INTO jobs (run, workflow, job, name, line, verdict, reason, seconds, cached)"
        " VALUES (?, ?, ?, ?, 0, ?, '', 0, 0)",
        run, workflow, as_text(job), as_text(name), RUNNING,
    )  # fmt: skip


def end_job(database: Database, number: int, result: JobResult) -> None:
    """Record how a job ended."""
    database.execute(
        "UPDATE jobs SET name = ?, line = ?, verdict = ?, reason = ?, seconds = ?, cached = ?"
        " WHERE number = ?",
        as_text(name_job(result)), result.line, result.verdict.value, as_text(result.reason),
        result.seconds, result.cached, number,
    )  # fmt: skip


def record_step(database: Database, job: int, step: StepResult, depth: int = 0) -> int:
    """Record a step that has ended, without its inner ones; its number."""
    return database.insert(
        "INSERT INTO steps (job, position, depth, name, line, verdict, reason, command, folder,"
        " status, seconds, log) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        job, step.number, depth, as_text(step.name), step.line, step.verdict.value,
        as_text(step.reason), as_text(step.command), as_text(step.folder), step.status,
        step.seconds, as_text(step.log),
    )  # fmt: skip


def read_run(database: Database, number: int) -> StoredRun | None:
    """A run by its number, or None."""
    found = _find_runs(database, "number = ?", number)
    return found[0] if found else None


def read_last_run(database: Database, checkout: bytes) -> StoredRun | None:
    """The last run of a checkout that has ended, or None."""
    where = "checkout = ? AND verdict != 'running' ORDER BY number DESC LIMIT 1"
    found = _find_runs(database, where, checkout)
    return found[0] if found else None


def find_reported_run(database: Database, run_id: str) -> StoredRun | None:
    """The last run elsewhere whose output was read for a state, or None."""
    where = f"run_id = ? AND source != '{CHECK}' ORDER BY number DESC LIMIT 1"
    found = _find_runs(database, where, run_id)
    return found[0] if found else None


def list_passed_runs(database: Database, workflow: bytes, job: str, name: str) -> list[StoredRun]:
    """The runs in which a job passed, by its id and its name for people; the last first, at most
    some. Cells may share the name: then all of them passed.
    """
    where = (
        "number IN (SELECT run FROM jobs WHERE workflow = ? AND job = ? AND name = ?"
        " GROUP BY run HAVING min(verdict = 'passed')) ORDER BY number DESC LIMIT 20"
    )
    return _find_runs(database, where, workflow, as_text(job), as_text(name))


def read_answer(database: Database, question: str) -> StoredRun | None:
    """The last run that answered a question by running something, or None."""
    where = "question = ? AND same_as IS NULL ORDER BY number DESC LIMIT 1"
    found = _find_runs(database, where, question) if question else []
    return found[0] if found else None


def list_runs(database: Database) -> list[StoredRun]:
    """All runs, the last first."""
    return _find_runs(database, "1 ORDER BY number DESC")


def find_run(database: Database, name: str) -> StoredRun | None:
    """The run that a number, or the beginning of a run id, names; of several the last."""
    if name.isascii() and name.isdigit() and len(name) < 16:
        found = read_run(database, int(name))
        if found is not None:
            return found
    if len(name) < _FEWEST_DIGITS or not set(name) <= set("0123456789abcdef"):
        return None
    where = "run_id >= ? AND run_id < ? ORDER BY number DESC LIMIT 1"
    matching = _find_runs(database, where, name, name + "g")
    return matching[0] if matching else None


def read_jobs(database: Database, run: int) -> list[StoredJob]:
    """The jobs of a run, in the order in which they began."""
    rows = database.fetch(
        "SELECT number, workflow, job, name, line, verdict, reason, seconds, cached FROM jobs"
        f" WHERE run = {ORIGIN} ORDER BY number",
        run,
    )
    return [StoredJob._make([*row[:-1], bool(row[-1])]) for row in rows]


def read_steps(database: Database, run: int) -> list[StoredStep]:
    """The steps of a run, in the order in which they ended."""
    rows = database.fetch(
        "SELECT steps.number, steps.job, depth, position, steps.name, steps.line, steps.verdict,"
        " steps.reason, command, status, steps.seconds, log, folder"
        f" FROM steps JOIN jobs ON jobs.number = steps.job WHERE jobs.run = {ORIGIN}"
        " ORDER BY steps.number",
        run,
    )
    return [_make_step(row) for row in rows]


def settle_runs(database: Database) -> None:
    """Record of the runs whose process was killed that they were interrupted, and the checks that
    repeated what was known.
    """
    for repeat in take_repeats(database.path):
        _record_repeat(database, repeat)
    for row in database.fetch("SELECT number FROM runs WHERE verdict = 'running'"):
        lock = _lock_of(database, row[0])
        with contextlib.suppress(Fatal), hold_lock(lock, "running a check"):
            _mark_interrupted(database, row[0])
            lock.unlink(missing_ok=True)


def _record_repeat(database: Database, repeat: Mapping[str, Any]) -> None:
    with contextlib.suppress(KeyError, TypeError, ValueError):
        answer = read_answer(database, repeat["question"])
        if answer is None:
            return
        begin = RunBegin(
            repeat["run_id"], repeat["commit"], repeat["tree"], repeat["branch"],
            os.fsencode(repeat["checkout"]), CHECK, float(repeat["started"]), answer.number,
        )  # fmt: skip
        verdict, seconds = Verdict(repeat["verdict"]), float(repeat["seconds"])
        record_same_run(database, begin, verdict, seconds, repeat["question"])


def drop_runs(database: Database, until: float) -> int:
    """Remove the runs that began before a time, but for those that are running, and those of
    which later ones show the jobs; how many.
    """
    with database.transaction():
        before = _count_runs(database)
        database.execute(f"DELETE FROM runs WHERE {_OLD}", until, until)
        database.execute(
            "DELETE FROM errors WHERE fingerprint NOT IN (SELECT fingerprint FROM run_errors)"
        )
        return before - _count_runs(database)


def count_old_runs(database: Database, until: float) -> int:
    """How many runs ``drop_runs`` would remove."""
    counted: int = database.fetch(f"SELECT count(*) FROM runs WHERE {_OLD}", until, until)[0][0]
    return counted


def _count_runs(database: Database) -> int:
    counted: int = database.fetch("SELECT count(*) FROM runs")[0][0]
    return counted


def as_text(text: str) -> str:
    """Text that SQLite takes: what is no Unicode is replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _insert_run(database: Database, begin: RunBegin) -> int:
    return database.insert(
        "INSERT INTO runs (run_id, commit_id, tree_id, branch, checkout, source, started, same_as,"
        " question, verdict) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?)",
        begin.run_id, begin.commit, begin.tree, as_text(begin.branch), begin.checkout,
        begin.source, begin.started or time.time(), begin.same_as, RUNNING,
    )  # fmt: skip


def _mark_interrupted(database: Database, number: int) -> None:
    with database.transaction():
        for statement in (
            "UPDATE jobs SET verdict = 'interrupted' WHERE verdict = 'running' AND run = ?",
            "UPDATE runs SET verdict = 'interrupted' WHERE verdict = 'running' AND number = ?",
        ):
            database.execute(statement, number)


def _lock_of(database: Database, number: int) -> Path:
    return database.path.with_name("running") / str(number)


def _find_runs(database: Database, where: str, *values: str | bytes | int) -> list[StoredRun]:
    rows = database.fetch(
        "SELECT number, run_id, commit_id, tree_id, branch, checkout, source, started, same_as,"
        f" seconds, verdict FROM runs WHERE {where}",
        *values,
    )
    return [_make_run(row) for row in rows]


def _make_run(row: Sequence[Any]) -> StoredRun:
    number, *known, seconds, verdict = row
    return StoredRun(number, RunBegin._make(known), seconds, verdict)


def _make_step(row: Sequence[Any]) -> StoredStep:
    number, job, depth, position, name, line, verdict, reason = row[:8]
    command, status, seconds, log, folder = row[8:]
    result = StepResult(
        position, name, line, StepVerdict(verdict), reason, command, status, seconds, log,
        folder=folder,
    )  # fmt: skip
    return StoredStep(number, job, depth, result)
