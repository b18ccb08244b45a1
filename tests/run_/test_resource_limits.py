"""A confined command cannot use up the machine."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_retcon.run import shell_command
from git_retcon.run.environment import command_environment
from git_retcon.run.resource_limits import Ceiling
from git_retcon.run.shell_command import run_command

HUNGRY = "import time; held = bytearray(b'x') * (300 << 20); time.sleep(60)"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc to look in")


def test_the_memory_of_the_whole_tree_counts() -> None:
    with subprocess.Popen(["sh", "-c", f'{sys.executable} -c "{HUNGRY}"; true']) as leader:
        try:
            said, until = None, time.monotonic() + 30
            while said is None and time.monotonic() < until:
                said = Ceiling(memory=256 << 20).find_excess(leader.pid)
                time.sleep(0.05)
            assert said == "its processes used more than 0.2 GiB of memory"
            assert Ceiling(memory=4 << 30).find_excess(leader.pid) is None
        finally:
            subprocess.run(["pkill", "-9", "-P", str(leader.pid)], check=False)
            leader.kill()


def test_what_is_reserved_and_not_used_does_not_count(tmp_path: Path) -> None:
    reserve = "import mmap, time; held = mmap.mmap(-1, 64 << 30, flags=34 | 0x4000); print('fine')"
    env = command_environment()
    command = f'{sys.executable} -c "{reserve}"'
    done = run_command(command, cwd=tmp_path, env=env, prefix=["env"])
    assert done.output == b"fine\n"


def test_a_command_above_the_ceiling_is_ended_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell_command, "Ceiling", lambda: Ceiling(processes=20))
    command = "for i in $(seq 40); do sleep 60 & done; wait"
    done = run_command(command, cwd=tmp_path, env=command_environment(), prefix=["env"])
    assert done.status == 137
    assert b"git-retcon ended this command: it had more than 20 processes" in done.output


def test_what_runs_as_the_user_would_run_it_has_no_ceiling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell_command, "Ceiling", lambda: Ceiling(processes=1))
    assert run_command("sleep 1.2", cwd=tmp_path, env=command_environment()).passed
