"""``git heal clean``: worktrees and runs go, unless a process uses them or they are too new."""

import json
import os
import time
from pathlib import Path

import pytest

from git_retcon.files.lock import hold_lock
from git_retcon.run.kept_worktrees import list_worktrees, lock_of
from tests.heal.checks import check, new_project
from tests.heal.recorded import list_recorded
from tests.program import heal_here
from tests.repository import TestRepository

WORKFLOW = "on: push\njobs: {a: {runs-on: x, steps: [{run: echo}]}}"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestRepository:
    """A repository with one checked state, and worktrees in a folder of its own."""
    monkeypatch.setenv("GIT_HEAL_WORKTREE_DIR", str(tmp_path / "worktrees"))
    made = new_project(tmp_path / "project", WORKFLOW)
    check(made)
    return made


def count_worktrees(repository: TestRepository) -> int:
    return len(list_worktrees(repository.path.parent / "worktrees"))


def test_worktrees_and_runs_are_removed(repository: TestRepository) -> None:
    planned = heal_here(repository.path, "clean", "-n").ok().out.splitlines()
    (kept,) = list_worktrees(repository.path.parent / "worktrees")
    assert planned[0].startswith(f"{kept.root}  ")
    assert planned[1:] == ["1 recorded run"]
    assert count_worktrees(repository) == 1
    removed = heal_here(repository.path, "clean").ok().out.splitlines()
    assert removed == [f"removed {line}" for line in planned]
    assert count_worktrees(repository) == 0
    assert list_recorded(repository) == []
    assert check(repository).data["jobs"][0]["cached"] is False


def test_only_what_is_older_than_asked_goes(repository: TestRepository) -> None:
    for age in ("1h", "30d", "2w"):
        assert heal_here(repository.path, "clean", f"--older-than={age}").ok().out == ""
    assert (count_worktrees(repository), len(list_recorded(repository))) == (1, 3)
    (kept,) = list_worktrees(repository.path.parent / "worktrees")
    long_ago = time.time() - 7200
    for path in (kept.root, lock_of(kept.root)):
        os.utime(path, (long_ago, long_ago))
    data = json.loads(heal_here(repository.path, "clean", "--older-than=1h", "--json").ok().out)
    assert data["worktrees"] == [{"path": str(kept.root), "bytes": kept.size, "removed": True}]
    assert data["runs"] == 0


@pytest.mark.parametrize("age", ["", "30", "d", "-1d", "1.5d", "30 d", "3y", "٣d"])
def test_an_age_is_a_number_and_a_unit(repository: TestRepository, age: str) -> None:
    done = heal_here(repository.path, "clean", f"--older-than={age}")
    assert done.status == 129
    assert f"'{age}' is not an age such as 12h, 30d or 8w" in done.err


def test_what_a_process_uses_stays(repository: TestRepository) -> None:
    (kept,) = list_worktrees(repository.path.parent / "worktrees")
    with hold_lock(lock_of(kept.root), "checking in it"):
        done = heal_here(repository.path, "clean", "--json")
    assert (done.status, count_worktrees(repository)) == (1, 1)
    data = json.loads(done.out)
    assert (data["reason"], data["worktrees"][0]["removed"]) == ("locked", False)


@pytest.mark.slow
def test_other_repositories_and_other_commands_keep_theirs(
    repository: TestRepository, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other", WORKFLOW)
    check(other)
    found = list_worktrees(tmp_path / "worktrees")
    (kept,) = (one for one in found if one.root.parent.name.startswith("other-"))
    of_retcon = kept.root.parent / "builds"
    of_retcon.mkdir()
    (of_retcon / "repository").write_bytes((kept.root / "repository").read_bytes())
    heal_here(repository.path, "clean").ok()
    assert {one.root for one in list_worktrees(tmp_path / "worktrees")} == {kept.root, of_retcon}
    assert heal_here(tmp_path, "clean").ok().err.startswith("hint: not in a repository")
    heal_here(tmp_path, "clean", "--all").ok()
    assert [one.root for one in list_worktrees(tmp_path / "worktrees")] == [of_retcon]
    assert list_recorded(other) == []
