"""What all processes of a confined command may use together, looked at from outside.

A limit on each one's address space would break runtimes that reserve more than they use, and a
limit on processes does not bind root.
"""

import time
from dataclasses import field

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.orphans import find_orphans
from git_retcon.run.process_table import (
    Process,
    descendants,
    machine_memory,
    private_memory,
    read_processes,
    shared_memory,
)

_PAUSE = 0.5  # seconds between two looks
_MOST_PROCESSES = 4096
_MOST_OF_MEMORY = 0.75  # of what the machine has


@dataclass(slots=True)
class Ceiling:
    """Limits for one command and all that it starts. ``memory`` is in bytes."""

    memory: int = field(default_factory=lambda: int(machine_memory() * _MOST_OF_MEMORY))
    processes: int = _MOST_PROCESSES
    _next: float = field(default=0.0, init=False)
    _shared_before: int = field(default_factory=shared_memory, init=False)

    def find_excess(self, leader: Process) -> str | None:
        """What is above a limit, for people. Looks no more than twice a second."""
        now = time.monotonic()
        if now < self._next:
            return None
        # Reading the whole process table costs milliseconds, and output may come thousands of times
        # a second.
        self._next = now + _PAUSE
        processes = read_processes()
        tree = descendants({leader.pid, *find_orphans(leader, processes)}, processes)
        if len(tree) > self.processes:
            return f"it had more than {self.processes:,} processes"
        # No process is charged for a file in memory that it has closed, as in a private /tmp.
        grown = max(0, shared_memory() - self._shared_before)
        if private_memory(tree) + grown > self.memory:
            return f"its processes used more than {self.memory / (1 << 30):.1f} GiB of memory"
        return None
