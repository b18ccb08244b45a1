"""The files of a checkout as they are on disk, committed or not, and those of a commit."""

import errno
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol

from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository

FOLDER = b".github/workflows/"
_ENDINGS = (b".yml", b".yaml")


class WorkflowFiles(Protocol):
    """Files by their paths, and which of them are workflows."""

    def read(self, path: bytes) -> bytes | None: ...

    def list_workflows(self) -> list[bytes]: ...

    def has_submodules(self) -> bool: ...


class StateFiles:
    """The files of a state whose paths are known, read from the working tree it was read from."""

    def __init__(self, repository: Repository, paths: Collection[bytes], top: Path) -> None:
        self._repository = repository
        self._paths = paths
        self._beneath = Beneath(top)

    def read(self, path: bytes) -> bytes | None:
        """As ``WorkingFiles.read``; None for what is not in the state, such as ignored files."""
        return _read_working(self._beneath, path) if path in self._paths else None

    def list_workflows(self) -> list[bytes]:
        """As ``WorkingFiles.list_workflows``."""
        found = (path for path in self._paths if path.startswith(FOLDER) and _is_workflow(path))
        return sorted(path for path in found if self.read(path) is not None)

    def has_submodules(self) -> bool:
        """Whether there are clones here of the submodules that the state names."""
        return _has_submodules(self._repository, self)


class CommitFiles:
    """The files of a commit, whose paths are known, with any content of the working tree."""

    def __init__(
        self, repository: Repository, tree: str, list_paths: Callable[[], Collection[bytes]]
    ) -> None:
        self._repository = repository
        self._tree = tree
        self._list_paths = list_paths

    def read(self, path: bytes) -> bytes | None:
        """As ``WorkingFiles.read``."""
        try:
            entry = self._repository.trees.find(self._tree, clean_path(path))
        except ForbiddenPath:
            return None
        if entry is None or not entry.is_file:
            return None
        content: bytes = self._repository.objects.odb.read(entry.oid)[1]
        return content

    def list_workflows(self) -> list[bytes]:
        """As ``WorkingFiles.list_workflows``."""
        listed = self._list_paths()
        found = (path for path in listed if path.startswith(FOLDER) and _is_workflow(path))
        return sorted(path for path in found if self.read(path) is not None)

    def has_submodules(self) -> bool:
        """As ``StateFiles.has_submodules``."""
        return _has_submodules(self._repository, self)


class WorkingFiles:
    """The tracked and untracked files of a working tree, read when they are asked for.

    No link is followed, as GitHub follows none.
    """

    def __init__(self, repository: Repository, git: Git, top: Path) -> None:
        self._repository = repository
        self._git = git
        self._beneath = Beneath(top)

    def read(self, path: bytes) -> bytes | None:
        """The content of a regular file, or None where there is none that can be read. Workflows
        name files too, so any path may come, also one that leads out of the tree.
        """
        return _read_working(self._beneath, path)

    def list_workflows(self) -> list[bytes]:
        """The paths of all workflow files, in the order of their names; ignored ones are not on
        GitHub.
        """
        listed = self._git.records(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate",
            "--", FOLDER,
        )  # fmt: skip
        return [
            path
            for path in sorted(set(listed))
            if _is_workflow(path) and self.read(path) is not None
        ]

    def has_submodules(self) -> bool:
        """As ``StateFiles.has_submodules``."""
        return _has_submodules(self._repository, self)


def _has_submodules(repository: Repository, files: WorkflowFiles) -> bool:
    # Late: hardly a state has submodules.
    from git_retcon.heal.submodules import has_clones

    return has_clones(repository, files.read)


def read_listed(top: Path, path: bytes, paths: Collection[bytes]) -> bytes:
    """A file of a state, wherever its files are. A link is followed to another one of them only:
    what a repository's link names elsewhere is not shown. Raises OSError.
    """
    root = os.path.realpath(os.fsencode(top))
    target = os.path.realpath(root + b"/" + path).removeprefix(root + b"/")
    content = _read_working(Beneath(Path(os.fsdecode(root))), target) if target in paths else None
    if content is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return content


def _read_working(beneath: Beneath, path: bytes) -> bytes | None:
    try:
        file = beneath.read(clean_path(path))
    except (ForbiddenPath, OSError):
        return None
    return None if file is None else file.content


def _is_workflow(path: bytes) -> bool:
    """GitHub reads the folder itself, none of the folders in it."""
    return path.endswith(_ENDINGS) and b"/" not in path.removeprefix(FOLDER)
