"""Errors of runs: read as they were found, filtered, and known again in other runs."""

from pathlib import Path

from git_retcon.code.diagnostics.diagnostic import Category, Edit, Kind, Severity
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.run_errors import (
    ErrorFilter,
    count_errors,
    find_fingerprints,
    list_runs_with,
    read_error,
    read_errors,
    record_errors,
)
from git_retcon.heal.records.runs import drop_runs, record_job, record_run, record_step
from tests.heal.records.databases import BEGIN, end_step, find_error, new_database

CI = b".github/workflows/ci.yml"
UNUSED = find_error("src/a.py", 1, "'os' imported but unused")
UNKNOWN = find_error("src/b.py", 1, "name 'y' is not defined", Category.TYPE_CHECK)
NOWHERE = find_error("", 0, "cannot reach the index", Category.INFRASTRUCTURE)


def record(database: Database, *errors: object, job: str = "lint") -> int:
    """A run in which a step of a job named these errors."""
    with record_run(database, BEGIN) as run:
        number = record_job(database, run, CI, job, f"{job} (3.11)")
        step = record_step(database, number, end_step("ruff"))
        record_errors(database, run, step, errors)  # type: ignore[arg-type]
    return run


def test_an_error_is_read_as_it_was_found(tmp_path: Path) -> None:
    full = find_error(
        "\xff.py", 1, "name 'q' is not defined", missing=("q",), wants_file=(b"\xffq.h",),
        kind=Kind.UNDEFINED, owner="Type", noun="field", column=1, end_line=1, end_column=2,
        severity=Severity.WARNING, rule="F821", tool="ruff", stack=("at x", "at y"),
        suggestion="p", edits=(Edit(b"\xff.py", 1, 1, 1, 2, "p"),),
    )  # fmt: skip
    assert full.finding.edits
    with new_database(tmp_path) as database:
        run = record(database, full, NOWHERE)
        found, nowhere = read_errors(database, run)
    assert found.found.finding.snippet == full.finding.snippet
    said = full.finding.diagnostic._replace(path=b"\xff.py")
    assert found.found == full._replace(finding=full.finding._replace(diagnostic=said))
    assert nowhere.found == NOWHERE
    assert (found.run, found.step) == (run, 1)


def test_an_error_of_several_steps_is_listed_once_and_shown_with_all(tmp_path: Path) -> None:
    with new_database(tmp_path) as database, record_run(database, BEGIN) as run:
        for job in ("a", "b"):
            number = record_job(database, run, CI, job, job)
            step = record_step(database, number, end_step(f"step of {job}"))
            record_errors(database, run, step, [UNUSED])
        (once,) = read_errors(database, run)
        assert (once.found.job, once.found.step) == ("a", "step of a")
        every = read_error(database, run, UNUSED.finding.fingerprint)
        assert [one.found.step for one in every] == ["step of a", "step of b"]
        (of_b,) = read_errors(database, run, ErrorFilter(job="b"))
        assert of_b.found.step == "step of b"
        assert count_errors(database) == {run: 1}


def test_errors_are_chosen_by_path_workflow_and_job(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        run = record(database, UNUSED, UNKNOWN, NOWHERE)

        def choose(*paths: bytes, workflow: str = "", job: str = "") -> list[str]:
            only = ErrorFilter(paths, workflow, job)
            return [
                one.found.finding.diagnostic.message[:4] for one in read_errors(database, run, only)
            ]

        assert choose() == ["'os'", "name", "cann"]
        assert choose(b"src/a.py") == ["'os'"]
        assert choose(b"src") == ["'os'", "name"]
        assert choose(b"") == ["'os'", "name"]  # the top: every file
        assert choose(b"sr") == []
        assert choose(b"src/b.py", b"src/a.py") == ["'os'", "name"]
        assert choose(workflow="ci") == choose(workflow="ci.yml") == choose(job="lint") == choose()
        assert choose(workflow="c") == choose(job="lin") == []
        assert choose(job="lint (3.11)") == choose()


def test_an_error_of_no_job_of_ours_has_none(tmp_path: Path) -> None:
    with new_database(tmp_path) as database, record_run(database, BEGIN) as run:
        record_errors(database, run, None, [UNUSED])
        (found,) = read_errors(database, run)
    assert (found.step, found.found.workflow, found.found.job) == (None, b"", "")


def test_the_same_error_is_known_in_other_runs(tmp_path: Path) -> None:
    fingerprint = UNUSED.finding.fingerprint
    with new_database(tmp_path) as database:
        first, other, last = record(database, UNUSED), record(database), record(database, UNUSED)
        with record_run(database, BEGIN._replace(same_as=last)) as same:
            assert len(read_errors(database, same)) == 1
        numbers = [run.number for run in list_runs_with(database, fingerprint)]
        assert numbers == [same, last, first]
        assert other not in (first, last)
        assert find_fingerprints(database, fingerprint[:6]) == [fingerprint]
        assert find_fingerprints(database, fingerprint[:3]) == []
        assert find_fingerprints(database, "zzzz") == []


def test_an_error_that_no_run_has_is_forgotten(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        record(database, UNUSED)
        drop_runs(database, BEGIN.started + 1)
        assert find_fingerprints(database, UNUSED.finding.fingerprint) == []
