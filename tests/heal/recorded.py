"""What checks have recorded in the repository of a test."""

import contextlib
from collections.abc import Iterator

from git_retcon.heal.records.database import Database, database_path, open_database
from git_retcon.heal.records.run_errors import read_errors
from git_retcon.heal.records.runs import list_runs, read_jobs, read_steps, settle_runs
from tests.repository import TestRepository


@contextlib.contextmanager
def open_records(repository: TestRepository) -> Iterator[Database]:
    path = database_path(repository.path / ".git")
    with open_database(path, lambda *_: None) as database:
        settle_runs(database)
        yield database


def list_recorded(repository: TestRepository) -> list[str]:
    """Each run in lines, the first one first: itself, its jobs, their steps, its errors."""
    with open_records(repository) as database:
        return [
            line
            for run in reversed(list_runs(database))
            for line in _tell_run(database, run.number)
        ]


def _tell_run(database: Database, number: int) -> Iterator[str]:
    run = next(one for one in list_runs(database) if one.number == number)
    same = f" (as {run.begin.same_as})" if run.begin.same_as else ""
    yield f"{number} {run.verdict}{same}"
    if same:
        return
    steps = read_steps(database, number)
    for job in read_jobs(database, number):
        yield f"  {job.name} {job.verdict}{' (cached)' if job.cached else ''}"
        for step in (one for one in steps if one.job == job.number):
            yield f"  {'  ' * (1 + step.depth)}{step.result.name} {step.result.verdict.value}"
    for error in read_errors(database, number):
        said = error.found.finding
        yield f"  {error.found.job_name}/{error.found.step}: {said.diagnostic.message}"
