"""What a check leaves in the database: all of it, as it happens, and never in its way."""

import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from git_retcon.heal.records.database import database_path
from git_retcon.run.stray_processes import MARK
from tests.heal.checks import check, new_project
from tests.heal.recorded import list_recorded
from tests.heal.test_check_run import counting, start, wait_for
from tests.program import heal_here
from tests.repository import TestRepository
from tests.run_.test_death_watch import lives

TWO_JOBS = """\
    on: push
    jobs:
      lint:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - {name: format, run: echo}
        - name: lint
          run: |
            echo '::error file=a.txt,line=1::bad'
            exit 1
      pack:
        runs-on: ubuntu-latest
        steps:
        - {name: local, uses: $/act}
        - {name: push, run: git push}
    """
ACTION = """\
    runs:
      using: composite
      steps: [{name: builds, run: exit 2, shell: bash}]
    """


def database_of(repository: TestRepository) -> Path:
    return database_path(repository.path / ".git")


def test_runs_jobs_steps_and_errors_are_recorded(tmp_path: Path) -> None:
    files = {"a.txt": "a\n", "act/action.yml": ACTION}
    repository = new_project(tmp_path / "project", TWO_JOBS, files)
    heal_here(repository.path, "check", "--trust", "--job=lint")
    first = [
        "1 failed",
        "  lint failed",
        "    actions/checkout@v4 satisfied",
        "    format passed",
        "    lint failed",
        "  lint/lint: bad",
    ]
    assert list_recorded(repository) == first
    check(repository)
    assert list_recorded(repository)[len(first) :] == [
        "2 failed",
        "  lint failed (cached)",
        "    actions/checkout@v4 satisfied",
        "    format passed",
        "    lint failed",
        "  pack failed",
        "      builds failed",
        "    local failed",
        "    push not wanted",
        "  lint/lint: bad",
        "  pack/builds: builds: exit status 2",
    ]


def test_a_check_that_runs_nothing_shows_what_an_earlier_one_found(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS, {"a.txt": "a\n"})
    errors = check(repository, "--job=lint").data["errors"]
    assert check(repository, "--job=lint").data["errors"] == errors
    assert list_recorded(repository)[-1] == "2 failed (as 1)"
    for left in database_of(repository).parent.iterdir():
        if left.is_file():
            left.unlink()
    assert check(repository, "--job=lint").data["errors"] == errors
    assert list_recorded(repository)[:2] == ["1 failed", "  lint failed (cached)"]


def test_a_refused_check_leaves_no_run(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS)
    assert heal_here(repository.path, "check").status == 1
    assert list_recorded(repository) == []


def test_a_check_in_which_nothing_runs_is_recorded(tmp_path: Path) -> None:
    workflow = "on: push\njobs: {a: {runs-on: windows-latest, steps: [{run: echo}]}}"
    repository = new_project(tmp_path / "project", workflow)
    check(repository)
    assert list_recorded(repository) == ["1 not run", "  a not run"]


@pytest.mark.slow
def test_each_step_is_recorded_before_the_next_begins(tmp_path: Path) -> None:
    where = tmp_path / "project/.git/heal/heal.db"
    script = f"import sqlite3; print(*sqlite3.connect('{where}').execute('SELECT name, verdict " \
        "FROM steps UNION ALL SELECT message, 0 FROM run_errors'))"  # fmt: skip
    workflow = f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - {{name: first, run: exit 3}}
            - {{name: looks, if: always(), run: "{script}", shell: python}}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.log("looks") == "('first', 'failed') ('first: exit status 3', 0)\n"


@pytest.mark.slow
def test_a_killed_check_was_interrupted_and_keeps_what_it_found(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"echo $$ > {pid}; test -e {tmp_path}/go || sleep 600"
    repository, counter = counting(tmp_path, script)
    first = start(repository)
    wait_for(counter)
    assert list_recorded(repository) == ["1 running", "  job running"]
    os.kill(first.pid, signal.SIGKILL)
    first.communicate(timeout=60)
    assert list_recorded(repository) == ["1 interrupted", "  job interrupted"]
    # Its steps end with it; nothing waits for the next check to do that.
    until = time.monotonic() + 60
    while lives(int(pid.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not lives(int(pid.read_text()))
    (tmp_path / "go").write_text("")
    check(repository)
    assert list_recorded(repository)[2] == "2 passed"


@pytest.mark.slow
def test_what_makes_an_environment_ends_with_a_killed_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that went on would write into the folder that the next check removes."""
    python, pid = tmp_path / "bin/python3", tmp_path / "pid"
    version = "case $1 in --version) echo Python 3.11.7; exit;; esac"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\n{version}\necho $$ >{pid}\nsleep 600\n")
    python.chmod(0o755)
    workflow = "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: python3 -V}]}}"
    repository = new_project(tmp_path / "project", workflow)
    monkeypatch.setenv("PATH", f"{python.parent}:{os.environ['PATH']}")
    pid.write_text("")
    first = start(repository)
    wait_for(pid)
    environment = Path(f"/proc/{pid.read_text().strip()}/environ").read_bytes()
    os.kill(first.pid, signal.SIGKILL)
    first.communicate(timeout=60)
    # By this line a killed check's processes are found, which test_death_watch proves.
    assert any(line.startswith(f"{MARK}=".encode()) for line in environment.split(b"\0"))


def test_a_damaged_database_is_said_and_the_check_goes_on(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS, {"a.txt": "a\n"})
    database_of(repository).parent.mkdir()
    database_of(repository).write_text("no database" * 1000)
    done = heal_here(repository.path, "check", "--trust", "--job=lint")
    assert "heal.db' was damaged (file is not a database)" in done.err
    assert list_recorded(repository)[0] == "1 failed"


def test_a_database_that_cannot_be_written_is_said_and_the_check_goes_on(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", TWO_JOBS, {"a.txt": "a\n"})
    (repository.path / ".git/heal").write_text("in the way")
    done = heal_here(repository.path, "check", "--trust", "--job=lint")
    assert done.status == 1
    assert "warning: this check is not recorded: cannot write '" in done.err
    assert "a.txt:1: bad" in done.out


def test_a_newer_database_is_refused_before_anything_runs(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    database_of(repository).parent.mkdir()
    with sqlite3.connect(database_of(repository)) as connection:
        connection.execute("PRAGMA user_version=99")
    done = heal_here(repository.path, "check", "--trust")
    assert (done.status, counter.read_text()) == (128, "")
    assert "was written by a newer git-retcon (version 99 of its tables" in done.err


def test_what_masks_hide_in_logs_is_not_recorded_either(tmp_path: Path) -> None:
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: 'cat a.txt; echo "::error file=a.txt,line=1::$(cat a.txt)"; exit 1'
        """
    repository = new_project(tmp_path / "project", workflow, {"a.txt": f"{token}\n"})
    check(repository)
    assert token[:30].encode() not in b"".join(
        one.read_bytes() for one in database_of(repository).parent.iterdir() if one.is_file()
    )
