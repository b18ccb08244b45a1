"""A repository that is shared stays so, whoever writes to it with whatever umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from git_retcon.git.shared_modes import share_files
from tests.repository import TestRepository


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o777


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(
    ("setting", "file", "folder"),
    [
        ("umask", 0o400, 0o700),
        ("false", 0o400, 0o700),
        ("group", 0o440, 0o770),
        ("true", 0o440, 0o770),
        ("1", 0o440, 0o770),
        ("all", 0o444, 0o775),
        ("2", 0o444, 0o775),
        ("0640", 0o440, 0o750),
        ("0664", 0o444, 0o775),
    ],
)
def test_objects_are_for_whom_git_s_own_are(
    repo: TestRepository, setting: str, file: int, folder: int
) -> None:
    repo.git("config", "core.sharedRepository", setting)
    opened = repo.open()
    with share_files(opened):
        blobs = [str(opened.objects.create_blob(b"ours"))]
    blobs.append(repo.git("hash-object", "-w", "--stdin", stdin=b"git's"))
    for blob in blobs:
        path = repo.path / ".git/objects" / blob[:2] / blob[2:]
        assert (read_mode(path), read_mode(path.parent)) == (file, folder), blob


@pytest.mark.usefixtures("umask")
def test_afterwards_files_are_as_private_as_before(repo: TestRepository) -> None:
    repo.git("config", "core.sharedRepository", "all")
    with share_files(repo.open()):
        pass
    (repo.path / "mine").touch()
    assert read_mode(repo.path / "mine") == 0o600


def test_a_setting_that_git_refuses_changes_nothing(repo: TestRepository) -> None:
    opened = repo.open()
    repo.git("config", "core.sharedRepository", "some")
    with share_files(opened):
        (repo.path / "mine").touch()
    assert read_mode(repo.path / "mine") & 0o400
