"""Every change that a command and its children make to the disk, met by a fault at one of them.

The kernel is asked, not the program: a seccomp filter hands each system call that writes to a
supervisor before it happens (``seccomp_unotify(2)``), git's and SQLite's as well as ours. Linux
5.5 or newer, on x86-64 and 64-bit ARM.
"""

import array
import contextlib
import ctypes
import enum
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Name → number on x86-64 and on 64-bit ARM; -1: there is none.
_CALLS = {
    "open": (2, -1), "openat": (257, 56), "creat": (85, -1),
    "write": (1, 64), "pwrite64": (18, 68), "writev": (20, 66), "copy_file_range": (326, 285),
    "sendfile": (40, 71), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47),
    "rename": (82, -1), "renameat": (264, 38), "renameat2": (316, 276),
    "unlink": (87, -1), "unlinkat": (263, 35), "rmdir": (84, -1),
    "mkdir": (83, -1), "mkdirat": (258, 34), "link": (86, -1), "linkat": (265, 37),
    "symlink": (88, -1), "symlinkat": (266, 36), "fsync": (74, 82), "fdatasync": (75, 83),
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53),
}  # fmt: skip
_FLAGS_AT = {"open": 1, "openat": 2}  # which argument says whether it writes
_BY_HANDLE = frozenset({"write", "pwrite64", "writev", "ftruncate", "fallocate", "fchmod"})
_NEEDS_SPACE = frozenset(
    {"open", "openat", "creat", "write", "pwrite64", "writev", "copy_file_range", "sendfile",
     "fallocate", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "link", "linkat",
     "symlink", "symlinkat", "fsync", "fdatasync"}
)  # fmt: skip
_VIRTUAL = (b"/dev/", b"/proc/")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_LOAD, _EQUAL, _ANY, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_SET_MODE_FILTER, _NEW_LISTENER = 1, 8
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_RECEIVE, _SEND, _CONTINUE = 0xC0502100, 0xC0182101, 1
_NO_NEW_PRIVS = 38
_PATIENCE = 120_000  # milliseconds without a call


class Fault(enum.Enum):
    """What happens instead of one change to the disk."""

    KILL = "killed"
    FULL = "disk full once"


class Seen(NamedTuple):
    """How a run went: its exit status (negative: a signal), and the calls that it made or tried."""

    status: int
    calls: tuple[str, ...]


def run_watched(action: Callable[[], int], at: int | None, fault: Fault = Fault.KILL) -> Seen:
    """Do something in a fork, and let its ``at``-th change to the disk (from 0) meet a fault.

    A kill ends the fork and the child that made the call. Raises OSError where the kernel has no
    such filter.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    child = os.fork()
    if child == 0:
        ours.close()
        _act(action, theirs)
    theirs.close()
    with ours:
        sent = socket.recv_fds(ours, 1, 1)[1]
    if not sent:
        os.waitpid(child, 0)
        raise OSError("the child did not send its filter's descriptor")
    supervisor = _Supervisor(sent[0], child, at, fault)
    try:
        return Seen(supervisor.watch(), tuple(supervisor.calls))
    finally:
        os.close(sent[0])


def _act(action: Callable[[], int], supervisor: socket.socket) -> None:
    status = 70
    try:
        listener = _install_filter()
        socket.send_fds(supervisor, [b"x"], [listener])
        os.close(listener)
        supervisor.close()
        status = action()
    finally:
        os._exit(status)


class _Supervisor:
    def __init__(self, listener: int, child: int, at: int | None, fault: Fault) -> None:
        self.calls: list[str] = []
        self._listener = listener
        self._child = child
        self._at = at
        self._fault = fault
        machine = list(_AUDIT).index(platform.machine())
        self._names = {numbers[machine]: name for name, numbers in _CALLS.items()}

    def watch(self) -> int:
        """Answer every call until the child and all that it started have ended; its exit status."""
        # Not select(2): it cannot tell a call from the hang-up once all callers are gone.
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        while True:
            happened = dict(poll.poll(_PATIENCE))
            if happened.get(self._listener, 0) & select.POLLIN:
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    self._answer()
            elif self._listener in happened:
                return os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])
            else:
                os.kill(self._child, signal.SIGKILL)
                raise TimeoutError(f"nothing happened for {_PATIENCE // 1000} s")

    def _answer(self) -> None:
        notice = array.array("B", bytes(80))
        try:
            fcntl.ioctl(self._listener, _RECEIVE, notice)
        except OSError as error:
            if error.errno == errno.ENOENT:  # the caller was killed meanwhile
                return
            raise
        identity, pid, _, number = struct.unpack_from("<QIIi", notice)
        arguments = struct.unpack_from("<6Q", notice, 32)
        name = self._names[number]
        refusal = self._judge(name, pid) if _is_on_disk(name, pid, arguments) else 0
        flags = 0 if refusal else _CONTINUE
        answer = array.array("B", struct.pack("<QqiI", identity, 0, -refusal, flags))
        fcntl.ioctl(self._listener, _SEND, answer)

    def _judge(self, name: str, pid: int) -> int:
        """The error that a call fails with; 0 lets it happen."""
        index = len(self.calls)
        self.calls.append(name)
        if index != self._at:
            return 0
        if self._fault is Fault.KILL:
            for each in {pid, self._child}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            return errno.EINTR
        return errno.ENOSPC if name in _NEEDS_SPACE else 0


def needs_space(call: str) -> bool:
    """Whether a full disk can refuse a system call."""
    return call in _NEEDS_SPACE


def _is_on_disk(name: str, pid: int, arguments: Sequence[int]) -> bool:
    """Whether a call is about a file of the disk: no pipe, no device, nothing in /proc."""
    try:
        if name in _BY_HANDLE:
            target = os.fsencode(Path(f"/proc/{pid}/fd/{arguments[0] & 0xFFFFFFFF}").readlink())
            return target.startswith(b"/") and not target.startswith(_VIRTUAL)
        if name in _FLAGS_AT:
            with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
                memory.seek(arguments[_FLAGS_AT[name] - 1])
                return not memory.read(len(b"/proc/")).startswith(_VIRTUAL)
    except OSError:
        return False
    return True


def _install_filter() -> int:
    """Put this process under the filter; the descriptor by which its supervisor hears of calls."""
    machine = platform.machine()
    program = b"".join(_program(machine))

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    held = ctypes.create_string_buffer(program, len(program))
    whole = _Program(len(program) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.syscall.restype = ctypes.c_long
    listener = libc.syscall(_SECCOMP[machine], _SET_MODE_FILTER, _NEW_LISTENER, ctypes.byref(whole))
    if listener < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(listener)


def _program(machine: str) -> list[bytes]:
    which = list(_AUDIT).index(machine)

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("<HBBI", code, if_true, if_false, value)

    lines = [step(_LOAD, 4), step(_EQUAL, _AUDIT[machine], 1, 0), step(_RETURN, _ALLOW)]
    lines.append(step(_LOAD, 0))
    for name, numbers in _CALLS.items():
        if numbers[which] < 0:
            continue
        if name in _FLAGS_AT:
            lines += [
                step(_EQUAL, numbers[which], 0, 4),
                step(_LOAD, 16 + 8 * _FLAGS_AT[name]),
                step(_ANY, _WRITING, 0, 1),
                step(_RETURN, _NOTIFY),
                step(_RETURN, _ALLOW),
            ]
        else:
            lines += [step(_EQUAL, numbers[which], 0, 1), step(_RETURN, _NOTIFY)]
    return [*lines, step(_RETURN, _ALLOW)]
