"""Which system calls a confined command is refused, as a filter of seccomp(2).

A refused call fails with EPERM instead of killing the process: more programs go on. The filter is
a program of classic BPF: it sees the number of a call and its arguments, never what they point
to. That is why ``clone3`` and the calls of other architectures (i386 on x86-64) are refused
whole, as unknown; libraries then use ``clone``. 32-bit programs do not run at all.
"""

import ctypes
import enum
import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.run.sandbox.kernel import (
    PR_SET_NO_NEW_PRIVS,
    PR_SET_SECCOMP,
    control_process,
)

_EPERM, _ENOSYS = 1, 38
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_SECCOMP_MODE_FILTER = 2
# Instructions: load a word of seccomp_data; jump if equal, if greater or equal, if a bit is set.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in seccomp_data, of little-endian words
_X32 = 0x40000000  # calls of the x32 ABI are those of x86-64 with this bit

_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW… flag of clone(2)
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # typing into a terminal that others read


class Strength(enum.Enum):
    """What there is beside the filter."""

    WITH_NAMESPACES = "namespaces"
    WITH_LANDLOCK = "landlock"


class _Machine(NamedTuple):
    audit: int  # the kernel's name of the architecture
    calls: dict[str, int]


# From asm/unistd_64.h (x86-64) and asm-generic/unistd.h (aarch64); what is above 423 is the same.
_SHARED = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
}
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        {
            "ioctl": 16,
            "socket": 41,
            "socketpair": 53,
            "clone": 56,
            "ptrace": 101,
            "pivot_root": 155,
            "mount": 165,
            "umount2": 166,
            "init_module": 175,
            "delete_module": 176,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "prlimit64": 302,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "finit_module": 313,
            "bpf": 321,
        },
    ),
    "aarch64": _Machine(
        0xC00000B7,
        {
            "ioctl": 29,
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "unshare": 97,
            "init_module": 105,
            "delete_module": 106,
            "ptrace": 117,
            "socket": 198,
            "socketpair": 199,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "clone": 220,
            "perf_event_open": 241,
            "prlimit64": 261,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "finit_module": 273,
            "bpf": 280,
        },
    ),
}

_REFUSED = (
    *("keyctl", "add_key", "request_key"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("init_module", "finit_module", "delete_module", "bpf", "perf_event_open"),
)
# Namespaces hold these by themselves, and the ptrace of own children works there.
_REFUSED_WITHOUT_NAMESPACES = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"),
    *("mount", "umount2", "pivot_root", "open_tree", "move_mount", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "setns", "unshare"),
)
_FAMILIES = {
    # Of netlink, a namespace of its own holds what matters, and tools list interfaces by it.
    Strength.WITH_NAMESPACES: (_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK),
    Strength.WITH_LANDLOCK: (_AF_UNIX,),
}


class _Instruction(NamedTuple):
    code: int
    value: int
    if_true: int = 0
    if_false: int = 0


def is_known(machine: str = "") -> bool:
    """Whether there is a filter for a machine, as uname(2) names it; default: this one."""
    return (machine or os.uname().machine) in _MACHINES


def compile_filter(strength: Strength, machine: str = "") -> bytes:
    """The filter, as an array of ``struct sock_filter``. KeyError for an unknown machine."""
    known = _MACHINES[machine or os.uname().machine]
    return b"".join(
        struct.pack("<HBBI", each.code, each.if_true, each.if_false, each.value)
        for each in _make_program(strength, known)
    )


def install_filter(strength: Strength) -> None:
    """Put this process and all that it starts under the filter, for good. Raises OSError."""
    program = compile_filter(strength)
    held = ctypes.create_string_buffer(program, len(program))

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    whole = _Program(len(program) // 8, ctypes.addressof(held))
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    control_process(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole))


def _make_program(strength: Strength, machine: _Machine) -> Iterator[_Instruction]:
    calls = {**_SHARED, **machine.calls}
    yield _Instruction(_LOAD, _ARCHITECTURE)
    yield from _refuse_unless(_IF_EQUAL, machine.audit, _ENOSYS)
    yield _Instruction(_LOAD, _NUMBER)
    yield from _refuse_when(_IF_AT_LEAST, _X32, _ENOSYS)
    refused = [*_REFUSED]
    if strength is Strength.WITH_LANDLOCK:
        refused += _REFUSED_WITHOUT_NAMESPACES
        yield from _refuse_when(_IF_EQUAL, calls["clone3"], _ENOSYS)
    for name in refused:
        yield from _refuse_when(_IF_EQUAL, calls[name], _EPERM)
    for name in ("socket", "socketpair"):
        yield from _only_these(calls[name], _FAMILIES[strength])
    yield from _none_of(calls["ioctl"], _IF_EQUAL, 1, (_TIOCSTI, _TIOCLINUX))
    if strength is Strength.WITH_LANDLOCK:
        # Its own limits alone: another process of the user's could be ended by them.
        yield from _only_these(calls["prlimit64"], (0,))
        yield from _none_of(calls["clone"], _IF_ANY, 0, (_NEW_NAMESPACES,))
    yield _Instruction(_RETURN, _ALLOW)


def _refuse_when(test: int, value: int, error: int) -> Iterator[_Instruction]:
    yield _Instruction(test, value, 0, 1)
    yield _Instruction(_RETURN, _ERRNO | error)


def _refuse_unless(test: int, value: int, error: int) -> Iterator[_Instruction]:
    yield _Instruction(test, value, 1, 0)
    yield _Instruction(_RETURN, _ERRNO | error)


def _only_these(call: int, allowed: tuple[int, ...]) -> Iterator[_Instruction]:
    """Refuse a call whose first argument is none of these; go on behind any other call."""
    yield _Instruction(_IF_EQUAL, call, 0, len(allowed) + 3)
    yield _Instruction(_LOAD, _ARGUMENTS)
    for index, value in enumerate(allowed):
        yield _Instruction(_IF_EQUAL, value, len(allowed) - index, 0)
    yield _Instruction(_RETURN, _ERRNO | _EPERM)
    yield _Instruction(_RETURN, _ALLOW)


def _none_of(
    call: int, test: int, argument: int, refused: tuple[int, ...]
) -> Iterator[_Instruction]:
    """Refuse a call whose argument meets one of these tests; go on behind any other call."""
    yield _Instruction(_IF_EQUAL, call, 0, 2 * len(refused) + 2)
    yield _Instruction(_LOAD, _ARGUMENTS + 8 * argument)
    for value in refused:
        yield from _refuse_when(test, value, _EPERM)
    yield _Instruction(_RETURN, _ALLOW)
