"""A pipe by the name of a file of rules stops no checkout: git would wait for it for ever."""

import os
from pathlib import Path

import pytest

from git_retcon.run.rule_pipes import list_folders
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
@pytest.mark.parametrize("folder", ["", "src/", "made/by/a build/", "later/"])
@pytest.mark.parametrize("is_known", [True, False])
def test_pipes_go_before_git_reads_them(
    repo: TestRepository, tmp_path: Path, folder: str, name: str, is_known: bool
) -> None:
    one = repo.commit("one", {"f": "1", "src/a": "1"})
    two = repo.commit("two", {"f": "2", "src/a": "2", "later/b": "2"})
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        worktree.checkout(one)
        (worktree.tree / folder).mkdir(parents=True, exist_ok=True)
        os.mkfifo(worktree.tree / folder / name)
        if is_known:
            worktree.checkout(two)
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        worktree.checkout(two)
        found = sorted(path.name for path in worktree.tree.rglob("*") if path.name != ".git")
    assert found == ["a", "b", "f", "later", "src"]


def test_the_folders_of_files_are_listed_once_with_those_above() -> None:
    assert list_folders([b"a/b/c", b"a/b/d", b"x"]) == {b"", b"a", b"a/b"}
    assert list_folders([]) == {b""}
