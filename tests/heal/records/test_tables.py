"""The tables: which there are, how strict they are, and that each column is explained."""

import re
import sqlite3
from pathlib import Path

import pytest

from git_retcon.heal.records.tables import MIGRATIONS
from tests.heal.records.databases import new_database

TABLES = [
    "answers", "batch_requests", "batches", "errors", "heal_errors", "heals", "jobs", "run_errors",
    "runs", "spend", "steps",
]  # fmt: skip


def test_these_tables_are_there_and_each_is_strict(tmp_path: Path) -> None:
    with new_database(tmp_path) as database:
        rows = database.fetch("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
    ours = sorted(row for row in rows if not row[0].startswith("sqlite_"))
    assert ours == [(name, 1) for name in TABLES]


def test_every_table_says_what_it_holds() -> None:
    tables = [one for version in MIGRATIONS for one in version if "CREATE TABLE" in one]
    assert len(tables) == len(TABLES)
    for table in tables:
        assert re.search(r"CREATE TABLE \w+ \(\n    -- \w", table), table


def test_a_value_of_another_type_is_refused(tmp_path: Path) -> None:
    with new_database(tmp_path) as database, pytest.raises(sqlite3.IntegrityError):
        database.execute("INSERT INTO spend VALUES (1, NULL, 'now', '', '', 0, 0, 0, 0, 0, NULL)")
