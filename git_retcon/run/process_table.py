"""The processes of this machine, where the system shows them (Linux: ``/proc``)."""

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_PROC = "/proc"
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Process(NamedTuple):
    """One process. ``start`` is in clock ticks since the machine started."""

    pid: int
    state: bytes
    parent: int
    group: int
    session: int
    start: int

    @property
    def is_dead(self) -> bool:
        """Whether it has ended, and is only not reaped yet."""
        return self.state in (b"Z", b"X")


def read_processes() -> dict[int, Process]:
    """Every process that can be seen, by its id; empty where the system shows none."""
    return {process.pid: process for process in _list_processes()}


def read_process(pid: int) -> Process | None:
    """One process, or None where there is none of that id."""
    try:
        # All are read after every command; by ``Path`` that takes twice as long.
        with open(f"{_PROC}/{pid}/stat", "rb", buffering=0) as file:  # noqa: PTH123
            stat = file.read()
        # The name before it is in parentheses, and may hold any byte.
        fields = stat.rpartition(b")")[2].split()
        return Process(pid, fields[0], *(int(fields[at]) for at in (1, 2, 3, 19)))
    except (OSError, IndexError, ValueError):
        return None


def list_children() -> set[int] | None:
    """The ids of this process's children, ended ones that are not reaped too; None where the system
    does not list them.
    """
    children: set[int] = set()
    try:
        # Each thread has those that it started; orphans are handed to any of them.
        for thread in os.listdir(f"{_PROC}/self/task"):  # noqa: PTH208
            listed = Path(_PROC, "self/task", thread, "children").read_bytes()
            children.update(map(int, listed.split()))
    except OSError:
        return None
    return children


def descendants(roots: Collection[int], processes: Mapping[int, Process]) -> set[int]:
    """These processes and all that they started, as far as their parents live."""
    children: dict[int, list[int]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process.pid)
    found: set[int] = set()
    ahead = list(roots)
    while ahead:
        pid = ahead.pop()
        if pid not in found:
            found.add(pid)
            ahead += children.get(pid, ())
    return found


def private_memory(pids: Collection[int]) -> int:
    """Bytes that these processes hold and share with no file and no other process."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError):
            # ``statm`` and not ``smaps``: the latter takes milliseconds a process, and is asked
            # twice a second.
            resident, shared = Path(_PROC, str(pid), "statm").read_bytes().split()[1:3]
            total += (int(resident) - int(shared)) * _PAGE
    return total


def shared_memory() -> int:
    """Bytes of memory, of the whole machine, that processes share and files in memory hold.

    0 where the system does not say.
    """
    with contextlib.suppress(OSError, IndexError, ValueError):
        listed = Path(_PROC, "meminfo").read_bytes()
        return int(listed.partition(b"\nShmem:")[2].split(None, 1)[0]) << 10
    return 0


def machine_memory() -> int:
    """Bytes of memory that this machine has."""
    return os.sysconf("SC_PHYS_PAGES") * _PAGE


def _list_processes() -> Iterator[Process]:
    with contextlib.suppress(OSError):
        for name in os.listdir(_PROC):  # noqa: PTH208
            if name.isdecimal() and (process := read_process(int(name))) is not None:
                yield process
