"""SIGKILL at any moment; the same call afterwards goes on, and nothing of the dead run is left."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_retcon.run.kept_worktrees import list_worktrees
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

_PREPARE = """
import sys
from pathlib import Path
from git_retcon.git.repository import open_repository
from git_retcon.run.environment import command_environment
from git_retcon.run.worktree import open_worktree
base, top, command, *commits = sys.argv[1:]
repository = open_repository(Path(top))
print("ready", flush=True)
with open_worktree(Path(base), repository, "build") as worktree:
    for commit in commits:
        worktree.checkout(commit)
    worktree.run(command, env=command_environment())
"""


def start(
    base: Path, repo: TestRepository, command: str, commits: list[str]
) -> "subprocess.Popen[bytes]":
    """A process of ours that opens the worktree, checks the commits out and runs a command."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PREPARE, base, repo.path, command, *commits],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def kill(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_killed_while_it_is_made_or_checked_out(
    repo: TestRepository, tmp_path: Path, seed: int
) -> None:
    files = {f"d{number % 7}/f{number}": f"{number}\n" for number in range(100)}
    first = repo.commit("one", files)
    repo.git("tag", "v1")
    second = repo.commit("two", dict.fromkeys(files, "changed\n"))
    base = tmp_path / "worktrees"
    chance = random.Random(seed)
    for _ in range(3):
        process = start(base, repo, "true", [first, second] * 3)
        time.sleep(chance.uniform(0, 0.12))
        kill(process)
    with open_worktree(base, repo.open(), "build") as worktree:
        for commit, content in ((first, None), (second, b"changed\n")):
            worktree.checkout(commit)
            assert worktree.git.line("status", "--porcelain") == ""
            assert worktree.git.line("describe", "--tags").startswith("v1")
            for name, own in files.items():
                assert (worktree.tree / name).read_bytes() == (content or own.encode())
    (kept,) = list_worktrees(base)
    assert not (kept.root / "git.new").exists()
