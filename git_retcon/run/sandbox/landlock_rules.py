"""The rules of Landlock: rights to whole hierarchies, and to nothing else.

The system calls are those of landlock(7); numbers are the same on every architecture.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from git_retcon.run.sandbox.kernel import PR_SET_NO_NEW_PRIVS, control_process, failure, libc

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
CHANGE = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO
CHANGE |= MAKE_SYM | REFER | TRUNCATE
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1 << 0, 1 << 1


class _RulesetAttr(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneathAttr(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def landlock_abi(library: Callable[[], Any] = libc) -> int:
    """The version of Landlock that this kernel has in force; 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        answer: int = library().syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except (OSError, AttributeError):
        return 0
    return max(answer, 0)


def restrict(read: Iterable[str], write: Iterable[str], devices: Iterable[str], abi: int) -> None:
    """Give up everything but these paths, and TCP. Raises OSError when the kernel refuses."""
    handled = (1 << 13) - 1
    handled |= (REFER if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)
    handled |= IOCTL_DEV if abi >= 5 else 0
    attributes = _RulesetAttr(
        handled,
        _BIND_TCP | _CONNECT_TCP if abi >= 4 else 0,
        _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS if abi >= 6 else 0,
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _call_kernel(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    try:
        for access, paths in (
            (READ, read),
            (READ | CHANGE, write),
            (READ_FILE | WRITE_FILE | READ_DIR | IOCTL_DEV, devices),
        ):
            for path in paths:
                _allow_path(ruleset, path, access & handled)
        control_process(PR_SET_NO_NEW_PRIVS, 1)
        _call_kernel(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow_path(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # gone meanwhile, or not ours to see: then there is nothing to allow
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            access &= _OF_FILES
        rule = _PathBeneathAttr(access, place)
        _call_kernel(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(place)


def _call_kernel(number: int, *arguments: Any) -> int:
    answer: int = libc().syscall(number, *arguments)
    if answer < 0:
        raise failure("landlock")
    return answer


def others(top: str, hidden: frozenset[str]) -> Iterator[str]:
    """The fewest hierarchies beneath ``top`` that hold everything but the hidden paths."""
    within = frozenset(path for path in hidden if path.startswith(top.rstrip("/") + "/"))
    if top in hidden:
        return
    if not within:
        yield top
        return
    try:
        names = sorted(os.listdir(top))  # noqa: PTH208
    except OSError:
        return
    for name in names:
        path = os.path.join(top, name)  # noqa: PTH118
        # A link's target has a hierarchy of its own, shown or hidden.
        if not os.path.islink(path):  # noqa: PTH114
            yield from others(path, within)
