"""Worktrees are beneath what is configured, else beneath the user's data."""

from pathlib import Path

import pytest

from git_retcon.run.worktree_place import WorktreePlace, worktrees_directory
from tests.repository import TestRepository


def test_the_configured_directory_is_taken() -> None:
    assert worktrees_directory("/fast/disk") == Path("/fast/disk")
    assert worktrees_directory("~/trees") == Path.home() / "trees"


def test_without_one_they_are_beneath_the_data_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert worktrees_directory(None) == tmp_path / "git-retcon" / "worktrees"


def test_what_a_model_wrote_has_a_place_of_its_own(repo: TestRepository, tmp_path: Path) -> None:
    place = WorktreePlace(repo.open(), tmp_path, "retcon")
    assert place.confined_id not in ("", place.id)
