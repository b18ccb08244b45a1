"""What the commands of a job leave running: it lives on until the job ends, as on GitHub.

A step may start a server that the next ones talk to. Where the system shows processes and hands
orphans to us (Linux) such a server is found and kept; elsewhere it ends with its command.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from git_retcon.run.orphans import (
    adopting_orphans,
    end_orphans,
    find_orphans,
    keep_marked,
    may_have_left,
    reap_orphans,
)
from git_retcon.run.process_table import Process, read_processes
from git_retcon.run.stray_processes import end_strays, make_mark

_CHUNK = 64 * 1024
_MOST_CHUNKS = 64  # of one look, so that a flood does not keep the command waiting
_PAUSE = 0.2  # seconds between looks for the dead


class Background:
    """The processes that the commands of one job left in the worktree ``root``."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._first: Process | None = None
        self._outputs: list[int] = []
        self._next_look = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether no command has left anything."""
        return self._first is None

    def keep(self, leader: Process | None, output: int) -> bool:
        """Whether something that a command started outlives its ``leader``, which has ended.

        That lives on; ``output`` is a descriptor of its pipe, of which this keeps a copy.
        """
        if not may_have_left(leader) or leader is None:
            return False
        if not find_orphans(leader, read_processes()):
            return False
        if self._first is None:
            self._first = leader
        # With nobody at its other end, a server would end at the next line that it prints.
        self._outputs.append(os.dup(output))
        return True

    def tend(self) -> None:
        """Do what its parent would: read what it prints, and reap what has ended.

        To be called often while another command runs. What is printed is dropped: its step is
        over.
        """
        if self._first is None:
            return
        self._outputs = [output for output in self._outputs if _drain_output(output)]
        now = time.monotonic()
        if now >= self._next_look:
            # A step that stops the server may wait until its number is gone.
            reap_orphans(self._first)
            self._next_look = now + _PAUSE

    def end(self) -> None:
        """End all of it: it is asked first, so that it can remove its sockets and locks."""
        if self._first is None:
            return
        try:
            end_strays(self._root)
        # An impatient second Ctrl-C ends the politeness only.
        finally:
            end_orphans(self._first)
            for output in self._outputs:
                os.close(output)
            self._first, self._outputs = None, []


@contextlib.contextmanager
def keep_background(root: Path) -> Iterator[Background]:
    """For the length of a job in the worktree ``root``, let live on what its commands leave."""
    background = Background(root)
    with adopting_orphans():
        try:
            # Between its commands, one of another job must not end what they left.
            with keep_marked(make_mark(root)):
                yield background
        finally:
            background.end()


def _drain_output(output: int) -> bool:
    """Read what there is; False, and the descriptor is closed, where nothing more can come."""
    with contextlib.suppress(BlockingIOError):
        for _ in range(_MOST_CHUNKS):
            if not os.read(output, _CHUNK):
                os.close(output)
                return False
    return True
