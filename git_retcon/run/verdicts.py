"""What is known of a tree: that a command passed on it, so that it need not run again.

A cache in SQLite: losing it costs time, never a result. So no fault of it stops a run. A damaged
file is set aside, a locked, full or read-only one is not used, and a warning says so once. What
passed is kept; failures are kept in memory for the length of a run, because the next run may find
the network up or the disk emptier.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.files.write_ahead import begin_write_ahead
from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from git_retcon.run.shell_command import Outcome

_SCHEMA = 1
_PATIENCE = 5.0  # seconds to wait for another process that writes
_TABLES = """
CREATE TABLE IF NOT EXISTS passes (
    question TEXT PRIMARY KEY,
    seconds REAL NOT NULL,
    recorded REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memos (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Question:
    """Does this command pass on this tree? Equal questions have one answer.

    ``setup`` is the command that prepared the worktree ("" for none). ``tools`` is a fingerprint
    of the tools that took part (see ``tools``).
    """

    tree: str
    step: str
    command: str
    setup: str = ""
    tools: str = ""

    @property
    def digest(self) -> str:
        """The question in 64 hex digits; commands may be long, and may hold what no log should."""
        parts = (self.tree, self.step, self.command, self.setup, self.tools)
        raw = b"".join(
            len(part).to_bytes(8, "big") + part.encode("utf-8", "surrogateescape")
            for part in map(str, parts)
        )
        return hashlib.sha256(raw).hexdigest()


@dataclass(frozen=True, slots=True)
class Pass:
    """The command passed once before, and took so many seconds then."""

    seconds: float


@dataclass
class Verdicts:
    """Answers by question. Made by ``open_verdicts``; used by one thread.

    The file is opened when it is first needed: a run without commands never asks.
    """

    _path: Path | None
    _warn: Callable[[str], None]
    _passes: dict[str, Pass] = field(default_factory=dict)
    _failures: "dict[str, Outcome]" = field(default_factory=dict)
    _memos: dict[str, str | None] = field(default_factory=dict)
    _connection: sqlite3.Connection | None = None
    _is_usable: bool = True

    @property
    def _database(self) -> sqlite3.Connection | None:
        if self._connection is None and self._path is not None and self._is_usable:
            self._connection = _open_database(self._path, self._warn)
            self._is_usable = self._connection is not None
        return self._connection

    def find(self, question: Question) -> "Pass | Outcome | None":
        """A pass, a failure of this run as it ended, or None where nothing is known."""
        digest = question.digest
        if digest in self._failures:
            return self._failures[digest]
        if digest in self._passes:
            return self._passes[digest]
        row = self._fetch_row("SELECT seconds FROM passes WHERE question = ?", digest)
        return Pass(row[0]) if row is not None and isinstance(row[0], float) else None

    def record(self, question: Question, outcome: "Outcome") -> None:
        """Remember how the command ended."""
        digest = question.digest
        if not outcome.passed:
            self._passes.pop(digest, None)
            self._failures[digest] = outcome
            self._execute_statement("DELETE FROM passes WHERE question = ?", digest)
            return
        self._failures.pop(digest, None)
        self._passes[digest] = Pass(outcome.seconds)
        self._execute_statement(
            "INSERT OR REPLACE INTO passes VALUES (?, ?, ?)", digest, outcome.seconds, time.time()
        )

    def memo(self, name: str) -> str | None:
        """The text kept under a name, or None."""
        # Memory first: what this run has found out counts even where the file cannot be written.
        if name in self._memos:
            return self._memos[name]
        row = self._fetch_row("SELECT text FROM memos WHERE name = ?", name)
        return None if row is None else str(row[0])

    def keep_memo(self, name: str, text: str) -> None:
        """Keep a text under a name, in place of an earlier one."""
        self._memos[name] = text
        self._execute_statement("INSERT OR REPLACE INTO memos VALUES (?, ?)", name, text)

    def _fetch_row(self, statement: str, value: str) -> tuple[object, ...] | None:
        with self._tolerate_faults("read"):
            database = self._database
            if database is not None:
                row: tuple[object, ...] | None = database.execute(statement, (value,)).fetchone()
                return row
        return None

    def _execute_statement(self, statement: str, *values: str | float) -> None:
        with self._tolerate_faults("written"):
            database = self._database
            if database is not None:
                database.execute(statement, values)

    @contextlib.contextmanager
    def _tolerate_faults(self, use: str) -> Iterator[None]:
        """After a first fault the database is left alone, and the run goes on in memory."""
        try:
            yield
        except sqlite3.Error as error:
            # One warning, not one for each of a thousand questions.
            self.close()
            self._warn(f"the verdict cache cannot be {use}, going on without it: {error}")
            if _is_damage(error) and self._path is not None:
                with contextlib.suppress(OSError):
                    _set_aside(self._path)

    def close(self) -> None:
        """Let go of the file; what is known in memory stays."""
        self._is_usable = False
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


@contextlib.contextmanager
def open_verdicts(path: Path | None, warn: Callable[[str], None]) -> Iterator[Verdicts]:
    """The verdicts kept in ``path``, which is made when missing; None keeps them in memory only.

    ``warn`` gets one line about what keeps the cache from being used. Raises nothing.
    """
    verdicts = Verdicts(path, warn)
    try:
        yield verdicts
    finally:
        verdicts.close()


def _open_database(path: Path, warn: Callable[[str], None]) -> sqlite3.Connection | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _connect_database(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            aside = _set_aside(path)
            warn(f"the verdict cache is unreadable ({error}) and was moved to '{aside}'")
            return _connect_database(path)
    except (sqlite3.Error, OSError) as error:
        warn(f"the verdict cache '{path}' cannot be used, going on without it: {error}")
        return None


def _is_damage(error: sqlite3.Error) -> bool:
    """Damage stays; what is operational (a lock, a full disk) passes by itself."""
    return type(error) is sqlite3.DatabaseError


def _connect_database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        begin_write_ahead(database, _PATIENCE)
        # A power cut may lose the last verdicts, never the file: they are asked for again.
        database.execute("PRAGMA synchronous=NORMAL")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        # 0 is a file that was just made.
        if version not in (0, _SCHEMA):
            raise sqlite3.DatabaseError(f"schema version {version}, not {_SCHEMA}")
        database.executescript(_TABLES)
        database.execute(f"PRAGMA user_version={_SCHEMA}")
        # Damage beyond the header shows here, while the file can still be set aside.
        database.execute("SELECT count(*) FROM passes").fetchone()
    except BaseException:
        database.close()
        raise
    return database


def _set_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.name}.damaged")
    os.replace(path, aside)  # noqa: PTH105
    # They belong to the damaged file, and SQLite would read them into the new one.
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside
