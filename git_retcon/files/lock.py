"""One process at a time: a lock that ends with its process and names who holds it."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal, Reason

# The file is emptied and written: behind a link that could be any file of the user's.
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_LONGEST_START, _PAUSE = 1.0, 0.01  # seconds


@contextlib.contextmanager
def hold_lock(path: Path, purpose: str) -> Iterator[None]:
    """Hold ``path`` (made when missing) for the length of the block.

    ``purpose`` completes "another process is ...", so it must be true of everyone who takes this
    lock. Raises Fatal naming the holder's process id
    when it is taken, or when it cannot be made; nobody who lives is waited for.
    """
    handle = _take_lock(path, purpose)
    try:
        yield
    finally:
        os.close(handle)


def _take_lock(path: Path, purpose: str) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, _FLAGS, 0o666)
    except OSError as error:
        raise _lock_error(path, error) from error
    try:
        _wait_for_dead(handle)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # After the lock is taken: until then the number in it is the holder's.
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError as error:
        # It may be between its lock and its writing.
        holder = _read_holder(handle) or "unknown"
        os.close(handle)
        raise Fatal(
            f"another process is {purpose} (pid {holder})",
            hint="wait for it to end, or end it, then run the same command again",
            reason=Reason.LOCKED,
        ) from error
    except OSError as error:
        os.close(handle)
        raise _lock_error(path, error) from error
    return handle


def _wait_for_dead(handle: int) -> None:
    """Wait while a process that was killed has the lock by a child that it had just forked: until
    the child runs its program, all that was open is open in it too.
    """
    end = time.monotonic() + _LONGEST_START
    while time.monotonic() < end:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not _is_dead(_read_holder(handle)):
                return
            time.sleep(_PAUSE)
        else:
            return


def _is_dead(holder: str) -> bool:
    try:
        os.kill(int(holder), 0)
    except (ValueError, OverflowError, PermissionError):
        return False
    except ProcessLookupError:
        return True
    return False


def _read_holder(handle: int) -> str:
    return os.pread(handle, 64, 0).decode("ascii", "replace").strip()


def _lock_error(path: Path, error: OSError) -> Fatal:
    return Fatal(
        f"cannot lock '{path}': {error.strerror or error}",
        hint="free some space or fix its permissions, then run the same command again",
        again=(),
    )
