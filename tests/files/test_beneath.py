"""Nothing is read or written through a symbolic link, made by anybody at any time."""

import errno
import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from git_retcon.files.beneath import Beneath, File
from git_retcon.files.untrusted_paths import ForbiddenPath


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_text("theirs")
    (root / "out").symlink_to(outside)
    (root / "sub" / "file").symlink_to(outside / "secret")
    (root / "sub" / "inside").symlink_to("..")
    (root / "plain").write_bytes(b"plain\n")
    (root / "plain").chmod(0o640)
    os.mkfifo(root / "pipe")
    return root


def test_a_file_comes_with_its_bytes_and_permissions(root: Path) -> None:
    assert Beneath(root).read(b"plain") == File(b"plain\n", 0o640)
    assert Beneath(root).read(b"absent") is None
    assert Beneath(root).read(b"not/there/either") is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (b"out/secret", "'out' is a symbolic link"),
        (b"out/new", "'out' is a symbolic link"),
        (b"sub/file", "a symbolic link"),
        (b"sub/inside/plain", "'sub/inside' is a symbolic link"),
        (b"plain/x", "'plain' is no folder"),
        (b"sub", "a folder"),
        (b"pipe", "no regular file"),
    ],
)
def test_links_folders_and_pipes_are_refused(root: Path, path: bytes, why: str) -> None:
    with pytest.raises(ForbiddenPath, match=why):
        Beneath(root).read(path)


@pytest.mark.parametrize(
    ("mode", "in_tree"),
    [(0o755, b"100755"), (0o700, b"100755"), (0o654, b"100644"), (0o644, b"100644"),
     (None, b"100644")],
)  # fmt: skip
def test_a_tree_has_the_right_to_execute_that_the_owner_has(
    mode: int | None, in_tree: bytes
) -> None:
    """As git does: the group's right alone makes nothing executable."""
    assert File(b"", mode).git_mode == in_tree


def test_a_file_is_replaced_at_once_and_may_be_read_only(root: Path) -> None:
    files = Beneath(root)
    (root / "plain").chmod(0o444)
    files.stage(b"plain", File(b"new\n", 0o444), b".staged")
    assert (root / "plain").read_bytes() == b"plain\n"
    files.put_in_place(b"plain", b".staged")
    assert files.read(b"plain") == File(b"new\n", 0o444)
    assert not (root / ".staged").exists()


def test_a_file_that_cannot_be_written_whole_leaves_nothing_staged(root: Path) -> None:
    before = sorted(root.rglob("*"))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, limit[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            Beneath(root).stage(b"sub/new", File(b"much more than that\n"), b".staged")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, handler)
    assert sorted(root.rglob("*")) == before


@pytest.mark.slow
def test_a_version_of_the_same_size_is_of_a_later_second(root: Path) -> None:
    files = Beneath(root)
    seen = set()
    for content in (b"a + b\n", b"a - b\n", b"a * b\n"):
        files.stage(b"plain", File(content), b".staged")
        files.put_in_place(b"plain", b".staged")
        seen.add(int((root / "plain").stat().st_mtime))
    assert len(seen) == 3


def test_a_link_that_comes_between_is_not_followed(root: Path, tmp_path: Path) -> None:
    files = Beneath(root)
    files.stage(b"plain", File(b"new\n"), b".staged")
    (root / "plain").unlink()
    (root / "plain").symlink_to(tmp_path / "outside" / "secret")
    files.put_in_place(b"plain", b".staged")
    assert (tmp_path / "outside" / "secret").read_text() == "theirs"
    assert not (root / "plain").is_symlink()

    (root / "sub2").symlink_to(tmp_path / "outside")
    with pytest.raises(ForbiddenPath, match="symbolic link"):
        files.stage(b"sub2/x", File(b"x"), b".x")
    with pytest.raises(ForbiddenPath, match="symbolic link"):
        files.remove(b"sub2/secret")
    with pytest.raises(ForbiddenPath, match="symbolic link"):
        files.make_folder(b"sub2/x")
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["secret"]


def test_folders_are_made_and_removed_one_by_one(root: Path) -> None:
    files = Beneath(root)
    assert files.missing_folders(b"sub/a/b/c") == (b"sub/a", b"sub/a/b")
    for folder in files.missing_folders(b"sub/a/b/c"):
        files.make_folder(folder)
    assert files.missing_folders(b"sub/a/b/c") == ()
    files.remove_folder(b"sub/a")
    assert (root / "sub/a/b").is_dir()
    files.remove_folder(b"sub/a/b")
    files.remove_folder(b"sub/a")
    assert not (root / "sub/a").exists()
    files.remove_folder(b"sub/a")
    with pytest.raises(NotADirectoryError):
        files.remove_folder(b"plain")


def test_even_a_dangling_link_has_its_name(root: Path) -> None:
    (root / "dangling").symlink_to("nowhere")
    assert Beneath(root).exists(b"dangling")
    assert Beneath(root).exists(b"plain")
    assert not Beneath(root).exists(b"absent")
    assert not Beneath(root).exists(b"absent/x")


def test_a_file_is_replaced_with_the_folders_it_needs_or_removed(root: Path) -> None:
    files = Beneath(root)
    files.replace(b"new/deep/x", File(b"x", 0o600), b".staged")
    assert files.read(b"new/deep/x") == File(b"x", 0o600)
    assert [path.name for path in (root / "new/deep").iterdir()] == ["x"]
    files.replace(b"new/deep/x", None, b".staged")
    files.replace(b"none/x", None, b".staged")
    assert files.read(b"new/deep/x") is None
    assert not (root / "none").exists()


def test_only_the_name_beside_a_path_is_removed(root: Path) -> None:
    (root / "sub/other").write_text("x")
    Beneath(root).remove_beside(b"sub/new", b"other")
    Beneath(root).remove_beside(b"sub/new", b"other")
    assert not (root / "sub/other").exists()
    assert (root / "sub").is_dir()


def test_staging_needs_the_folder_and_replaces_what_a_kill_left(root: Path) -> None:
    files = Beneath(root)
    with pytest.raises(FileNotFoundError):
        files.stage(b"none/x", File(b"x"), b".staged")
    (root / ".staged").write_text("half")
    files.stage(b"x", File(b"x"), b".staged")
    assert (root / ".staged").read_bytes() == b"x"


def test_the_root_itself_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert Beneath(tmp_path / "link").read(b"plain") == File(b"plain\n", 0o640)


def test_a_new_file_has_the_permissions_that_the_umask_leaves(root: Path) -> None:
    mask = os.umask(0o027)
    try:
        Beneath(root).replace(b"x", File(b"x"), b".staged")
    finally:
        os.umask(mask)
    assert (root / "x").stat().st_mode & 0o777 == 0o640


def test_below_a_folder_that_is_not_there_is_nothing(root: Path) -> None:
    files = Beneath(root)
    assert files.read(b"no/such/file") is None
    assert not files.exists(b"no/such/file")
    files.remove(b"no/such/file")
    assert files.missing_folders(b"no/such/file") == (b"no", b"no/such")


def test_an_error_of_the_system_is_no_forbidden_path(root: Path) -> None:
    with pytest.raises(OSError, match="File name too long") as caught:
        Beneath(root).read(b"x" * 300)
    assert caught.value.errno == errno.ENAMETOOLONG


def test_a_refusal_says_what_is_in_the_way(root: Path) -> None:
    (root / "link").symlink_to("elsewhere")
    (root / "file").write_text("")
    for path, said in (
        (b"link/x", "'link' is a symbolic link"),
        (b"file/x", "'file' is no folder"),
    ):
        with pytest.raises(ForbiddenPath, match=f"^{said}$"):
            Beneath(root).read(path)


def test_what_is_put_in_place_is_synced_with_its_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, sync = [], os.fsync

    def watched(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    Beneath(root).replace(b"new.txt", File(b"x", 0o644), b".staged")
    assert synced == [False, True]
    Beneath(root).remove(b"new.txt")
    assert synced == [False, True, True]
