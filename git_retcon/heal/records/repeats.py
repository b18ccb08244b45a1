"""Checks that ran nothing and found no fault, in a text file until somebody reads the records.

Such a check only repeats what an earlier one said, and is to cost next to nothing: loading SQLite
and writing to it would be a tenth of it. Each line is an object of JSON. ``runs.settle_runs`` takes
the lines into the database. A line that is lost costs a row of a list.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_NAME = "repeats"
_LONGEST = 1 << 20  # bytes of the file: nobody reads the records here


def database_path(common_dir: Path) -> Path:
    """Where the database of a repository is."""
    return common_dir / "heal" / "heal.db"


def append_repeat(database: Path, repeat: Mapping[str, object]) -> bool:
    """Write a line beside a database; False where there is none, or it cannot be written."""
    path = database.with_name(_NAME)
    line = json.dumps(repeat).encode() + b"\n"
    try:
        if not database.exists() or (path.exists() and path.stat().st_size > _LONGEST):
            return False
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            return os.write(handle, line) == len(line)
        finally:
            os.close(handle)
    except OSError:
        return False


def take_repeats(database: Path) -> Iterator[Mapping[str, object]]:
    """The lines beside a database, the first one first; they are gone then."""
    path = database.with_name(_NAME)
    taken = path.with_name(f"{_NAME}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.rename(taken)
        lines = taken.read_bytes().splitlines()
        taken.unlink()
        for line in lines:
            with contextlib.suppress(ValueError):
                yield json.loads(line)
