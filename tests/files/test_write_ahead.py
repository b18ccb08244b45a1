"""Databases that several processes open for the first time at once."""

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from git_retcon.files.write_ahead import begin_write_ahead


def _open_often(folder: Path, number: int) -> None:
    for each in range(number):
        with sqlite3.connect(folder / f"{each}.db", timeout=30) as connection:
            begin_write_ahead(connection, 30)
            connection.execute("CREATE TABLE IF NOT EXISTS seen (at TEXT)")


def test_each_of_several_processes_waits_for_the_others(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    openers = [context.Process(target=_open_often, args=(tmp_path, 60)) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert [opener.exitcode for opener in openers] == [0, 0, 0, 0]


def test_it_waits_no_longer_than_it_may(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("CREATE TABLE seen (at TEXT)")
        holder.execute("BEGIN EXCLUSIVE")
        connection = sqlite3.connect(path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            begin_write_ahead(connection, 0.1)
        holder.execute("ROLLBACK")
        begin_write_ahead(connection, 0.1)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()
