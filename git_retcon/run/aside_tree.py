"""The files of a worktree set aside, so that commands find an empty folder in their place."""

import contextlib
from pathlib import Path

from git_retcon.run.removal import remove


class AsideTree:
    """The folder ``tree`` of a worktree, which ``root`` is.

    A rename each way, whatever its size. Killed in between, the files are aside: ``bring_back``
    is for whoever opens the worktree next, too.
    """

    def __init__(self, root: Path) -> None:
        self._tree = root / "tree"
        self._aside = root / "tree.aside"
        self._left = root / "tree.left"
        self.is_set = False

    def set(self) -> None:
        """Set the files aside."""
        remove(self._aside)
        self._tree.rename(self._aside)
        self._tree.mkdir()
        self.is_set = True

    def bring_back(self) -> None:
        """Put the files back if they are aside; what lies in their place is removed."""
        self.is_set = False
        if self._aside.is_symlink():  # of a command: behind it is somebody's work
            remove(self._aside)
        if self._aside.is_dir():
            remove(self._left)
            with contextlib.suppress(FileNotFoundError):
                self._tree.rename(self._left)
            self._aside.rename(self._tree)
        # What still writes there loses its files, and stops nobody; the next time removes the rest.
        with contextlib.suppress(OSError):
            remove(self._left)
