"""Ending a process with everything it started."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

GRACE = 2.0  # seconds between asking a group to end and ending it
_TICK = 0.01
_PROC = Path("/proc")


def end_group(process: "subprocess.Popen[bytes]", grace: float = GRACE) -> None:
    """End the group that ``process`` leads, politely and then not, and reap its leader."""
    if _signalled(process.pid, signal.SIGTERM):
        deadline = time.monotonic() + grace
        process.poll()
        while _lives(process.pid) and time.monotonic() < deadline:
            time.sleep(_TICK)
            process.poll()
        _signalled(process.pid, signal.SIGKILL)
    process.wait()


def _signalled(group: int, number: int) -> bool:
    """Send a signal to a whole group; False when there is nobody left in it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses where all that is left is dead
        return False
    return True


def _lives(group: int) -> bool:
    """Whether a group has a member that is not merely waiting to be reaped."""
    if not _signalled(group, 0):
        return False
    # In a container whose first process reaps nobody, the dead stay members for ever.
    members = _members(group)
    return not members or any(state not in (b"Z", b"X") for state in members)


def _members(group: int) -> "list[bytes]":
    """The states of a group's processes, where the system tells (Linux)."""
    found = []
    for entry in _PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            state, _, its_group = entry.read_bytes().rpartition(b")")[2].split()[:3]
            if int(its_group) == group:
                found.append(state)
    return found
