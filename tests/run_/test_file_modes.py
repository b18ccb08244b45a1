"""A checkout leaves the modes of a fresh one."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from git_retcon.run.environment import command_environment
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository


def read_modes(top: Path) -> Mapping[str, str]:
    paths = [top, *(path for path in top.rglob("*") if path.name != ".git")]
    return {str(path.relative_to(top)): stat.filemode(path.lstat().st_mode) for path in paths}


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("mask", [0o022, 0o077])
@pytest.mark.parametrize(
    "harm",
    [
        "chmod 640 f; chmod 711 src src/deep",
        "chmod -R a-w .",
        "chmod -R a+rwx .; chmod u+s src/deep/x; chmod +t src",
        "chmod 0 src/deep/x src/deep src .",
    ],
)
def test_files_and_folders_get_them_back(
    repo: TestRepository, tmp_path: Path, harm: str, mask: int, is_known: bool
) -> None:
    repo.write({"f": "f\n", "src/deep/x": "x\n"})
    (repo.path / "src/deep/x").chmod(0o755)
    (repo.path / "src/link").symlink_to("/etc/hostname")
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "one")
    commit, before = repo.rev("HEAD"), os.umask(mask)
    try:
        with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
            worktree.checkout(commit)
            fresh = read_modes(worktree.tree)
            assert worktree.run(harm, env=command_environment()).passed
            assert read_modes(worktree.tree) != fresh
            if is_known:
                worktree.checkout(commit)
        with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
            worktree.checkout(commit)
            assert read_modes(worktree.tree) == fresh
    finally:
        os.umask(before)
