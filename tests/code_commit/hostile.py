"""A project with everything awkward in it, and folders beside it that nobody may touch."""

import os
from pathlib import Path

from tests.code_commit.project import new_project
from tests.repository import TestRepository, new_repository


def hostile_project(folder: Path) -> TestRepository:
    """A project with links, nested repositories, ignored files and a folder outside."""
    outside = folder / "outside"
    outside.mkdir()
    (outside / "theirs").write_text("theirs\n")
    repo = new_project(
        folder / "project",
        {
            "docs/.gitignore": "*.log\n!keep.log\n",
            "Cargo.lock": "locked\n",
            "docs/UserSpecification.md": "spec\n",
            "crlf.txt": b"a\r\nb\r\n",
            "no-newline": "x",
            "tracked.secret": "",
            "keep/0": "0\n",
            "keep/1": "1\n",
        },
    )
    (repo.path / "out").symlink_to(outside)
    (repo.path / "link").symlink_to("README")
    (repo.path / "gitlink").symlink_to(".git")
    (repo.path / ".git/info/exclude").write_text("/local\n")
    new_repository(repo.path / "nested").commit("x", {"file": "nested\n"})
    (repo.path / "worktree").mkdir()
    (repo.path / "worktree/.git").write_text("gitdir: elsewhere\n")
    (repo.path / "target").mkdir()
    return repo


def more_hostile_project(folder: Path) -> TestRepository:
    """The same with what git itself finds hard to say: pipes, loops, hidden changes, a submodule,
    names in other cases and encodings.
    """
    repo = hostile_project(folder)
    os.mkfifo(repo.path / "pipe")
    (repo.path / "loop").symlink_to("loop")
    (repo.path / "dangling").symlink_to(folder / "outside" / "new")
    (repo.path / "src/up").symlink_to("..")
    (repo.path / "empty").mkdir()
    (Path(os.fsdecode(os.fsencode(repo.path) + b"/\xff"))).write_text("no UTF-8\n")
    repo.write({"hidden": "h\n", "skipped": "s\n", "Straße": "s\n", "é": "composed\n"})
    repo.git("add", "hidden", "skipped", "Straße", "é")
    commit = TestRepository(repo.path / "nested").rev("HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    repo.git("commit", "-q", "-m", "more")
    repo.git("update-index", "--assume-unchanged", "hidden")
    repo.git("update-index", "--skip-worktree", "skipped")
    return repo


def snapshot_of_git(top: Path) -> dict[str, bytes]:
    """Every file of the project's repository and of the nested one, but for the index."""
    return {
        str(path): path.read_bytes()
        for folder in (top / ".git", top / "nested/.git")
        for path in folder.rglob("*")
        if path.is_file() and path.name != "index"
    }
