"""Runs as they are recorded: how far each came, which is meant by a name, what is dropped."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.heal.records.runs import (
    drop_runs,
    end_job,
    end_run,
    find_run,
    list_runs,
    read_answer,
    read_jobs,
    read_last_run,
    read_run,
    read_steps,
    record_job,
    record_run,
    record_step,
    settle_runs,
)
from git_retcon.heal.results import JobResult, StepVerdict, Verdict
from tests.heal.records.databases import BEGIN, end_step, new_database
from tests.program import CHECKOUT

CI = b".github/workflows/ci.yml"


def test_a_run_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    begin = BEGIN._replace(branch="topic \udcff", checkout=b"/home/\xff")
    with new_database(tmp_path) as database:
        with record_run(database, begin) as number:
            end_run(database, number, Verdict.PASSED, 2.5)
        run = read_run(database, number)
    assert run is not None
    assert run.begin == begin._replace(branch="topic ?")
    assert (run.number, run.seconds, run.verdict) == (1, 2.5, "passed")


def test_jobs_and_steps_are_there_before_the_run_ends(tmp_path: Path) -> None:
    with new_database(tmp_path) as database, new_database(tmp_path) as reader:
        with record_run(database, BEGIN) as run:
            job = record_job(database, run, CI, "lint", "lint")
            record_step(database, job, end_step("inner", command="make"), 1)
            step = end_step("ruff", StepVerdict.FAILED, reason="exit status 1", status=1)
            record_step(database, job, step._replace(log="/x/log", folder="sub", seconds=1.5))
            settle_runs(reader)  # its process lives
            assert [one.verdict for one in list_runs(reader)] == ["running"]
            assert [one.verdict for one in read_jobs(reader, run)] == ["running"]
            inner, outer = read_steps(reader, run)
        assert (inner.job, inner.depth, inner.result) == (job, 1, end_step("inner", command="make"))
        assert outer.result == step._replace(log="/x/log", folder="sub", seconds=1.5)


def test_a_job_ends_with_its_verdict(tmp_path: Path) -> None:
    result = JobResult(CI, "a", "a (3.11)", 4, Verdict.FAILED, "x: exit status 1", (), (), 3.0)
    with new_database(tmp_path) as database, record_run(database, BEGIN) as run:
        job = record_job(database, run, CI, "a", "a (3.11)")
        end_job(database, job, result._replace(callers=("calls",)))
        (found,) = read_jobs(database, run)
    assert found == (job, CI, "a", "calls / a (3.11)", 4, "failed", "x: exit status 1", 3.0, False)


def test_a_run_that_an_error_ends_is_interrupted(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        with pytest.raises(KeyboardInterrupt), record_run(database, BEGIN) as run:
            record_job(database, run, CI, "a", "a")
            raise KeyboardInterrupt
        assert [one.verdict for one in list_runs(database)] == ["interrupted"]
        assert [one.verdict for one in read_jobs(database, run)] == ["interrupted"]
        assert list((tmp_path / "heal/running").iterdir()) == []


KILLED = """
import sys, time
from pathlib import Path
from git_retcon.heal.records.runs import record_job, record_run
from tests.heal.records.databases import BEGIN, new_database
with new_database(Path(sys.argv[1])) as database, record_run(database, BEGIN) as run:
    record_job(database, run, b"ci.yml", "a", "a")
    print("running", flush=True)
    time.sleep(60)
"""


def test_a_run_whose_process_is_killed_is_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=CHECKOUT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        with new_database(tmp_path) as database:
            settle_runs(database)
            assert [one.verdict for one in list_runs(database)] == ["running"]
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)
            settle_runs(database)
            assert [one.verdict for one in list_runs(database)] == ["interrupted"]
            assert [one.verdict for one in read_jobs(database, 1)] == ["interrupted"]


def test_the_last_run_is_that_of_the_same_checkout(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for checkout in (b"/here", b"/here", b"/there"):
            with record_run(database, BEGIN._replace(checkout=checkout)) as number:
                end_run(database, number, Verdict.PASSED, 1)
        with record_run(database, BEGIN._replace(checkout=b"/here")):
            last = read_last_run(database, b"/here")
        assert last is not None
        assert last.number == 2
        assert read_last_run(database, b"/nowhere") is None


def test_the_answer_to_a_question_is_that_of_a_run_that_ran_something(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        with record_run(database, BEGIN) as first:
            record_job(database, first, CI, "a", "a")
            end_run(database, first, Verdict.PASSED, 1, "q")
        with record_run(database, BEGIN._replace(same_as=first)) as same:
            end_run(database, same, Verdict.PASSED, 0, "q")
        with record_run(database, BEGIN):
            pass  # interrupted
        found = read_answer(database, "q")
        assert found is not None
        assert found.number == first
        assert read_answer(database, "other") is None
        assert read_answer(database, "") is None
        assert [one.job for one in read_jobs(database, same)] == ["a"]


def test_a_run_is_named_by_its_number_or_the_beginning_of_its_id(tmp_path: Path) -> None:
    ids = ("0123456789abcdef", "0123456789abcdef", "fedcba9876543210", "1234" * 4)
    with new_database(tmp_path) as database:
        for run_id in ids:
            with record_run(database, BEGIN._replace(run_id=run_id)):
                pass

        def find(name: str) -> int | None:
            found = find_run(database, name)
            return found.number if found else None

        assert [find(name) for name in ("1", "3", "5")] == [1, 3, None]
        assert [find(name) for name in (ids[0], "0123", "fedc", "1234")] == [2, 2, 3, 4]
        assert [find(name) for name in ("012", "", "0123z", "%", "٣")] == [None] * 5


def test_old_runs_are_dropped_with_all_that_is_theirs(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for started in (10.0, 20.0):
            with record_run(database, BEGIN._replace(started=started)) as run:
                record_step(database, record_job(database, run, CI, "a", "a"), end_step("s"))
        with record_run(database, BEGIN._replace(started=5.0)):
            assert drop_runs(database, 15.0) == 1  # neither the newer nor the running one
            assert [one.begin.started for one in list_runs(database)] == [5.0, 20.0]
            assert database.fetch("SELECT count(*) FROM steps") == [(1,)]
        with record_run(database, BEGIN) as number:
            assert number == 4  # numbers are not given again


def test_a_run_stays_whose_jobs_a_later_one_shows(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for started, same_as in ((10.0, None), (11.0, 1), (20.0, 1)):
            with record_run(database, BEGIN._replace(started=started, same_as=same_as)):
                pass
        assert drop_runs(database, 15.0) == 1
        assert [one.number for one in list_runs(database)] == [3, 1]
        assert drop_runs(database, 30.0) == 2
