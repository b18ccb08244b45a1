"""Packs that no ref needs yet, and that nobody may drop all the same.

``git repack -a -d`` drops what no ref reaches, unless a file ``.keep`` lies beside the pack. git's
own fetch has one until its refs have moved, and so have we. Whoever made it holds it locked: what a
killed run left is told by that, and removed by the next one.
"""

import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import NamedTuple

_TEXT = b"git-retcon\n"
_LONGEST_WAIT = 0.5  # seconds; to remove what was left takes less
_NOBODY = -1


class KeptPack(NamedTuple):
    """A pack that is kept until ``release``; ``handle`` is that of the file that says so."""

    path: Path
    handle: int

    def release(self) -> None:
        """Let git do with the pack what it does with any."""
        if self.handle != _NOBODY:
            with contextlib.suppress(OSError):
                self.path.with_suffix(".keep").unlink()
            os.close(self.handle)


def keep_pack(pack: Path) -> KeptPack:
    """Keep a pack that is about to be written. Where somebody else keeps one of this name, which
    has the same objects, it stays theirs. Raises OSError.
    """
    deadline = time.monotonic() + _LONGEST_WAIT
    name = pack.with_suffix(".keep")
    while True:
        handle = _make(name)
        if handle == _NOBODY:
            try:
                handle = os.open(name, os.O_RDONLY)
            except PermissionError:  # ours can be read
                return KeptPack(pack, _NOBODY)
            except FileNotFoundError:
                pass
        if handle != _NOBODY:
            # An empty one is a person's, made by "touch".
            is_ours = os.pread(handle, len(_TEXT) + 1, 0) == _TEXT
            if is_ours and _lock(handle) and _is_there(name, handle):
                return KeptPack(pack, handle)
            os.close(handle)
            if not is_ours:
                return KeptPack(pack, _NOBODY)
        if time.monotonic() >= deadline:
            return KeptPack(pack, _NOBODY)
        time.sleep(0.01)


def _make(name: Path) -> int:
    """Make the file; ``_NOBODY`` where it is there."""
    try:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o444)
    except FileExistsError:
        return _NOBODY
    try:
        _lock(handle)
        os.write(handle, _TEXT)
    except OSError:
        name.unlink(missing_ok=True)
        os.close(handle)
        raise
    return handle


def release_dead_packs(folder: Path) -> None:
    """Remove what killed runs left in a folder of packs: their ``.keep`` files, and each pack among
    them that has no index yet, so that nobody has read it.
    """
    for name in folder.glob("pack-*.keep"):
        with contextlib.suppress(OSError):
            handle = os.open(name, os.O_RDONLY)
            try:
                is_left = os.pread(handle, len(_TEXT) + 1, 0) == _TEXT and _lock(handle)
                if is_left and _is_there(name, handle):
                    if not name.with_suffix(".idx").exists():
                        name.with_suffix(".pack").unlink(missing_ok=True)
                    name.unlink()
            finally:
                os.close(handle)


def _lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_there(name: Path, handle: int) -> bool:
    """Whether the file that was locked still has its name."""
    try:
        return os.path.samestat(name.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
