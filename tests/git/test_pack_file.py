"""Packs are git's own: it reads what we write, and would write the same index."""

import errno
import hashlib
import os
import random
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.git.pack_file import NewObject, write_pack
from tests.repository import TestRepository

BLOB = 3
# Where a length needs one byte more.
_sizes = st.sampled_from([0, 1, 15, 16, 17, 2047, 2048, 2049, 40_000])
_contents = st.lists(
    st.one_of(st.binary(max_size=40), _sizes.map(lambda size: random.Random(size).randbytes(size))),
    min_size=1, max_size=20, unique=True,
)  # fmt: skip


def make_blob(content: bytes) -> NewObject:
    named = b"blob %d\0%b" % (len(content), content)
    return NewObject(hashlib.sha1(named, usedforsecurity=False).digest(), BLOB, content)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(contents=_contents)
def test_git_reads_every_object_and_makes_the_same_index(
    repo: TestRepository, tmp_path: Path, contents: list[bytes]
) -> None:
    blobs = [make_blob(content) for content in contents]
    kept = write_pack(repo.path / ".git/objects/pack", blobs)
    pack = kept.path
    index = pack.with_suffix(".idx")
    repo.git("index-pack", "--strict", "-o", str(tmp_path / "theirs.idx"), str(pack))
    assert index.read_bytes() == (tmp_path / "theirs.idx").read_bytes()
    (tmp_path / "theirs.idx").unlink()
    repo.git("verify-pack", str(index))
    kept.release()
    assert [repo.show(blob.oid.hex()) for blob in blobs] == contents


def test_a_pack_is_for_reading_by_whom_the_umask_lets(repo: TestRepository) -> None:
    before = os.umask(0o027)
    try:
        kept = write_pack(repo.path / ".git/objects/pack", [make_blob(b"private")])
        kept.release()
    finally:
        os.umask(before)
    pack = kept.path
    files = (pack, pack.with_suffix(".idx"))
    assert [path.stat().st_mode & 0o777 for path in files] == [0o440, 0o440]


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_full_disk_leaves_no_file(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls = 0

    def sync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", sync)
    folder = repo.path / ".git/objects/pack"
    with pytest.raises(OSError, match="No space left"):
        write_pack(folder, [make_blob(b"x")])
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("suffix", [".pack", ".idx"])
def test_a_file_that_gets_no_name_leaves_no_file(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    replace = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if target.suffix == suffix:
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    folder = repo.path / ".git/objects/pack"
    with pytest.raises(OSError, match="No space left"):
        write_pack(folder, [make_blob(b"x")])
    assert [*folder.iterdir()] == []


def test_a_pack_that_is_there_already_survives_a_failure(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob, folder = make_blob(b"x"), repo.path / ".git/objects/pack"
    write_pack(folder, [blob]).release()

    def fail(path: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_pack(folder, [blob])
    assert repo.show(blob.oid.hex()) == b"x"


def test_the_pack_has_its_name_before_the_index_has(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed: list[str] = []
    replace = Path.replace

    def record(path: Path, target: Path) -> Path:
        renamed.append(target.suffix)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", record)
    write_pack(repo.path / ".git/objects/pack", [make_blob(b"x")]).release()
    assert renamed == [".pack", ".idx"]


def test_the_files_and_then_their_names_are_on_the_disk(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bool] = []
    sync = os.fsync

    def record(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        sync(handle)

    monkeypatch.setattr("os.fsync", record)
    write_pack(repo.path / ".git/objects/pack", [make_blob(b"x")]).release()
    assert synced == [False, False, True]
