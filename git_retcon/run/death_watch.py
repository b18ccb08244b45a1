"""A small process that outlives this one for a moment, to end what it leaves when it is killed.

Nobody can handle SIGKILL. What a killed run started in a worktree would go on until the next run
there ends it. So a shell waits on a pipe that only this process can write to: when the pipe is
closed without a word, this process is dead.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.lock import hold_lock
from git_retcon.run.kept_worktrees import lock_of
from git_retcon.run.orphans import hold_helper
from git_retcon.run.stray_processes import MARK, end_strays

_WORD = b"done\n"
_WAIT = 'IFS= read -r word; [ "$word" = done ] || exec "$@"'
_END = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from git_retcon.run.death_watch import end_left; end_left(sys.argv[2])"
)
_PACKAGES = Path(__file__).parents[2]


@contextlib.contextmanager
def watch_death(root: Path) -> Iterator[None]:
    """While this lasts, the death of this process ends what it runs in the worktree ``root``."""
    with contextlib.ExitStack() as stack:
        # Without it the next run in the worktree ends them.
        with contextlib.suppress(OSError):
            watcher = stack.enter_context(hold_helper(lambda: _start_watch(root)))
            stack.callback(_end_watch, watcher)
        yield


def _end_watch(watcher: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        watcher.communicate(_WORD)


def end_left(root: str) -> None:
    """End what a dead process left in a worktree, unless another one uses it now, which did so."""
    with contextlib.suppress(Fatal), hold_lock(lock_of(Path(root)), "ending what a run left"):
        end_strays(Path(root))


def _start_watch(root: Path) -> "subprocess.Popen[bytes]":
    python = [sys.executable, "-P", "-c", _END, os.fspath(_PACKAGES), os.fspath(root)]
    env = {name: value for name, value in os.environ.items() if name != MARK}
    return subprocess.Popen(
        ["/bin/sh", "-c", _WAIT, "sh", *python],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C and what ends our group must not end it.
        start_new_session=True,
    )
