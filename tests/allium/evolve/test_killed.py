"""Ended at any moment, the same command goes on to the same result."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from git_retcon.git import new_objects
from git_retcon.git.ref_updates import RefUpdate, RefUpdater
from tests.allium.history_shapes import BRANCH, entity, evolve, shape, told
from tests.program import CHECKOUT
from tests.repository import TestRepository


def kill_everywhere(tmp_path: Path, step: int) -> dict[str, object]:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.allium.evolve.killed_runs",
            str(tmp_path / "runs"),
            str(step),
        ],
        cwd=CHECKOUT,
        capture_output=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    found = kill_everywhere(tmp_path, 9)
    assert found["wrong"] == []
    assert isinstance(found["moments"], int)
    assert found["moments"] > 30


@pytest.mark.slow
def test_a_run_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    assert kill_everywhere(tmp_path, 1)["wrong"] == []


@pytest.mark.parametrize("tidying", [["repack", "-a", "-d"], ["gc", "--prune=now"]])
def test_what_git_tidies_meanwhile_is_not_what_the_run_writes(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch, tidying: list[str]
) -> None:
    for number in range(20):
        repo.commit(f"{number}", {f"src/shop/m{number}.py": entity(f"M{number}", "total")})
    monkeypatch.setattr(new_objects, "_FEWEST_PACKED", 8)
    move = RefUpdater._move_refs

    def tidy_and_move(updater: RefUpdater, updates: Sequence[RefUpdate], why: str) -> None:
        repo.git(*tidying, "-q")
        move(updater, updates, why)

    monkeypatch.setattr(RefUpdater, "_move_refs", tidy_and_move)
    evolve(repo)
    assert told(repo) == shape(repo)
    repo.git("fsck", "--strict", "--no-dangling")
    assert [*(repo.path / ".git/objects/pack").glob("*.keep")] == []


def start(repo: TestRepository) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "git_retcon.commands.allium", "evolve", "--offline", "-v"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": "1"},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_saves_what_was_described(repo: TestRepository, times: int) -> None:
    make_long(repo, 600)
    with start(repo) as process:
        assert process.stderr is not None
        for _ in range(20):
            process.stderr.readline()
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        said = process.stderr.read().decode()
    # The second may arrive when all is saved and Python ends: a shell says 130 of that, too.
    ends = {1: {130}, 2: {130, -signal.SIGINT}}
    assert process.returncode in ends[times]
    assert "finishing this step; press Ctrl-C again to stop now" in said
    before = len(told(repo))
    assert 0 < before < 600
    evolve(repo)
    assert told(repo) == shape(repo)


def make_long(repo: TestRepository, size: int) -> None:
    """A line of commits, by fast-import: a process for each would take a minute."""
    stream = []
    for number in range(size):
        text = entity("Order", *(f"f{number % 50}",))
        stream.append(
            f"commit refs/heads/main\ncommitter A <a@example.com> {1500000000 + number} +0000\n"
            f"data {len(str(number))}\n{number}\n"
            f"M 100644 inline src/shop/order.py\ndata {len(text)}\n{text}\n"
        )
    repo.git("fast-import", "--quiet", stdin="".join(stream).encode())
    assert repo.git("rev-list", "--count", "main") == str(size)
    assert repo.git("for-each-ref", f"refs/heads/{BRANCH}") == ""
