"""The submodules of a state, checked out from the clones that the user's repository has of them.

No network is asked: ``git submodule update --init`` is what brings them.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.git.process import (
    Git,
    GitError,
    run_unconfigured,
    split_records,
    unconfigured_environment,
)
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.workflows.steps import MODULES
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.clone import quote_alternate
from git_retcon.run.removal import remove
from git_retcon.run.worktree import Worktree

_LINK = b"160000 "
_DEEPEST = 16  # submodules within submodules


class MissingSubmodule(Exception):
    """A submodule whose commit is not here; the message says which."""


class Submodule(NamedTuple):
    """``name`` is what git calls the folder of its clone."""

    name: bytes
    path: bytes
    commit: str


def find_clone(git_dirs: Sequence[Path], top: Path | None, name: bytes, path: bytes) -> Path | None:
    """The git directory of a submodule; of one that was once added as a repository of its own, in
    its folder below ``top``.
    """
    places = [folder / "modules" / os.fsdecode(name) for folder in git_dirs]
    places += [top / os.fsdecode(path) / ".git"] if top else []
    return next((place for place in places if (place / "objects").is_dir()), None)


def has_clones(repository: Repository, read: Callable[[bytes], bytes | None]) -> bool:
    """Whether each submodule that a state names has a clone here; ``read`` gives its files."""
    content = read(MODULES) or b""
    try:
        found = [
            find_clone(_list_git_dirs(repository), repository.work_tree, clean_path(name), path)
            for path, name in read_names(content).items()
        ]
    except (GitError, ForbiddenPath):
        return False
    return all(found)


def read_names(content: bytes) -> Mapping[bytes, bytes]:
    """The names of submodules by their paths, of those that an update checks out.

    Raises GitError where ``.gitmodules`` cannot be read.
    """
    listed = run_unconfigured(Path("/"), "config", "--file", "-", "--list", "-z", stdin=content)
    paths: dict[bytes, bytes] = {}
    left_out = set()
    for record in split_records(listed):
        key, _, value = record.partition(b"\n")
        section, _, variable = key.rpartition(b".")
        if not section.startswith(b"submodule."):
            continue
        name = section.removeprefix(b"submodule.")
        if variable == b"path":
            paths[name] = value
        elif variable == b"update" and value == b"none":
            left_out.add(name)
    return {path: name for name, path in paths.items() if name not in left_out}


def check_out_submodules(worktree: Worktree, folder: Path, *, deep: bool) -> None:
    """Fill the folders of the submodules of a checkout; ``deep``: of those within them too.

    Raises MissingSubmodule where one is not here, and GitError where git cannot write one.
    """
    repository = worktree.repository
    git = worktree.git if folder == worktree.tree else _open(folder)
    _fill_folders(git, _list_git_dirs(repository), repository.work_tree, _DEEPEST if deep else 1)


def empty_submodules(worktree: Worktree) -> None:
    """Leave nothing in the folders of submodules: what an earlier job checked out there no other
    one finds.
    """
    if (worktree.tree / os.fsdecode(MODULES)).is_file():
        for path, _ in _list_links(worktree.git):
            _empty_folder(worktree.tree, Path(os.fsdecode(path)))


def _empty_folder(top: Path, path: Path) -> None:
    """Let a folder be there and empty. A checkout leaves what a step put in its place or above it:
    git looks no further where a submodule is.
    """
    for above in reversed(path.parents[:-1]):
        if (top / above).is_symlink() or not (top / above).is_dir():
            remove(top / above)
    place = top / path
    if place.is_symlink() or not place.is_dir() or any(place.iterdir()):
        remove(place)
        place.mkdir(parents=True)


def _fill_folders(git: Git, git_dirs: Sequence[Path], top: Path | None, depth: int) -> None:
    assert git.work_tree is not None
    content = _read_plain(git.work_tree / os.fsdecode(MODULES))
    if content is None or not depth:
        return
    names = read_names(content)
    for path, commit in _list_links(git):
        if path not in names:
            continue
        module = Submodule(names[path], path, commit)
        clone = _require_clone(module, git_dirs, top)
        folder = _write_files(module, git.work_tree, clone)
        within = top / os.fsdecode(path) if top else None
        _fill_folders(_open(folder), [clone], within, depth - 1)


def _require_clone(module: Submodule, git_dirs: Sequence[Path], top: Path | None) -> Path:
    shown = f"'{module.path.decode('utf-8', 'replace')}' at {shorten_id(module.commit)}"
    try:
        clone = find_clone(git_dirs, top, clean_path(module.name), clean_path(module.path))
    except ForbiddenPath as error:
        raise GitError(f"the submodule {shown} cannot be checked out: {error}") from error
    if clone is None or not _has_commit(clone, module.commit):
        raise MissingSubmodule(f"{shown} is not here")
    return clone


def _has_commit(clone: Path, commit: str) -> bool:
    asked = Git(clone).try_run("cat-file", "-e", f"{commit}^{{commit}}")
    return asked.returncode == 0


def _write_files(module: Submodule, top: Path, clone: Path) -> Path:
    """A repository over the objects of a clone, at a commit, with nothing of its configuration."""
    folder = top / os.fsdecode(module.path)
    # A link of the repository on the way would lead to files that are not ours.
    parent = os.path.join(os.path.realpath(top), folder.parent.relative_to(top))  # noqa: PTH118
    if os.path.realpath(folder.parent) != os.path.normpath(parent):
        shown = module.path.decode("utf-8", "replace")
        raise GitError(f"the submodule '{shown}' cannot be checked out: a link is on the way")
    remove(folder)
    folder.mkdir(parents=True)
    format_ = "sha256" if len(module.commit) == 64 else "sha1"
    run_unconfigured(folder, "-c", "init.defaultBranch=main", "init", "--quiet", "--template=",
                     f"--object-format={format_}")  # fmt: skip
    info = folder / ".git/objects/info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_bytes(quote_alternate(os.fsencode(clone / "objects")))
    if (clone / "shallow").is_file():
        shutil.copyfile(clone / "shallow", folder / ".git/shallow")
    _open(folder).run("checkout", "--quiet", "--detach", module.commit, "--")
    return folder


def _open(folder: Path) -> Git:
    return Git(folder / ".git", folder, unconfigured_environment())


def _list_links(git: Git) -> Iterator[tuple[bytes, str]]:
    """Path and commit of each submodule of the index."""
    for entry in git.records("ls-files", "-z", "--stage"):
        head, _, path = entry.partition(b"\t")
        if head.startswith(_LINK):
            yield path, head.split(b" ")[1].decode("ascii")


def _list_git_dirs(repository: Repository) -> Sequence[Path]:
    """Where git keeps clones of submodules: those of a linked worktree are its own."""
    return list(dict.fromkeys((repository.git_dir, repository.common_dir)))


def _read_plain(path: Path) -> bytes | None:
    """git too reads no ``.gitmodules`` that is a link."""
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None
