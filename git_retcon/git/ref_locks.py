"""The locks on refs that a killed git of ours leaves behind.

git locks a ref by making ``REF.lock`` with the new id in it. A git that is killed with SIGKILL
between that and the move leaves the file, and then nobody can move the ref. So each transaction is
recorded before it begins: a file below ``<common dir>/retcon/moves`` that says which refs go where.

Our process and its git both hold that file locked (``flock``, inherited by the git). The system
lets go of it when both have ended, no matter what ended them, so no process id has to be trusted.
"""

import contextlib
import fcntl
import math
import os
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

Say = Callable[[str], None]

# git itself waits for a lock (core.filesRefLockTimeout), but only for 0.1 s by default.
LONGEST_WAIT = 5.0  # seconds
_SILENT_WAIT = 1.0  # seconds; a longer one is said
_PAUSE = 0.02  # seconds
# git makes a lock and writes the id into it in the same breath: one that stays empty for this long
# has no git that would write, and one that was made this soon after a record was made for it.
_STAYS_EMPTY = 1.0  # seconds
_SOON = 2.0  # seconds
# A kill may leave half a record behind; then nothing is certain.
_END = "end"
_LARGEST = 1 << 20  # bytes


class MoveRecord:
    """What one git process is about to move. ``handle`` is a file that it has to inherit.

    Where no record can be made, moves are made without one: a full disk, say, is git's to report.
    """

    def __init__(self, common_dir: Path) -> None:
        self._common_dir = common_dir
        self._path: Path | None = None
        self.handle: int | None = None
        with contextlib.suppress(OSError):
            self._open_record(_find_folder(common_dir))

    def write(self, news: Mapping[str, str]) -> None:
        """Record that these refs, by full name, go to these ids (zeros: they are deleted)."""
        if self.handle is not None:
            with contextlib.suppress(OSError):
                os.pwrite(self.handle, _format_record(os.getpid(), news), 0)

    def clear(self) -> None:
        """All of them have moved."""
        if self.handle is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self.handle, 0)

    def close(self) -> list[str]:
        """Remove the record once its git has ended, and the locks that git left.

        Returns the refs whose locks were removed.
        """
        if self.handle is None or self._path is None:
            return []
        handle, self.handle = self.handle, None
        return _settle_record(self._common_dir, self._path, handle)

    def _open_record(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # Of this process or, in a container, of another with the same id.
        for number in range(1000):
            path = folder / f"{os.getpid()}-{number}"
            handle = _try_open(path, os.O_CREAT | os.O_EXCL)
            if handle is not None:
                self._path, self.handle = path, handle
                return


def release_dead_locks(common_dir: Path) -> list[str]:
    """Remove the locks that killed gits of ours left; the refs they were on.

    A lock goes only if a record names its ref, no process holds that record, and the lock holds
    the very id that the record says, or was made right after the record and stays empty. Everything
    else is somebody else's.
    """
    released = []
    for path in _list_records(common_dir):
        # Another user's record in a shared repository is not ours to read.
        with contextlib.suppress(OSError):
            handle = _try_open(path)
            if handle is not None:
                released += _settle_record(common_dir, path, handle)
    return released


def wait_for_orphans(common_dir: Path, say: Say) -> None:
    """Wait until gits whose command was killed have ended, but not for long: they may yet move
    what they have locked.
    """
    orphans = [path for path in _list_records(common_dir) if _is_orphaned(path)]
    if orphans:
        wait_while(
            lambda: any(_is_orphaned(path) for path in orphans),
            time.monotonic() + LONGEST_WAIT,
            lambda: say("waiting for the git process that a killed run left"),
        )


def wait_while(lasts: Callable[[], bool], deadline: float, say: Callable[[], None]) -> bool:
    """Wait for something to end; False if it still lasts at the deadline.

    ``say`` is called once, where it takes longer than a person waits without wondering.
    """
    said_at = time.monotonic() + _SILENT_WAIT
    while lasts():
        now = time.monotonic()
        if now >= said_at:
            said_at = math.inf
            say()
        if now >= deadline:
            return False
        time.sleep(_PAUSE)
    return True


def _find_folder(common_dir: Path) -> Path:
    return common_dir / "retcon" / "moves"


def _list_records(common_dir: Path) -> list[Path]:
    try:
        return sorted(_find_folder(common_dir).iterdir())
    except OSError:
        return []


def _try_open(path: Path, flags: int = 0) -> int | None:
    """Open a record and lock it; None where another process holds it, or has removed it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o666)
    except (FileExistsError, FileNotFoundError):
        return None
    try:
        # It may have been settled, and removed, before the lock was ours.
        if _try_lock(handle) and os.path.samestat(os.fstat(handle), path.lstat()):
            return handle
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _settle_record(common_dir: Path, path: Path, handle: int) -> list[str]:
    """Release what a record of dead processes names, and remove the record."""
    released = []
    try:
        _, news = _parse_record(os.pread(handle, _LARGEST, 0))
        written = os.fstat(handle).st_mtime
        locks = {name: _Lock(_find_lock(common_dir, name), new, written)
                 for name, new in news.items()}  # fmt: skip
        released = [name for name, lock in locks.items() if _release_lock(lock)]
        # Whose an empty lock is shows when it is a little older.
        if not any(_is_open(lock) for lock in locks.values()):
            path.unlink(missing_ok=True)
    except OSError:
        pass  # the next run tries again
    finally:
        os.close(handle)
    return released


class _Lock(NamedTuple):
    """The lock on a ref that a record sends to ``new``; ``written`` is the time of the record."""

    path: Path
    new: str
    written: float


def _find_lock(common_dir: Path, name: str) -> Path:
    return Path(os.fsdecode(os.fsencode(common_dir) + b"/" + _encode_text(name) + b".lock"))


def _release_lock(lock: _Lock) -> bool:
    """Remove a lock if it is that of the record; whether it was."""
    try:
        if lock.path.is_symlink():
            return False
        is_written = lock.path.read_bytes() == lock.new.encode() + b"\n"
        # To delete a ref git makes an empty lock, so zeros in one are nobody's.
        is_ours = is_written and bool(lock.new.strip("0"))
        if not is_ours and not (_was_made_empty(lock) and not _is_open(lock)):
            return False
        lock.path.unlink()
    except OSError:
        return False
    return True


def _was_made_empty(lock: _Lock) -> bool:
    """Whether a lock is empty, and was made when the git of the record would make it."""
    found = lock.path.lstat()
    # Times of files are coarser than those of the clock that wrote the record.
    is_soon = lock.written - 0.1 <= found.st_mtime <= lock.written + _SOON
    return stat.S_ISREG(found.st_mode) and found.st_size == 0 and is_soon


def _is_open(lock: _Lock) -> bool:
    """Whether an empty lock is so young that some git may be about to write into it."""
    try:
        return _was_made_empty(lock) and time.time() - lock.path.lstat().st_mtime < _STAYS_EMPTY
    except OSError:
        return False


def _is_orphaned(path: Path) -> bool:
    """Whether a git is in the middle of a move, and the command that started it has ended."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        owner, news = _parse_record(os.pread(handle, _LARGEST, 0))
        return bool(news) and not _is_alive(owner) and not _try_lock(handle)
    except OSError:
        return False
    finally:
        os.close(handle)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it is another user's
    return True


def _format_record(pid: int, news: Mapping[str, str]) -> bytes:
    lines = [str(pid), *(f"{new} {name}" for name, new in news.items())]
    return "\n".join([*lines, _END]).encode("utf-8", "surrogateescape")


def _parse_record(content: bytes) -> tuple[int, Mapping[str, str]]:
    """The process that made a record, and what it was about to move: nothing if it is not whole."""
    owner, *lines = content.decode("utf-8", "surrogateescape").split("\n")
    if not lines or lines.pop() != _END or not owner.isdecimal():
        return 0, {}
    pairs = (line.partition(" ") for line in lines)
    return int(owner), {name: new for new, _, name in pairs}


def _encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
