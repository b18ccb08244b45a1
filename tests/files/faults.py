"""Kills a process before one of its changes to the disk, or lets the disk refuse one."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_EVENTS = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"})
_PROGRAM = "subprocess.Popen"  # git changes the disk too, between two of our own changes
_FAILED = 3  # the exit status of an action that raised


class Fault(Enum):
    """What happens at a change to the disk."""

    KILL = "kill"
    TORN_KILL = "killed when half of a write is done"
    REFUSED = "no space left, once"
    FULL = "no space left, from then on, for everything that needs space"


class _Injector:
    """Counts changes to the disk, and lets one with a given number fail."""

    def __init__(self, at: int | None, fault: Fault) -> None:
        self.count = 0
        self._at = at
        self._fault = fault

    def install(self) -> None:
        sys.addaudithook(self._see)
        write = os.write

        def watched_write(handle: int, data: Any) -> int:
            if self.count + 1 == self._at and self._fault is Fault.TORN_KILL:
                write(handle, bytes(data)[: len(data) // 2])
            self._step(needs_space=True)
            return write(handle, data)

        def watched_sync(handle: Any) -> None:
            # Nothing is synced: a kill, unlike a power cut, loses nothing that was written.
            self._step(needs_space=False)

        os.write, os.fsync = watched_write, watched_sync  # type: ignore[assignment]

    def _see(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and (arguments[2] or 0) & _WRITING:
            self._step(needs_space=True)
        elif event in _EVENTS or event == _PROGRAM:
            self._step(needs_space=event == "os.mkdir")

    def _step(self, *, needs_space: bool) -> None:
        self.count += 1
        if self._at is None or self.count < self._at:
            return
        if self.count == self._at and self._fault in (Fault.KILL, Fault.TORN_KILL):
            os.kill(os.getpid(), signal.SIGKILL)
        is_refused = self._fault is Fault.REFUSED and self.count == self._at
        if is_refused or (self._fault is Fault.FULL and needs_space):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def in_child(
    action: Callable[[], None],
    at: int | None,
    fault: Fault = Fault.KILL,
    allowed: tuple[type[BaseException], ...] = (),
) -> tuple[bool, int]:
    """Do something in a fork, with a fault at its ``at``-th change; whether it ended without an
    error, and how many changes it made. Errors that are not allowed fail the caller.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        injector = _Injector(at, fault)
        say = os.write
        injector.install()
        status = 0
        try:
            action()
        except allowed:
            status = 1
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(_FAILED)
        say(writing, str(injector.count).encode())
        os._exit(status)
    os.close(writing)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = os.read(reading, 64)
    os.close(reading)
    if status == _FAILED:
        raise AssertionError("it failed, see above")
    return status == 0, int(said or b"0")
