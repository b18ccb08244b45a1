"""Objects of a folder are read through libgit2, and copied whole."""

from pathlib import Path

from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.object_store import borrow_objects, copy_objects, write_commit_beside
from tests.repository import TestRepository

COMMIT = b"tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nbeside\n"


def make_folder(repo: TestRepository, tmp_path: Path, *options: str) -> tuple[Path, str]:
    """A folder with a commit, its tree and a file; and the id of the commit."""
    folder = tmp_path / "objects"
    (folder / "info").mkdir(parents=True)
    place = f"GIT_OBJECT_DIRECTORY={folder}"
    (repo.path / "large").write_bytes(b"large\n" * 100)
    script = (
        f"{place}; export {place.partition('=')[0]}; export GIT_INDEX_FILE={tmp_path}/index; "
        f"git {' '.join(options)} add large && git write-tree"
    )
    tree = repo.git("-c", f"alias.x=!{script}", "x")
    return folder, write_commit_beside(repo.open(), folder, COMMIT % tree.encode())


def test_what_lies_beside_is_read_and_not_kept(repo: TestRepository, tmp_path: Path) -> None:
    folder, commit = make_folder(repo, tmp_path)
    opened = repo.open()
    assert not is_commit(opened, commit)
    borrow_objects(opened, folder)
    assert read_commit(opened, commit).subject == "beside"
    assert opened.git.line("cat-file", "-t", commit) == "commit"
    assert repo.open().git.try_run("cat-file", "-e", commit).returncode != 0


def test_everything_is_copied_once(repo: TestRepository, tmp_path: Path) -> None:
    # git packs what is larger than this at once
    folder, commit = make_folder(repo, tmp_path, "-c", "core.bigFileThreshold=100")
    assert list(folder.glob("pack/*.idx"))
    opened = repo.open()
    borrow_objects(opened, folder)
    copy_objects(opened, folder)
    repo.git("fsck", "--full")
    assert repo.git("show", f"{commit}:large") == ("large\n" * 100).rstrip("\n")
    objects = repo.path / ".git/objects"
    before = {path: path.stat().st_ino for path in objects.rglob("*")}
    copy_objects(opened, folder)
    assert {path: path.stat().st_ino for path in objects.rglob("*")} == before
