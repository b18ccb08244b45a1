"""``heal.db``: opened, brought to the version of this program, kept apart when it is damaged.

It is no cache. With the file go the list of runs and their errors, which checks find again, and
what nothing finds again: heals that wait for an answer, and what was spent this month. So a
damaged file is moved aside and never deleted, and what cannot be written is said.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from git_retcon.errors import Fatal, Reason
from git_retcon.files.lock import hold_lock
from git_retcon.files.write_ahead import begin_write_ahead
from git_retcon.heal.records.repeats import database_path as database_path
from git_retcon.heal.records.tables import MIGRATIONS

Warn = Callable[[str, str], None]
Value = str | bytes | int | float | None

_PATIENCE = 10.0  # seconds to wait for another process that writes
_TICK = 0.05  # seconds
_LEAST = (3, 37)  # of SQLite: the first with STRICT tables, and it reads no file that has them
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SPACE = "free some space or correct its permissions, then run the same command again"


class NewerDatabase(Fatal):
    """A newer program wrote the file; this one would not understand it."""


class Database:
    """An open ``heal.db``. Used by one thread; each method raises Fatal where the file fails."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._file = _identify_file(path)

    def fetch(self, statement: str, *values: Value) -> list[Any]:
        """The rows that a statement finds."""
        with self._explain_faults():
            return self._connection.execute(statement, values).fetchall()

    def insert(self, statement: str, *values: Value) -> int:
        """Run an INSERT; the number of the row."""
        with self._explain_faults():
            number = self._connection.execute(statement, values).lastrowid
        assert number is not None, "asked only of an INSERT"
        return number

    def execute(self, statement: str, *values: Value) -> int:
        """Run a statement; how many rows it changed."""
        with self._explain_faults():
            return self._connection.execute(statement, values).rowcount

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All that the block writes, or nothing of it. Within another one: a part of that."""
        if self._connection.in_transaction:
            yield
            return
        # IMMEDIATE: a transaction that reads first could not wait for another writer.
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    @contextlib.contextmanager
    def _explain_faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if not _is_damage(error):
                raise _explain_error(self.path, error) from error
            self.close()
            with _hold_alone(self.path):
                # Unless another process has done it, and begun a new one.
                if _identify_file(self.path) == self._file:
                    _set_aside(self.path)
            raise Fatal(
                f"'{self.path}' is damaged ({error}) and was moved aside",
                hint="run the same command again: it begins a new one",
                again=(),
            ) from error


@contextlib.contextmanager
def open_database(
    path: Path, warn: Warn, migrations: Sequence[Sequence[str]] = MIGRATIONS
) -> Iterator[Database]:
    """The database at a path, which is made when missing.

    ``warn`` gets a message and a hint where a damaged file was moved aside. Raises Fatal for one
    of a newer program, and where it cannot be opened or written.
    """
    _refuse_old_sqlite()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _open_whole(path, warn, migrations)
    except sqlite3.Error as error:
        raise _explain_error(path, error) from error
    except OSError as error:
        message = f"cannot write '{path}': {error.strerror or error}"
        raise Fatal(message, hint=_SPACE, again=()) from error
    database = Database(path, connection)
    try:
        yield database
    finally:
        database.close()


def _refuse_old_sqlite() -> None:
    if sqlite3.sqlite_version_info < _LEAST:
        least = ".".join(map(str, _LEAST))
        raise Fatal(
            f"this Python has SQLite {sqlite3.sqlite_version}; git heal needs {least} or newer",
            hint="use a Python with a newer SQLite ('python3 -c \"import sqlite3; "
            "print(sqlite3.sqlite_version)\"' prints its version)",
            reason=Reason.NOT_READY,
        )


def _open_whole(path: Path, warn: Warn, migrations: Sequence[Sequence[str]]) -> sqlite3.Connection:
    with contextlib.suppress(_Damaged):
        connection = _connect_database(path)
        try:
            is_current = _is_current(path, connection, len(migrations))
        except Fatal:
            connection.close()
            raise
        if is_current:
            return connection
        connection.close()
    with _hold_alone(path):
        # Another process may have done it while this one waited.
        try:
            connection = _connect_database(path)
        except _Damaged as damage:
            aside = _set_aside(path)
            warn(
                f"'{path}' was damaged ({damage}) and is now '{aside.name}'; a new one was begun",
                "earlier runs, open heals and this month's spending are not counted any more",
            )
            connection = _connect_database(path)
        try:
            if not _is_current(path, connection, len(migrations)):
                _migrate_tables(path, connection, migrations)
        except BaseException:
            connection.close()
            raise
    return connection


class _Damaged(Exception):
    """The file is no database, or its list of tables cannot be read."""


def _connect_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys=ON")
        begin_write_ahead(connection, _PATIENCE)
        # A power cut may lose the last seconds, a killed process nothing.
        connection.execute("PRAGMA synchronous=NORMAL")
        # Damage of the list of tables shows here, while the file can still be moved aside.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and _is_damage(error):
            raise _Damaged(str(error)) from error
        raise
    return connection


def _is_current(path: Path, connection: sqlite3.Connection, newest: int) -> bool:
    version = _read_version(connection)
    if version > newest:
        raise NewerDatabase(
            f"'{path}' was written by a newer git-retcon (version {version} of its tables; "
            f"this one knows {newest})",
            hint=f"install that one, or start with an empty one: mv '{path}' '{path}.newer'",
            reason=Reason.NOT_READY,
        )
    return version == newest


def _migrate_tables(
    path: Path, connection: sqlite3.Connection, migrations: Sequence[Sequence[str]]
) -> None:
    version = _read_version(connection)
    if 0 < version < len(migrations):
        _back_up(path, connection)
    for number in range(version, len(migrations)):
        _migrate_once(connection, number, migrations[number])


def _migrate_once(connection: sqlite3.Connection, version: int, statements: Sequence[str]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements:
            connection.execute(statement.strip())
        connection.execute(f"PRAGMA user_version={version + 1}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _read_version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _back_up(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the database as it is to ``heal.db.version-1``, with the number of its version."""
    copy = path.with_name(f"{path.name}.version-{_read_version(connection)}")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as target:
        connection.backup(target)
    unfinished.replace(copy)


@contextlib.contextmanager
def _hold_alone(path: Path) -> Iterator[None]:
    """Be the only process that migrates the database or moves it aside; others are waited for."""
    deadline = time.monotonic() + _PATIENCE
    with contextlib.ExitStack() as stack:
        while True:
            try:
                lock = path.with_name(f"{path.name}.lock")
                stack.enter_context(hold_lock(lock, f"migrating '{path}'"))
                break
            except Fatal as refusal:
                if refusal.reason is not Reason.LOCKED or time.monotonic() >= deadline:
                    raise
                time.sleep(_TICK)
        yield


def _set_aside(path: Path) -> Path:
    """Move a damaged file, with what belongs to it, beside its place; where it is now."""
    now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    aside = path.with_name(f"{path.name}.damaged-{now}")
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{aside}{suffix}")  # noqa: PTH105
    return aside


def _identify_file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _find_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for an error of Python's module."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    return _find_code(error) in _DAMAGE


def _explain_error(path: Path, error: sqlite3.Error) -> Fatal:
    match _find_code(error):
        case sqlite3.SQLITE_FULL:
            return Fatal(f"cannot write '{path}': the disk is full", hint=_SPACE, again=())
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Fatal(
                f"'{path}' is in use by another process",
                hint="wait for it to end, then run the same command again",
                reason=Reason.LOCKED,
                again=(),
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
            return Fatal(f"cannot write '{path}': {error}", hint=_SPACE, again=())
    raise error
