"""A process that is killed leaves nothing running in its worktree."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_retcon.files.lock import hold_lock
from git_retcon.run.death_watch import end_left, watch_death
from git_retcon.run.kept_worktrees import lock_of
from git_retcon.run.stray_processes import MARK
from tests.program import CHECKOUT

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="no environments to see"
)

RUNS = """
import os, subprocess, sys, time
from pathlib import Path
from git_retcon.run.death_watch import watch_death
from git_retcon.run.stray_processes import MARK
root = Path(sys.argv[1])
with watch_death(root):
    child = subprocess.Popen(
        ["sleep", "300"], env={**os.environ, MARK: str(root)}, start_new_session=True
    )
    print(child.pid, flush=True)
    time.sleep(300)
"""


def lives(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return status != "Z"


def start_sleeper(root: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(["sleep", "300"], env={**os.environ, MARK: str(root)})


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", RUNS, str(root)], cwd=CHECKOUT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert lives(child)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
        until = time.monotonic() + 60
        while lives(child) and time.monotonic() < until:
            time.sleep(0.05)
        assert not lives(child)


def test_nothing_is_ended_where_the_process_ends_by_itself(tmp_path: Path) -> None:
    with start_sleeper(tmp_path) as sleeper:
        with watch_death(tmp_path):
            pass
        assert sleeper.poll() is None
        sleeper.kill()


def test_what_runs_for_somebody_else_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with start_sleeper(root) as sleeper:
        with hold_lock(lock_of(root), "testing"):
            end_left(str(root))
            assert sleeper.poll() is None
        end_left(str(root))
        assert sleeper.wait(30) != 0
