"""What a check finds, written to the database as it happens: each step before the next begins.

A fault of the database stops no check: what was run is true without it. It is said once. Only a
database of a newer program is refused, before anything runs.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from git_retcon.errors import Fatal
from git_retcon.heal.check_events import Warned
from git_retcon.heal.found_errors import FoundError, StepErrors
from git_retcon.heal.records.database import Database, NewerDatabase, open_database
from git_retcon.heal.records.recent_names import write_names
from git_retcon.heal.records.run_errors import read_errors, record_errors
from git_retcon.heal.records.runs import (
    RunBegin,
    end_job,
    end_run,
    read_answer,
    record_job,
    record_run,
    record_same_run,
    record_step,
    settle_runs,
)
from git_retcon.heal.results import JobResult, StepResult, Verdict, name_job

T = TypeVar("T")
Warn = Callable[[Warned], None]


class CheckRecorder:
    """Takes jobs and steps as they begin and end. ``errors`` are those of the jobs so far, each
    once, in the order in which they were printed.
    """

    def __init__(self, diary: "Diary", step_errors: StepErrors) -> None:
        self._diary = diary
        self._step_errors = step_errors
        self._of_job: list[FoundError] | None = None  # None: no job is running
        self._errors: dict[str, FoundError] = {}

    @property
    def errors(self) -> Sequence[FoundError]:
        return list(self._errors.values())

    def begin_job(self, file: bytes, job: str, name: str) -> None:
        """A job whose steps run now."""
        self._of_job = []
        self._diary.begin_job(file, job, name)

    def end_step(self, step: StepResult, depth: int) -> None:
        """A step of that job has ended; ``depth`` is 0 for its own, 1 for those of an action."""
        assert self._of_job is not None, "steps end within a job"
        errors = self._step_errors.read(step)
        self._of_job += errors
        self._diary.end_step(step, depth, errors)

    def end_job(self, job: JobResult) -> None:
        """A job has ended: the one that runs, or one of which all was known."""
        with self._diary.join_writes():
            if self._of_job is None:
                self.begin_job(job.file, job.job, job.name)
                self._end_steps(job.steps, 0)
            self._diary.end_job(job)
        for error in self._of_job or ():
            whole = error._replace(workflow=job.file, job=job.job, job_name=name_job(job))
            self._errors.setdefault(error.finding.fingerprint, whole)
        self._of_job = None

    def recall(self, jobs: Sequence[JobResult], question: str) -> None:
        """All jobs are known from an earlier check that was asked the same."""
        errors = self._diary.repeat_answer(question)
        if errors is None:
            for job in jobs:
                self.end_job(job)
        else:
            self._errors = {one.finding.fingerprint: one for one in errors}

    def end(self, verdict: Verdict, seconds: float, question: str) -> int | None:
        """All jobs have ended; ``question`` as in ``end_run``. The number of the run, None where
        it is not recorded.
        """
        return self._diary.end(verdict, seconds, question)

    def _end_steps(self, steps: Sequence[StepResult], depth: int) -> None:
        for step in steps:
            self._end_steps(step.inner, depth + 1)
            self.end_step(step, depth)


class Diary:
    """The rows of one run. The run itself is written with the first of its jobs: a check whose
    commands are refused leaves nothing.
    """

    def __init__(self, database: Database | None, begin: RunBegin, warn: Warn) -> None:
        self._database = database
        self._begin = begin
        self._warn = warn
        self._stack = contextlib.ExitStack()
        self._run = 0
        self._job = 0

    def close(self) -> None:
        """End the run; one that was not said to have ended was interrupted."""
        self._write_record(lambda _: self._stack.close())

    def begin_job(self, file: bytes, job: str, name: str) -> None:
        def write(database: Database) -> None:
            self._job = record_job(database, self._see_run(database), file, job, name)

        self._write_record(write)

    def end_step(self, step: StepResult, depth: int, errors: Sequence[FoundError]) -> None:
        def write(database: Database) -> None:
            with database.transaction():
                number = record_step(database, self._job, step, depth)
                record_errors(database, self._run, number, errors)

        self._write_record(write)

    def end_job(self, job: JobResult) -> None:
        self._write_record(lambda database: end_job(database, self._job, job))

    def repeat_answer(self, question: str) -> Sequence[FoundError] | None:
        """The errors that an earlier run found when it was asked the same; from then on this run
        shows what is that one's. None where no such run is known.
        """

        def read(database: Database) -> Sequence[FoundError] | None:
            answer = read_answer(database, question)
            if answer is None:
                return None
            self._begin = self._begin._replace(same_as=answer.number)
            return [one.found for one in read_errors(database, answer.number)]

        return self._write_record(read)

    def end(self, verdict: Verdict, seconds: float, question: str) -> int | None:
        def write(database: Database) -> int:
            if self._begin.same_as is not None:
                return record_same_run(database, self._begin, verdict, seconds, question)
            number = self._see_run(database)
            end_run(database, number, verdict, seconds, question)
            write_names(database)
            return number

        return self._write_record(write)

    @contextlib.contextmanager
    def join_writes(self) -> Iterator[None]:
        """One transaction for all that the block writes; of a fault there is nothing in it."""

        def begin(database: Database) -> None:
            self._see_run(database)
            stack.enter_context(database.transaction())

        with contextlib.ExitStack() as stack:
            self._write_record(begin)
            yield
            self._write_record(lambda _: stack.close())

    def _see_run(self, database: Database) -> int:
        if not self._run:
            self._run = self._stack.enter_context(record_run(database, self._begin))
        return self._run

    def _write_record(self, write: Callable[[Database], T]) -> T | None:
        """Do it where the database works; a first fault is said, and the last."""
        if self._database is None:
            return None
        try:
            return write(self._database)
        except Fatal as fault:
            self._database = None
            self._warn(Warned(f"this check is not recorded: {fault}", fault.hint or ""))
            return None


@contextlib.contextmanager
def open_diary(path: Path, begin: RunBegin, warn: Warn) -> Iterator[Diary]:
    """The rows of a run that begins. Raises Fatal for a database of a newer program."""
    with contextlib.ExitStack() as stack:
        database: Database | None = None
        try:
            opened = open_database(path, lambda *said: warn(Warned(*said)))
            database = stack.enter_context(opened)
            settle_runs(database)
        except NewerDatabase:
            raise
        except Fatal as fault:
            warn(Warned(f"this check is not recorded: {fault}", fault.hint or ""))
        diary = Diary(database, begin, warn)
        stack.callback(diary.close)
        yield diary
