"""What completion offers of runs, errors and jobs."""

from pathlib import Path

from git_retcon.heal.records.recent_names import write_names
from git_retcon.heal.records.run_errors import record_errors
from git_retcon.heal.records.runs import record_job, record_run
from tests.heal.records.databases import BEGIN, find_error, new_database

FIRST = find_error("src/a.py", 1, "one")
SECOND = find_error("src/b.py", 1, "two")


def test_the_newest_come_first_and_each_error_once(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for errors in ([FIRST], [SECOND, FIRST], []):
            with record_run(database, BEGIN) as run:
                record_errors(database, run, None, errors)
        write_names(database)
    ids = [one.finding.fingerprint[:8] for one in (FIRST, SECOND)]
    assert (tmp_path / "heal/recent").read_text().splitlines() == [
        "run 3", "run 2", "run 1", *(f"error {one}" for one in ids)
    ]  # fmt: skip


def test_jobs_have_the_names_of_their_cells_and_no_line_breaks(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        for names in (("old", "lint"), ("test (3.12)", "test (3.13)", "a\nb", "lint")):
            with record_run(database, BEGIN) as run:
                for name in names:
                    job = name if name == "lint" else "test"
                    record_job(database, run, b".github/workflows/ci.yml", job, name)
        write_names(database)
    lines = (tmp_path / "heal/recent").read_text().splitlines()
    assert lines[2:] == ["job test (3.12)", "job test (3.13)", "job old"]


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        (tmp_path / "heal/recent").mkdir()
        write_names(database)
