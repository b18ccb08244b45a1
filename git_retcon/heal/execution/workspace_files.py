"""The files of the worktree while a job runs: for expressions, and for local actions."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.heal.workflows.reader import read_action
from git_retcon.heal.workflows.step_plans import list_action_paths
from git_retcon.heal.workflows.workflow import Action

_BLOCK = 1 << 20


class WorkspaceFiles:
    """Files below a folder, read as they are now; no link leads out of it."""

    def __init__(self, top: Path) -> None:
        self._top = os.fsencode(top)
        self._beneath = Beneath(top)

    def read(self, path: bytes) -> bytes | None:
        """The content of a regular file, or None where there is none that can be read."""
        try:
            file = self._beneath.read(clean_path(path))
        except (ForbiddenPath, OSError):
            return None
        return None if file is None else file.content

    def list_files(self) -> Iterator[bytes]:
        """Every file, those of git's own folder aside."""
        for folder, folders, names in os.walk(self._top):
            folders[:] = [name for name in folders if name != b".git"]
            for name in names:
                path = os.path.join(folder, name)  # noqa: PTH118
                # Sockets and broken links have no content to digest.
                if os.path.isfile(path):  # noqa: PTH113
                    yield os.path.relpath(path, self._top)

    def digest_file(self, path: bytes) -> bytes:
        """The sha256 of a file's content."""
        digest = hashlib.sha256()
        with open(os.path.join(self._top, path), "rb") as file:  # noqa: PTH118, PTH123
            while block := file.read(_BLOCK):
                digest.update(block)
        return digest.digest()

    def read_action(self, folder: bytes) -> Action | str:
        """The action in a folder, or why there is none."""
        for path in list_action_paths(folder):
            content = self.read(path)
            if content is not None:
                action, problems = read_action(path, content)
                return action or str(problems[0])
        return f"there is no action in {folder.decode('utf-8', 'replace') or '.'}"
