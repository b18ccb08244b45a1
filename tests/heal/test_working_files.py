"""The files of a checkout as they are on disk."""

import dataclasses
import os
from pathlib import Path

from git_retcon.heal.working_files import WorkingFiles
from tests.repository import TestRepository, new_repository


def files_of(repository: TestRepository) -> WorkingFiles:
    git = dataclasses.replace(repository.open().git, work_tree=repository.path)
    return WorkingFiles(repository.open(), git, repository.path)


def test_workflows_are_the_tracked_and_untracked_files_of_the_one_folder(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "r")
    repository.commit("a", {
        ".github/workflows/b.yml": "", ".github/workflows/gone.yml": "",
        ".github/workflows/deep/c.yml": "", ".github/workflows/README.md": "",
        ".github/d.yml": "", ".gitignore": "ignored.yml\n",
    })  # fmt: skip
    repository.write({".github/workflows/gone.yml": None})
    repository.write({".github/workflows/a é.yaml": "", ".github/workflows/ignored.yml": ""})
    names = [path.rpartition(b"/")[2].decode() for path in files_of(repository).list_workflows()]
    assert names == ["a é.yaml", "b.yml"]


def test_files_are_read_from_disk_with_any_index(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "r")
    repository.commit("a", {"a.txt": "old\n"})
    repository.git("update-index", "--assume-unchanged", "a.txt")
    repository.write({"a.txt": "new\n"})
    assert files_of(repository).read(b"a.txt") == b"new\n"


def test_nothing_outside_is_read_and_no_link_is_followed(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "r")
    (tmp_path / "secret.yml").write_text("secret")
    folder = repository.path / ".github/workflows"
    folder.mkdir(parents=True)
    (folder / "link.yml").symlink_to(tmp_path / "secret.yml")
    os.mkfifo(folder / "pipe.yml")
    (repository.path / "up").symlink_to(tmp_path)
    files = files_of(repository)
    assert files.list_workflows() == []
    paths = (
        b"../secret.yml",
        b"up/secret.yml",
        b".github/workflows/link.yml",
        b".github",
        b"a\0",
        b"",
    )
    assert [files.read(path) for path in paths] == [None] * len(paths)
    assert files.read(os.fsencode(tmp_path / "secret.yml")) is None
