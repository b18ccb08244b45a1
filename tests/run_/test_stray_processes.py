"""Processes that a killed run left in a worktree are ended before it is used again."""

import time
from pathlib import Path

import pytest

from git_retcon.run.kept_worktrees import repository_key
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository
from tests.run_.test_killed import kill, start


@pytest.mark.slow
def test_a_build_of_a_killed_run_is_ended_before_the_worktree_is_used(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    base = tmp_path / "worktrees"
    lasting = (
        "trap '' TERM HUP; setsid sh -c 'for i in $(seq 500); do echo x >>beat; sleep 0.02; done'"
    )
    beat = base / repository_key(repo.open()) / "build/tree/beat"
    process = start(base, repo, lasting, [commit])
    try:
        deadline = time.monotonic() + 10
        while not beat.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        kill(process)
    size = beat.stat().st_size
    time.sleep(0.2)
    assert beat.stat().st_size > size, "the build should have outlived its run"
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        time.sleep(0.2)
        assert not beat.exists()


@pytest.mark.slow
def test_git_of_a_killed_run_is_ended_before_the_worktree_is_used(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n", ".gitattributes": "a filter=slow\n"})
    base, pid = tmp_path / "worktrees", tmp_path / "pid"
    repo.git("config", "filter.slow.smudge", f"echo $$ >{pid}; sleep 62; cat")
    process = start(base, repo, "true", [commit])
    try:
        deadline = time.monotonic() + 10
        while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        kill(process)
    assert Path(f"/proc/{pid.read_text().strip()}").exists(), "git should have outlived its run"
    with open_worktree(base, repo.open(), "build"):
        state = Path(f"/proc/{pid.read_text().strip()}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] in "ZX"
