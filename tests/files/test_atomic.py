"""A reader, or a crash, sees the old content or the new, never half."""

import errno
import os
import stat
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.atomic import (
    remove_unfinished,
    remove_unfinished_in,
    save,
    save_for_now,
)


def test_the_whole_content_is_there_and_the_mode_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes(b"old")
    path.chmod(0o604)
    save(path, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["spec.toml"]


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        save(tmp_path / "new", b"")
    finally:
        assert os.umask(mask) == 0o027
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("deep/real")
    save(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "deep/real").read_bytes() == b"new"


def test_a_reader_in_the_middle_sees_the_old_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "spec", []
    path.write_bytes(b"old")
    replace, sync = os.replace, os.fsync

    def synced(handle: int) -> None:
        seen.append(path.read_bytes())
        sync(handle)

    def watched(source: str, target: Path) -> None:
        seen.append(b"synced:" + Path(source).read_bytes())
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", watched)
    save(path, b"new")
    # the content is synced before the rename, and the folder after it
    assert seen == [b"old", b"synced:new", b"new"]


@pytest.mark.parametrize("refusing", ["fsync", "replace", "chmod"])
def test_a_refusal_leaves_the_old_content_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusing: str
) -> None:
    path = tmp_path / "spec"
    path.write_bytes(b"old")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, refusing, refuse)
    with pytest.raises(Fatal, match=r"cannot write '.*spec': No space left on device") as caught:
        save(path, b"new")
    assert caught.value.hint is not None
    assert path.read_bytes() == b"old"
    assert [each for each in tmp_path.iterdir() if each.is_file()] == [path]


def test_a_folder_that_is_not_there_is_an_error_for_people(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match="No such file or directory"):
        save(tmp_path / "none" / "spec", b"")


def test_only_what_a_kill_left_of_this_file_is_removed(tmp_path: Path) -> None:
    ours = tmp_path / ".sp[e]c.abcd_123.tmp"
    others = [
        tmp_path / name
        for name in ("sp[e]c", ".sp[e]c.tmp", ".sp[e]c.short.tmp", ".spec.abcd_123.tmp",
                     ".sp[e]c.abcd_123.tmp.x", ".sp[e]c.ABCDEFGH.tmp")
    ]  # fmt: skip
    for path in (ours, *others):
        path.write_text("x")
    remove_unfinished(tmp_path / "sp[e]c")
    assert not ours.exists()
    assert all(path.exists() for path in others)


def test_what_kills_left_of_any_file_of_a_folder_is_removed(tmp_path: Path) -> None:
    ours = [tmp_path / ".a.abcd_123.tmp", tmp_path / ".b.json.abcd1234.tmp"]
    others = [tmp_path / name for name in ("a", "a.tmp", ".a.tmp", ".hidden", "x.abcd_123.tmp")]
    for path in (*ours, *others):
        path.write_text("x")
    remove_unfinished_in(tmp_path)
    assert not any(path.exists() for path in ours)
    assert all(path.exists() for path in others)
    remove_unfinished_in(tmp_path / "nothing here")


def test_a_new_file_gets_the_permissions_that_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "key"
    save(path, b"1", 0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    save(path, b"2", 0o644)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_all_bytes_are_on_their_way_to_the_disk_before_it_is_asked_to_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, sync = [], os.fsync

    def synced(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        sync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    before = len(list(Path("/dev/fd").iterdir()))
    save(tmp_path / "spec", b"x" * 5_000)
    assert sizes[0] == 5_000
    assert len(sizes) == 2  # the folder, so that the new name is there after a crash
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_missing_folder_is_to_be_made(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match="No such file or directory") as caught:
        save(tmp_path / "no/x.toml", b"")
    folder = f"{tmp_path}/no"
    assert caught.value.hint == f"make the folder '{folder}', then run the same command again"
    (tmp_path / "no").write_bytes(b"a file")
    with pytest.raises(Fatal, match="Not a directory") as caught:
        save(tmp_path / "no/x.toml", b"")
    assert str(caught.value.hint).startswith(f"make '{folder}' a folder, or name another place")


def test_what_can_be_made_again_replaces_a_file_as_whole_and_waits_for_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config"
    path.write_bytes(b"old")
    inode = path.stat().st_ino
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    save_for_now(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_ino != inode
    assert [each for each in tmp_path.iterdir() if each.is_file()] == [path]
    assert synced == []
