"""Processes that left their command's group, cleared their environment and outlived their parents.

They would belong to the first process of the machine then. While a command runs, this process is
the one that orphans are handed to (``PR_SET_CHILD_SUBREAPER``, Linux): so they are its own
children, and are found in any case. Elsewhere, none is found.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.run.process_table import (
    Process,
    descendants,
    list_children,
    read_process,
    read_processes,
)

if TYPE_CHECKING:
    import subprocess

    Popen = subprocess.Popen[bytes]

_PATIENCE = 5.0  # seconds for the last of them to be gone
_TICK = 0.01

_lock = threading.Lock()
# The leaders of the commands that run now, with what marks the environments of each.
_running: dict[int, bytes] = {}
# Marks of jobs that another thread holds open: what their commands left running is theirs.
_kept: list[bytes] = []
# Processes of ours in sessions of their own that are no commands.
_helpers: set[int] = set()


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """While this lasts, what a command leaves behind becomes a child of this process."""
    with _lock:
        _count_adopters(1)
    try:
        yield
    finally:
        with _lock:
            _count_adopters(-1)


_adopters = 0
_adopts = False  # whether orphans do come to us


def _count_adopters(change: int) -> None:
    global _adopters, _adopts
    before, _adopters = _adopters, _adopters + change
    if bool(before) != bool(_adopters):
        _adopts = _set_subreaper(bool(_adopters)) and bool(_adopters)


def _set_subreaper(whether: bool) -> bool:
    """Whether the system did so."""
    if sys.platform.startswith("linux"):
        from git_retcon.run.sandbox.kernel import PR_SET_CHILD_SUBREAPER, control_process

        # Where a sandbox of ours forbids it, the process group and the marks still find most.
        with contextlib.suppress(OSError):
            control_process(PR_SET_CHILD_SUBREAPER, int(whether))
            return True
    return False


def start_leader(start: "Callable[[], Popen]", mark: bytes) -> "Popen":
    """Start a command whose first process ``register_leader`` gets.

    No thread that looks for orphans meanwhile finds the process before it is known for a command.
    """
    with _lock:
        process = start()
        _running[process.pid] = mark
    return process


@contextlib.contextmanager
def hold_helper(start: "Callable[[], Popen]") -> "Iterator[Popen]":
    """A process of ours that is no orphan, though it leads a session and no command."""
    with _lock:
        process = start()
        _helpers.add(process.pid)
    try:
        yield process
    finally:
        with _lock:
            _helpers.discard(process.pid)


@contextlib.contextmanager
def keep_marked(mark: bytes) -> Iterator[None]:
    """While this lasts, what bears a mark in its environment is no orphan of commands with another
    mark.
    """
    with _lock:
        _kept.append(mark)
    try:
        yield
    finally:
        with _lock:
            _kept.remove(mark)


@contextlib.contextmanager
def register_leader(pid: int, mark: bytes) -> Iterator[Process | None]:
    """While a command runs whose first process is ``pid``; that process as it was seen.

    ``mark`` is a line of its environment that no other command's has, or empty.
    """
    with _lock:
        _running[pid] = mark
    try:
        yield read_process(pid)
    finally:
        with _lock:
            _running.pop(pid, None)


def may_have_left(leader: Process | None) -> bool:
    """Whether a command that has ended may have left anything: in its group or out of it.

    All that it started descends from children of ours by then: to look at those takes a hundredth
    of the time of a look at every process. To be called while ``adopting_orphans`` lasts.
    """
    with _lock:
        is_alone = len(_running) == 1
    # Where another thread reaps a child meanwhile, the system may leave one out of the list.
    children = list_children() if _adopts and is_alone else None
    if leader is None or children is None:
        return True
    found = (read_process(pid) for pid in children - {leader.pid})
    return any(each is not None and _is_left_by(leader, each) for each in found)


def end_orphans(leader: Process | None) -> None:
    """End what an ended command left behind, at once: it had its time to tidy up.

    To be called while ``register_leader`` still holds. Does not wait longer than a few seconds.
    """
    until = time.monotonic() + _PATIENCE
    while leader is not None and time.monotonic() < until:
        processes = read_processes()
        roots = {each.pid for each in processes.values() if _is_left_by(leader, each)}
        if not roots:
            return
        # With all that they started: killing a parent alone makes new orphans in the next look.
        for pid in descendants(roots, processes):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        # We are their parent now; unreaped they would show as living in the next look.
        _reap_processes(roots)
        time.sleep(_TICK)


def find_orphans(leader: Process, processes: Mapping[int, Process]) -> set[int]:
    """Those of the processes that this command left behind and that live, without what these
    started.

    To be called while ``adopting_orphans`` lasts.
    """
    living = (each for each in processes.values() if not each.is_dead)
    return {each.pid for each in living if _is_left_by(leader, each)}


def reap_orphans(leader: Process) -> None:
    """Let go of the orphans that have ended since, of this command and of later ones."""
    dead = (each for each in read_processes().values() if each.is_dead)
    _reap_processes({each.pid for each in dead if _is_left_by(leader, each)})


def _is_left_by(leader: Process, process: Process) -> bool:
    """Whether a child of ours is an orphan of this command.

    Other children of ours are of our session, where no orphan can get to, or were there before,
    or are commands themselves.
    """
    if process.parent != os.getpid() or process.session == os.getsid(0):
        return False
    # Older than the command: a child of ours from before it began.
    if process.start < leader.start:
        return False
    with _lock:
        running: Mapping[int, bytes] = dict(_running)
        known = {*running, *_helpers}
        kept = set(_kept)
    others = {mark for pid, mark in running.items() if mark and pid != leader.pid}
    marks = others | (kept - {running.get(leader.pid)})
    return process.pid not in known and not (marks and _has_one(process.pid, marks))


def _has_one(pid: int, marks: set[bytes]) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return not marks.isdisjoint(environment.split(b"\0"))


def _reap_processes(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
