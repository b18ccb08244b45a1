"""Temporary folders that outlive nobody: what a killed process left, the next one removes."""

import contextlib
import fcntl
import functools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from git_retcon.run.removal import remove

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def open_temporary(kind: str, *, outlives_us: bool = False) -> Iterator[Path]:
    """A fresh folder of the user's own in TMPDIR, under its real name, for the length of the block.

    Its name begins with ``kind``, which no other program's files may do: those of killed processes
    are found by it. Where it ``outlives_us``, a child that gets every descriptor still uses it when
    this process is killed.
    """
    _remove_abandoned(kind, tempfile.gettempdir(), os.getpid())
    folder, lock = _make_locked(kind)
    os.set_inheritable(lock, outlives_us)
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            remove(folder)
        os.close(lock)


def _make_locked(kind: str) -> tuple[Path, int]:
    """A folder and the descriptor of its lock, which ends with the process."""
    while True:
        folder = Path(os.path.realpath(tempfile.mkdtemp(prefix=kind)))
        try:
            lock = os.open(folder, _FLAGS)
        except FileNotFoundError:
            continue
        with contextlib.suppress(OSError):  # without locks, nobody else removes it either
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Until it was locked, it looked as if its maker were dead.
        if folder.exists():
            return folder, lock
        os.close(lock)


# Once in each process, a fork of another included: a run opens many, and a full TMPDIR takes long
# to list.
@functools.cache
def _remove_abandoned(kind: str, top: str, process: int) -> None:
    with contextlib.suppress(OSError), os.scandir(top) as entries:
        for path in [entry.path for entry in entries if entry.name.startswith(kind)]:
            with contextlib.suppress(OSError):
                _remove_unless_locked(path)


def _remove_unless_locked(path: str) -> None:
    lock = os.open(path, _FLAGS)
    try:
        if os.fstat(lock).st_uid == os.geteuid():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(Path(path))
    finally:
        os.close(lock)
