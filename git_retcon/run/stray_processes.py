"""Processes that a killed run left behind in a worktree.

Every command carries the worktree's path in its environment, which its children inherit, even
those that leave its process group. Where the system shows environments (Linux), they are found.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "GIT_RETCON_WORKTREE"
_GRACE = 2.0  # seconds
_TICK = 0.02
_PROC = "/proc"


def make_mark(root: Path) -> bytes:
    """The line in the environment of each command that runs in a worktree."""
    return f"{MARK}={root}".encode("utf-8", "surrogateescape")


def end_strays(root: Path) -> int:
    """End every process started in the worktree ``root``; how many there were.

    To be called by the process that holds the worktree, while no command runs in it.
    """
    mark = make_mark(root)
    asked: set[int] = set()
    patience = time.monotonic() + _GRACE
    last = patience + _GRACE
    unseen = 0
    # A process in the middle of exec shows no environment, so one empty look proves nothing.
    while unseen < 2 and time.monotonic() < last:
        living = set(_find_marked(mark))
        if not living and not asked:
            break
        unseen = 0 if living else unseen + 1
        # First asked to end, so that servers can remove their sockets and locks.
        if time.monotonic() < patience:
            _signal_processes(living - asked, signal.SIGTERM)
        else:
            _signal_processes(living, signal.SIGKILL)
        asked |= living
        time.sleep(_TICK)
    return len(asked)


def _signal_processes(processes: set[int], number: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _find_marked(mark: bytes) -> Iterator[int]:
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listdir(_PROC)  # noqa: PTH208
    for name in filter(str.isdecimal, names):
        # A process of another user, or one that ended meanwhile, cannot be read. The dead that
        # nobody reaped have an empty environment.
        with contextlib.suppress(OSError):
            # Every process is read before every job; by ``Path`` that takes twice as long.
            with open(f"{_PROC}/{name}/environ", "rb", buffering=0) as file:  # noqa: PTH123
                environment = file.read()
            if mark in environment and mark in environment.split(b"\0") and not _is_ours(name):
                yield int(name)


def _is_ours(process: str) -> bool:
    return int(process) in (os.getpid(), os.getppid())
