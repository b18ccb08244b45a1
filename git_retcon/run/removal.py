"""Removing what builds made, with any modes, and never through a symbolic link."""

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path


def remove(path: Path) -> None:
    """Remove a file, a link (not its target) or a whole directory; absence is fine.

    Raises OSError where even the owner may not.
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISDIR(mode):
        path.unlink()
        return
    try:
        _remove_tree(path)
    except PermissionError:
        make_writable(path)
        _remove_tree(path)


def is_plain(path: Path) -> bool:
    """Whether there is a file that is no link and no pipe."""
    return path.is_file() and not path.is_symlink()


def _remove_tree(path: Path) -> None:
    try:
        shutil.rmtree(path)
    except RecursionError:
        # Folders nested a thousand deep, before Python 3.13.
        done = subprocess.run(["rm", "-rf", "--", path], capture_output=True, check=False)
        if done.returncode:
            raise OSError(os.fsdecode(done.stderr).strip()) from None


def make_writable(top: Path) -> None:
    """Let the owner list, enter and change every directory beneath ``top``, itself included."""
    for _ in walk_entries(top):
        pass


def make_plain(top: Path) -> None:
    """The same, and remove all that is neither a directory nor a plain file."""
    for entry in walk_entries(top):
        if not (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)):
            os.unlink(entry.path)  # noqa: PTH108


def allow_owner(directory: Path | bytes) -> None:
    """Let the owner list, enter and change one directory."""
    with contextlib.suppress(OSError):
        mode = os.lstat(directory).st_mode
        if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(directory, stat.S_IMODE(mode) | stat.S_IRWXU)  # noqa: PTH101


def walk_entries(top: Path | bytes) -> Iterator[os.DirEntry[bytes]]:
    """All that is beneath a directory, each one opened to its owner before it is read."""
    # Bytes, as builds make names that are no UTF-8.
    pending = [os.fsencode(top)]
    while pending:
        directory = pending.pop()
        allow_owner(directory)
        with contextlib.suppress(OSError), os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                yield entry
