"""System calls of Linux that Python has no function for.

What a launcher imports: the standard library alone, and of that what starts fast.
"""

import ctypes
import functools
import os
from typing import Any

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_SECCOMP = 1, 24, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_MOST_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522
# capset(2) and prctl(2) are wrapped by every libc; mount_setattr(2), the same number on every
# architecture, is not.
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY = 1
_CLONE_NEWNS, _MS_REC, _MS_SLAVE = 0x20000, 0x4000, 0x80000

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_AF_INET, _SOCK_DGRAM = 2, 2


class _MountAttr(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")
    )


class _InterfaceRequest(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char * 16), ("flags", ctypes.c_short), ("_", ctypes.c_char * 22))


@functools.cache
def libc() -> Any:
    """The C library of this process; its functions set the error that ``failure`` reads."""
    return ctypes.CDLL(None, use_errno=True)


def failure(what: str) -> OSError:
    """The error of the call that just failed."""
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


def control_process(option: int, argument: Any, *more: Any) -> None:
    """prctl(2). Raises OSError."""
    rest = (*more, 0, 0, 0)[:3]
    if libc().prctl(option, argument, *rest) != 0:
        raise failure(f"prctl {option}")


def mount(source: str, target: str, kind: str, flags: int = 0, options: str = "") -> None:
    """mount(2). Raises OSError."""
    encoded = [os.fsencode(part) or None for part in (source, target, kind)]
    if libc().mount(*encoded, ctypes.c_ulong(flags), options.encode() or None) != 0:
        raise failure(f"mount on {target}")


def unshare_mounts() -> None:
    """A mount namespace of this process's own: no mount in it is seen outside. Raises OSError."""
    if libc().unshare(_CLONE_NEWNS) != 0:
        raise failure("unshare")
    mount("", "/", "", _MS_REC | _MS_SLAVE)


def make_read_only(place: str) -> None:
    """A mount and all mounts beneath it. Raises OSError, before Linux 5.12 too."""
    _set_mount(place, _MountAttr(attr_set=_MOUNT_ATTR_RDONLY), _AT_RECURSIVE)


def make_writable(place: str) -> None:
    """One mount that ``make_read_only`` changed. Raises OSError."""
    _set_mount(place, _MountAttr(attr_clr=_MOUNT_ATTR_RDONLY), 0)


def _set_mount(place: str, change: _MountAttr, flags: int) -> None:
    path, size = ctypes.c_char_p(os.fsencode(place)), ctypes.c_size_t(ctypes.sizeof(change))
    if libc().syscall(_MOUNT_SETATTR, _AT_FDCWD, path, flags, ctypes.byref(change), size) != 0:
        raise failure(f"mount_setattr on {place}")


def raise_loopback() -> None:
    """Bring up ``lo``, which is down in a new network namespace. Raises OSError."""
    endpoint = libc().socket(_AF_INET, _SOCK_DGRAM, 0)
    if endpoint < 0:
        raise failure("socket")
    try:
        request = _InterfaceRequest(name=b"lo")
        for call in (_SIOCGIFFLAGS, _SIOCSIFFLAGS):
            if libc().ioctl(endpoint, ctypes.c_ulong(call), ctypes.byref(request)) != 0:
                raise failure("bringing up lo")
            request.flags |= _IFF_UP
    finally:
        os.close(endpoint)


def forgo_privileges() -> None:
    """Give up for good every right of root, and every program that would give it back.

    The same as ``setpriv --no-new-privs --bounding-set=-all --inh-caps=-all``, in force at once
    and not only behind the next exec. Raises OSError.
    """
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(_MOST_CAPABILITIES):
        # It fails for numbers that the kernel does not know, and where nothing could be dropped.
        libc().prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc().prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc().capset(ctypes.byref(header), ctypes.byref(nothing)) != 0:
        raise failure("capset")
