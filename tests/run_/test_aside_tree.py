"""Files that are set aside come back as they were, also after a death at any moment."""

from pathlib import Path

import pytest

from git_retcon.run.aside_tree import AsideTree
from git_retcon.run.environment import command_environment
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository


def test_commands_find_an_empty_folder_until_the_files_are_brought_back(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n", ".gitignore": "kept\n"})
    env = {**command_environment(), "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        (worktree.tree / "kept").write_text("kept\n")
        worktree.set_aside()
        assert worktree.run('test -z "$(ls -A)" && ! git status', env=env).passed
        assert worktree.run("echo mine > a; mkdir -m 0 deep", env=env).passed
        worktree.bring_back()
        assert worktree.run("git diff --exit-code && cat kept && test ! -e deep", env=env).passed
        worktree.set_aside()
        assert worktree.run(f"rm -rf {worktree.tree}; ln -s {repo.path} {worktree.tree}", env=env)
        worktree.bring_back()
    assert not worktree.tree.is_symlink()
    assert (worktree.tree / "kept").exists()
    assert (repo.path / "a").exists()


@pytest.mark.parametrize(
    "names", ["tree tree.aside", "tree.aside", "tree.left tree.aside", "tree tree.left tree.aside"]
)
def test_the_next_one_to_open_a_worktree_has_the_files(
    names: str, repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(tmp_path, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        (worktree.tree / "kept").touch()
    worktree.tree.rename(worktree.root / "tree.aside")
    for name in names.split()[:-1]:
        (worktree.root / name).mkdir()
        (worktree.root / name / "mine").touch()
    with open_worktree(tmp_path, repo.open(), "build") as worktree:
        assert sorted(one.name for one in worktree.tree.iterdir()) == [".git", "a", "kept"]
    assert not [*worktree.root.glob("tree.*")]


def test_what_lies_in_the_place_of_the_files_aside_goes(tmp_path: Path) -> None:
    for name in ("tree", "tree.aside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    aside = AsideTree(tmp_path)
    aside.set()
    aside.bring_back()
    assert [one.name for one in (tmp_path / "tree").iterdir()] == ["tree"]


def test_a_link_in_the_place_of_the_files_is_not_followed(tmp_path: Path) -> None:
    for name in ("tree", "work"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").touch()
    (tmp_path / "tree.aside").symlink_to(tmp_path / "work")
    aside = AsideTree(tmp_path)
    aside.bring_back()
    assert not (tmp_path / "tree.aside").is_symlink()
    assert not (tmp_path / "tree").is_symlink()
    assert (tmp_path / "tree" / "a").exists()
    assert (tmp_path / "work" / "a").exists()
