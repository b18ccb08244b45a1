"""Checks that only repeat what is known: a line each, and a row once somebody reads the records."""

from pathlib import Path

import pytest

from git_retcon.heal.records.repeats import append_repeat, database_path, take_repeats
from git_retcon.heal.records.runs import end_run, list_runs, record_run, settle_runs
from git_retcon.heal.results import Verdict
from tests.heal.records.databases import BEGIN, new_database

REPEAT = {
    "run_id": "0123456789abcdef", "commit": "c", "tree": "t", "branch": "main",
    "checkout": "/home/\udcff", "started": 9.0, "seconds": 0.5, "verdict": "passed",
    "question": "q",
}  # fmt: skip


def test_they_become_rows_once_and_in_their_order(tmp_path: Path) -> None:
    path = database_path(tmp_path)
    with new_database(tmp_path) as database:
        with record_run(database, BEGIN) as run:
            end_run(database, run, Verdict.PASSED, 1.0, "q")
        assert append_repeat(path, REPEAT)
        assert append_repeat(path, {**REPEAT, "started": 10.0})
        for _ in range(2):
            settle_runs(database)
        last, second, _ = list_runs(database)
    assert (second.begin.started, last.begin.started) == (9.0, 10.0)
    assert second.begin.checkout == b"/home/\xff"
    assert (second.begin.same_as, second.verdict, second.seconds) == (run, "passed", 0.5)


@pytest.mark.parametrize(
    "line", [b"no json", b"[]", b'{"question": "q"}', b'{"question": "other"}', b"\xff"]
)
def test_what_says_nothing_is_left_out(tmp_path: Path, line: bytes) -> None:
    with new_database(tmp_path) as database:
        with record_run(database, BEGIN) as run:
            end_run(database, run, Verdict.PASSED, 1.0, "q")
        database.path.with_name("repeats").write_bytes(line + b"\n")
        settle_runs(database)
        assert len(list_runs(database)) == 1


def test_without_a_database_there_is_nothing_to_repeat(tmp_path: Path) -> None:
    assert not append_repeat(database_path(tmp_path), REPEAT)
    assert list(take_repeats(database_path(tmp_path))) == []


def test_what_nobody_reads_does_not_grow_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_retcon.heal.records.repeats._LONGEST", 10)
    with new_database(tmp_path):
        pass
    assert append_repeat(database_path(tmp_path), REPEAT)
    assert not append_repeat(database_path(tmp_path), REPEAT)
