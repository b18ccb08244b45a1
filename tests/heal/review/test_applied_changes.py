"""Journals of what heals changed."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.beneath import File
from git_retcon.heal.patches import FileChange
from git_retcon.heal.review.applied_changes import hold_applied_changes
from tests.repository import TestRepository


def test_the_last_application_is_undone_first(repo: TestRepository) -> None:
    repo.commit("begin", {"a": "1\n"})
    mode = (repo.path / "a").stat().st_mode & 0o777
    with hold_applied_changes(repo.open(), repo.path) as applied:
        applied.apply([1], [FileChange(b"a", File(b"1\n", mode), File(b"2\n", mode))])
        applied.apply([2], [FileChange(b"new/b", None, File(b"x\n"))])
        assert [one.heals for one in applied.recover()] == [(1,), (2,)]
        for heal in (2, 1):
            last = applied.find_last()
            assert last.heals == (heal,)
            assert last.branch == "refs/heads/main"
            applied.undo(last)
            applied.forget(last)
            assert not (repo.path / "new").exists()
    assert (repo.path / "a").read_text() == "1\n"


def test_only_one_process_applies_at_a_time(repo: TestRepository, tmp_path: Path) -> None:
    with (
        hold_applied_changes(repo.open(), repo.path),
        pytest.raises(Fatal),
        hold_applied_changes(repo.open(), repo.path),
    ):
        pass
