"""Which specifications a command line means, and their bytes.

Those of a working tree, of a commit or below one folder are one set and may refer to each other. A
file that is given by name is a set of its own.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.checkout import list_present
from git_retcon.git.graph import resolve_tree
from git_retcon.git.process import Git
from git_retcon.git.repository import open_repository
from git_retcon.git.trees import read_object
from git_retcon.show.style import show_path

_SUFFIX = b".allium"


class SpecFile(NamedTuple):
    """One specification. ``path`` is relative to what its set is relative to; ``place`` is where
    it lies on disk, None for one of a commit.
    """

    path: bytes
    data: bytes
    place: Path | None = None


class SpecSet(NamedTuple):
    """Files that may refer to each other, in the order of their paths, and what could not be read,
    with the reason.
    """

    files: Sequence[SpecFile]
    skipped: Sequence[tuple[bytes, str]] = ()


def read_named(names: Iterable[str]) -> list[SpecSet]:
    """The files and folders that somebody named, each once.

    Raises Fatal for one that is missing or cannot be read.
    """
    paths = dict.fromkeys(os.fsencode(_simplify_name(name)) for name in names)
    return [_read_folder(path) if _is_folder(path) else _read_alone(path) for path in paths]


def read_working_tree() -> SpecSet:
    """All that git tracks and all that is new and not ignored, in the whole working tree; paths
    start at its top. Raises Fatal where there is none.
    """
    repository = open_repository(Path.cwd())
    top = repository.work_tree
    if top is None:
        raise Fatal(
            "this repository has no working tree",
            hint="'git allium check --rev HEAD' checks a commit",
            commands=[["git", "allium", "check", "--rev", "HEAD"]],
        )
    git = Git(repository.git_dir, top, repository.git.env)
    return _read_beneath(top, (path for path in list_present(git, b"*.allium") if _is_spec(path)))


def read_revision(name: str) -> SpecSet:
    """All of the tree that a revision names; paths start at its top. Raises Fatal for no such."""
    repository = open_repository(Path.cwd())
    tree = resolve_tree(repository, name)
    if tree is None:
        raise Fatal(
            f"no such revision: '{name}'",
            hint="'git log --oneline --all' lists commits",
            commands=[["git", "log", "--oneline", "--all"]],
        )
    files: list[SpecFile] = []
    skipped: list[tuple[bytes, str]] = []
    for path, entry in repository.trees.files(tree):
        if not _is_spec(path):
            continue
        if entry.is_file:
            files.append(SpecFile(path, read_object(repository.objects.odb, entry.oid)))
        else:
            skipped.append((path, "it is a symbolic link" if entry.is_symlink else "it is no file"))
    return SpecSet(sorted(files), skipped)


def _simplify_name(name: str) -> str:
    """A name in its shortest spelling; as it is where that would be another file, since ".." leads
    up from where a link leads to.
    """
    simple = os.path.normpath(name)
    return simple if name and os.path.realpath(simple) == os.path.realpath(name) else name


def _is_spec(path: bytes) -> bool:
    return path.endswith(_SUFFIX)


def _is_folder(path: bytes) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def _read_alone(path: bytes) -> SpecSet:
    """A file by its name, with any suffix; links are followed, as the user named them."""
    place = Path(os.fsdecode(path))
    try:
        data = place.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Fatal(f"cannot read '{show_path(path)}': {why}", reason=Reason.INVALID) from error
    return SpecSet([SpecFile(path, data, place)])


def _read_folder(folder: bytes) -> SpecSet:
    found = _read_beneath(Path(os.fsdecode(folder)), _list_folder(folder))
    prefix = b"" if folder == b"." else folder.rstrip(b"/") + b"/"
    return SpecSet(
        [file._replace(path=prefix + file.path) for file in found.files],
        [(prefix + path, why) for path, why in found.skipped],
    )


def _list_folder(folder: bytes) -> Iterator[bytes]:
    """The specifications below a folder, relative to it; links to folders are not followed."""
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != b".git"]
        for name in filter(_is_spec, names):
            yield os.path.relpath(os.path.join(above, name), folder)  # noqa: PTH118


def _read_beneath(root: Path, paths: Iterable[bytes]) -> SpecSet:
    """Files of a tree. A link there may lead anywhere, so it is skipped, and so is what is no file;
    what is missing was removed and not committed yet.
    """
    tree = Beneath(root)
    files: list[SpecFile] = []
    skipped: list[tuple[bytes, str]] = []
    for path in sorted(paths):
        try:
            file = tree.read(path)
        except (ForbiddenPath, OSError) as error:
            skipped.append((path, _explain_error(error)))
            continue
        if file is not None:
            files.append(SpecFile(path, file.content, root / os.fsdecode(path)))
    return SpecSet(files, skipped)


def _explain_error(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) else None
    return (said or str(error)).lower()
