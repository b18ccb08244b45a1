"""The tests as they run on a machine with a weak sandbox, or with none.

``python -m tests.weak_machine landlock tests/retcon/engines -q`` runs pytest under a filter of
system calls that forbids new namespaces, so that neither bubblewrap nor ``unshare`` works;
``none`` forbids Landlock too. Linux on x86-64 and 64-bit ARM.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

from git_retcon.run.sandbox.kernel import PR_SET_NO_NEW_PRIVS, control_process

_PR_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _ANY, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
# Name → number on x86-64 and on 64-bit ARM.
_CALLS = {
    "clone": {"x86_64": 56, "aarch64": 220},
    "unshare": {"x86_64": 272, "aarch64": 97},
    "clone3": {"x86_64": 435, "aarch64": 435},
    "landlock_create_ruleset": {"x86_64": 444, "aarch64": 444},
}
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, …NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _compile_filter(level: str) -> bytes:
    numbers = {name: each[platform.machine()] for name, each in _CALLS.items()}
    absent = ["clone3", *(["landlock_create_ruleset"] if level == "none" else [])]
    steps = [_step(_LOAD, 0)]
    for name, error in [("unshare", errno.EPERM), *((name, errno.ENOSYS) for name in absent)]:
        steps += [_step(_EQUAL, numbers[name], 0, 1), _step(_RETURN, _ERROR | error)]
    steps += [
        _step(_EQUAL, numbers["clone"], 0, 3),
        _step(_LOAD, 16),  # its flags
        _step(_ANY, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def main() -> None:
    """Become a weaker machine's Python, and run pytest there."""
    level, *arguments = sys.argv[1:]
    if level not in ("landlock", "none"):
        raise SystemExit(__doc__)
    program = _compile_filter(level)
    held = ctypes.create_string_buffer(program, len(program))

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    whole = _Program(len(program) // 8, ctypes.addressof(held))
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    control_process(_PR_SET_SECCOMP, _FILTER, ctypes.byref(whole))
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *arguments])


if __name__ == "__main__":
    main()
