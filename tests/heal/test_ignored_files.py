"""Ignored files go with the job that made them."""

from pathlib import Path

from git_retcon.heal.ignored_files import exchange_ignored, list_ignored, remove_products
from git_retcon.run.worktree import Worktree, open_worktree
from tests.repository import new_repository


def write(worktree: Worktree, *names: str) -> None:
    for name in names:
        path = worktree.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    worktree.has_only_tracked = False  # as behind each command that runs there


def list_files(worktree: Worktree) -> list[str]:
    top = worktree.tree
    return sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())[1:]


def test_each_job_finds_its_own_and_no_others(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    ignored = "*.o\nbuild/\n__pycache__/\n*.pyc\nnode_modules/\n"
    commit = repository.commit("begin", {".gitignore": ignored, "sub/a": "a"})
    with open_worktree(tmp_path / "worktrees", repository.open(), "one") as worktree:
        worktree.checkout(commit)
        exchange_ignored(worktree, "first")
        write(worktree, "x.o", "sub/y.o", "build/deep/z", "sub/__pycache__/m.pyc")
        exchange_ignored(worktree, "second")
        assert list_files(worktree) == [".gitignore", "sub/a"]
        write(worktree, "x.o", "build/other")
        exchange_ignored(worktree, "first")
        mine = ["build/deep/z", "sub/__pycache__/m.pyc", "sub/a", "sub/y.o", "x.o"]
        assert list_files(worktree) == [".gitignore", *mine]
        assert (worktree.tree / "x.o").read_text() == "x.o"
        write(worktree, "node_modules/p/index.js")
        assert b"node_modules" in list_ignored(worktree)
        remove_products(worktree)
        assert list_files(worktree) == [".gitignore", "node_modules/p/index.js", "sub/a"]
