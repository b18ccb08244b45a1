"""Ending a process with everything it started."""

import os
import signal
import subprocess
import time
from collections.abc import Callable

from git_retcon.run.process_table import read_processes

GRACE = 2.0  # seconds between asking a group to end and ending it
_TICK = 0.01


def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether the process has ended. It is left unreaped where the system allows (Linux), so
    that its number stays its group's and cannot become a stranger's.
    """
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return process.returncode is not None or os.waitid(os.P_PID, process.pid, flags) is not None


def end_group(
    process: "subprocess.Popen[bytes]",
    grace: float = GRACE,
    hurried: Callable[[], bool] = lambda: False,
) -> None:
    """End the group that ``process`` leads, politely and then not, and reap its leader.

    ``hurried`` is asked again and again; yes, like being interrupted, ends the politeness only.
    """
    try:
        if _signal_group(process.pid, signal.SIGTERM):
            deadline = time.monotonic() + grace
            while _is_alive(process.pid) and time.monotonic() < deadline and not hurried():
                time.sleep(_TICK)
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        process.wait()


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to a whole group; False when there is nobody left in it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses where all that is left is dead
        return False
    return True


def _is_alive(group: int) -> bool:
    """Whether a group has a member that is more than dead and unreaped."""
    if not _signal_group(group, 0):
        return False
    # The leader is not reaped yet, and in a container whose first process reaps nobody, the dead
    # stay members for ever.
    members = [each for each in read_processes().values() if each.group == group]
    return not members or any(not each.is_dead for each in members)
