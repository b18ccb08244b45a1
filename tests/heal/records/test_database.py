"""The file heal.db: who may open it, what happens to one that is damaged, newer, old or full."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.records.database import open_database
from git_retcon.heal.records.heal_costs import spent_this_month
from git_retcon.heal.records.runs import list_runs, record_run
from git_retcon.heal.records.tables import MIGRATIONS
from tests.heal.records.databases import BEGIN, new_database, refuse_warning
from tests.program import CHECKOUT

SECOND = ("ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'",)


def run_once(folder: Path) -> None:
    with new_database(folder) as database, record_run(database, BEGIN):
        pass


def count_runs(folder: Path) -> int:
    with new_database(folder) as database:
        return len(list_runs(database))


def test_what_was_written_is_there_for_the_next_process(tmp_path: Path) -> None:
    run_once(tmp_path)
    run_once(tmp_path)
    assert count_runs(tmp_path) == 2


def test_readers_go_on_while_another_process_writes(tmp_path: Path) -> None:
    run_once(tmp_path)
    with new_database(tmp_path) as writer, new_database(tmp_path) as reader:
        with writer.transaction():
            writer.execute("DELETE FROM runs")
            assert len(list_runs(reader)) == 1
        assert list_runs(reader) == []


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    run_once(tmp_path)
    with new_database(tmp_path) as database:
        with pytest.raises(ZeroDivisionError), database.transaction():
            database.execute("DELETE FROM runs")
            with database.transaction():
                raise ZeroDivisionError
        assert len(list_runs(database)) == 1


WRITER = """
import sys
from pathlib import Path
from git_retcon.heal.records.runs import record_run, record_job, record_step
from tests.heal.records.databases import BEGIN, end_step, new_database
sys.stdin.readline()
for _ in range(20):
    with new_database(Path(sys.argv[1])) as database, record_run(database, BEGIN) as run:
        job = record_job(database, run, b"ci.yml", "job", "job")
        for number in range(3):
            record_step(database, job, end_step(str(number)))
"""


def test_processes_that_begin_it_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], cwd=CHECKOUT, stdin=subprocess.PIPE
        )
        for _ in range(4)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"go\n")
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0] * 4
    assert count_runs(tmp_path) == 80
    with new_database(tmp_path) as database:
        assert database.fetch("SELECT count(*) FROM steps") == [(240,)]
        assert database.fetch("PRAGMA integrity_check") == [("ok",)]


def test_one_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    run_once(tmp_path)
    path = tmp_path / "heal" / "heal.db"
    with open_database(path, refuse_warning, [*MIGRATIONS, SECOND]):
        pass
    with pytest.raises(Fatal) as refused, new_database(tmp_path):
        pass
    assert str(refused.value) == (
        f"'{path}' was written by a newer git-retcon (version 3 of its tables; this one knows 2)"
    )
    aside = f"mv '{path}' '{path}.newer'"
    assert refused.value.hint == f"install that one, or start with an empty one: {aside}"
    with open_database(path, refuse_warning, [*MIGRATIONS, SECOND]) as database:
        assert database.fetch("SELECT mood FROM runs") == [("fine",)]


def test_an_older_one_is_copied_and_then_migrated(tmp_path: Path) -> None:
    run_once(tmp_path)
    path = tmp_path / "heal" / "heal.db"
    with open_database(path, refuse_warning, [*MIGRATIONS, SECOND]) as database:
        assert database.fetch("SELECT mood FROM runs") == [("fine",)]
        assert database.fetch("PRAGMA user_version") == [(3,)]
    with open_database(path.with_name("heal.db.version-2"), refuse_warning) as copy:
        assert len(list_runs(copy)) == 1
        assert copy.fetch("PRAGMA user_version") == [(2,)]


def test_what_was_spent_before_there_were_batches_is_counted_still(tmp_path: Path) -> None:
    path = tmp_path / "heal" / "heal.db"
    with open_database(path, refuse_warning, MIGRATIONS[:1]) as database:
        database.execute("INSERT INTO spend VALUES (1, NULL, 0, '1970-01', 'm', 1, 2, 3, 4, 0.5)")
    with open_database(path, refuse_warning) as database:
        assert spent_this_month(database, 1.0) == 0.5
        assert database.fetch("SELECT batch FROM spend") == [(None,)]


def test_a_migration_happens_whole_or_not_at_all(tmp_path: Path) -> None:
    run_once(tmp_path)
    path = tmp_path / "heal" / "heal.db"
    with (
        pytest.raises(sqlite3.OperationalError),
        open_database(path, refuse_warning, [*MIGRATIONS, (*SECOND, "CREATE NONSENSE")]),
    ):
        pass
    assert count_runs(tmp_path) == 1  # also: it is still one of version 2


def test_a_new_one_needs_no_copy(tmp_path: Path) -> None:
    run_once(tmp_path)
    names = {one.name for one in (tmp_path / "heal").iterdir() if "version" in one.name}
    assert names == set()


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"this is no database of SQLite, but a text" * 40,
        lambda content: content[:100] + b"\xff" * 1000 + content[1100:],
    ],
    ids=["another file", "a list of tables overwritten"],
)
def test_a_damaged_one_is_moved_aside_and_begun_again(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    run_once(tmp_path)
    path = tmp_path / "heal" / "heal.db"
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    told: list[tuple[str, str]] = []
    with open_database(path, lambda *words: told.append(words)) as database:
        assert list_runs(database) == []
    (aside,) = (one for one in path.parent.iterdir() if ".damaged-" in one.name)
    assert aside.read_bytes() == damaged
    ((message, hint),) = told
    assert message.startswith(f"'{path}' was damaged (")
    assert message.endswith(f") and is now '{aside.name}'; a new one was begun")
    assert hint == "earlier runs, open heals and this month's spending are not counted any more"
    run_once(tmp_path)  # no warning a second time


@pytest.mark.slow
def test_damage_that_shows_later_is_said_and_the_next_command_goes_on(tmp_path: Path) -> None:
    for _ in range(200):
        run_once(tmp_path)
    path = tmp_path / "heal" / "heal.db"
    content = bytearray(path.read_bytes())
    with new_database(tmp_path) as database:
        ((page,),) = database.fetch("SELECT rootpage FROM sqlite_master WHERE name = 'runs'")
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with (
        pytest.raises(Fatal, match=r"is damaged .* and was moved aside$") as refused,
        new_database(tmp_path) as database,
    ):
        list_runs(database)
    assert refused.value.hint == "run the same command again: it begins a new one"
    (aside,) = (one for one in path.parent.iterdir() if ".damaged-" in one.name)
    assert aside.read_bytes() == bytes(content)
    assert count_runs(tmp_path) == 0


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    run_once(tmp_path)
    with new_database(tmp_path) as database:
        database.execute("PRAGMA max_page_count=1")
        with pytest.raises(Fatal) as refused, database.transaction():
            database.execute("CREATE TABLE big (content BLOB)")
            database.execute("INSERT INTO big VALUES (zeroblob(10000000))")
    assert str(refused.value) == f"cannot write '{database.path}': the disk is full"
    assert count_runs(tmp_path) == 1


def test_a_file_that_cannot_grow_is_said(tmp_path: Path) -> None:
    script = (
        "import resource, signal, sys\nfrom pathlib import Path\n"
        "from tests.heal.records.test_database import run_once\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (8192, {resource.RLIM_INFINITY}))\n"
        "run_once(Path(sys.argv[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=CHECKOUT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    last = done.stderr.splitlines()[-1]
    assert "cannot write" in last
    assert "heal.db" in last


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "heal").mkdir(mode=0o500)
    with pytest.raises(Fatal, match="cannot write"), new_database(tmp_path):
        pass


def test_somebody_who_writes_for_long_is_named_as_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_once(tmp_path)
    monkeypatch.setattr("git_retcon.heal.records.database._PATIENCE", 0.05)
    with new_database(tmp_path) as writer, new_database(tmp_path) as other, writer.transaction():
        with pytest.raises(Fatal) as refused, other.transaction():
            pass
        assert refused.value.reason is Reason.LOCKED


def test_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(Fatal, match=r"git heal needs 3.37 or newer"), new_database(tmp_path):
        pass
