"""Objects that lie in a folder beside a repository: seen by it, and copied into it."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from git_retcon.git.repository import Repository

_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
_READ_ONLY = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


def borrow_objects(repository: Repository, folder: Path) -> None:
    """Let libgit2 and git read the objects of a folder for as long as the repository is open."""
    repository.objects.odb.add_disk_alternate(os.fspath(folder))
    env = repository.git.env
    # Every git of this repository needs it, those of values that hold it already too.
    assert isinstance(env, dict)
    places = filter(None, (os.fspath(folder), env.get(_ALTERNATES)))
    env[_ALTERNATES] = os.pathsep.join(places)


def write_commit_beside(repository: Repository, folder: Path, content: bytes) -> str:
    """Write a commit object into such a folder, and return its id."""
    written = repository.git.run(
        "hash-object", "-t", "commit", "-w", "--stdin",
        stdin=content,
        env={"GIT_OBJECT_DIRECTORY": os.fspath(folder)},
    )  # fmt: skip
    return written.decode("ascii").strip()


def copy_objects(repository: Repository, folder: Path) -> None:
    """Copy all objects of a folder into the repository's own store.

    Needed before anything refers to one of them: libgit2 writes no object that it can read, in the
    folder or not. A kill leaves some of them there, which harms nothing.
    """
    store = repository.object_folder
    for source in _list_files(folder):
        target = store / source.relative_to(folder)
        if not target.exists():
            _copy_whole(source, target)


def _list_files(folder: Path) -> Iterator[Path]:
    """Loose objects; then packs, which git makes of large files, each before its index."""
    yield from sorted(folder.glob("[0-9a-f][0-9a-f]/*"))
    packed = sorted((folder / "pack").glob("pack-*"))
    yield from (path for path in packed if path.suffix != ".idx")
    yield from (path for path in packed if path.suffix == ".idx")


def _copy_whole(source: Path, target: Path) -> None:
    """Copy a file so that it is there whole or not at all."""
    target.parent.mkdir(exist_ok=True)
    # The name that git itself gives such a file: 'git gc' removes what a kill left.
    descriptor, name = tempfile.mkstemp(prefix="tmp_obj_", dir=target.parent)
    os.close(descriptor)
    try:
        shutil.copyfile(source, name)
        Path(name).chmod(_READ_ONLY)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
