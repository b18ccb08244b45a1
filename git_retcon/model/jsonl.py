"""Files of JSON lines that several processes append to, and that survive being cut off.

A record is one write under a lock, whole or not at all; what a kill or a full disk left half
written is passed over by readers and never joined with what comes after it.
"""

import errno
import fcntl
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from git_retcon.lazy_dataclass import dataclass

# Seconds to wait for another process to finish its line.
_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Lines:
    """What a file holds; ``broken`` counts lines that are no records."""

    records: tuple[Mapping[str, Any], ...]
    broken: int = 0


def append(path: Path, record: Mapping[str, Any]) -> None:
    """Add a record at the end, on the disk when this returns.

    Raises OSError where it cannot; the file is then as before.
    """
    line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Readable as well as writable: whether the last line is whole has to be seen first.
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        _lock_file(handle)
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            # A killed process left half a line; without this, ours would be joined to it and lost.
            line = b"\n" + line
        try:
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        except OSError:
            # A full disk may take a part of the line, which would be half a record.
            os.ftruncate(handle, size)
            raise
    finally:
        os.close(handle)


def read(path: Path) -> Lines:
    """Every record of a file. Raises OSError where it cannot be read."""
    records, broken = [], 0
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        record = _read_record(line)
        if record is None:
            broken += 1
        else:
            records.append(record)
    return Lines(tuple(records), broken)


def _read_record(line: bytes) -> Mapping[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _lock_file(handle: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
