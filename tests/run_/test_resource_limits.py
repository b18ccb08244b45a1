"""A confined command cannot use up the machine."""

import sys
from pathlib import Path

import pytest

from git_retcon.run import shell_command
from git_retcon.run.environment import command_environment
from git_retcon.run.resource_limits import Ceiling
from git_retcon.run.shell_command import run_command

HUNGRY = "import time; held = bytearray(b'x') * (300 << 20); time.sleep(60)"
# What no process is charged for: it lies in a file that has no name.
SHARING = (
    "import mmap, os, time; held = os.memfd_create('x'); os.truncate(held, 300 << 20); "
    "[os.write(held, bytes(1 << 20)) for _ in range(300)]; time.sleep(60)"
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc to look in")


@pytest.mark.parametrize("program", [HUNGRY, SHARING])
def test_the_memory_of_the_whole_tree_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(shell_command, "Ceiling", lambda: Ceiling(memory=256 << 20))
    command = f'{sys.executable} -S -c "{program}"; true'
    done = run_command(command, cwd=tmp_path, env=command_environment(), prefix=["env"])
    assert done.status == 137
    assert b"its processes used more than 0.2 GiB of memory" in done.output


def test_what_leaves_its_group_and_its_parent_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell_command, "Ceiling", lambda: Ceiling(processes=20))
    command = "for i in $(seq 40); do (setsid sleep 60 &) & done; wait; sleep 60"
    done = run_command(command, cwd=tmp_path, env=command_environment(), prefix=["env"])
    assert b"it had more than 20 processes" in done.output


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
