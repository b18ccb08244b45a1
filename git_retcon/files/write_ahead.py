"""SQLite's write-ahead log, which lets readers go on while another process writes."""

import sqlite3
import time

_TICK = 0.05  # seconds


def begin_write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Switch a database to it, waiting up to ``patience`` seconds for other processes.

    Raises sqlite3.Error where that cannot be.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself while another process switches the same file.
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= deadline:
                raise
            time.sleep(_TICK)
        else:
            return
