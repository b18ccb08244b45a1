"""Removing what builds made, with any modes, and never through a symbolic link."""

import contextlib
import os
import shutil
import stat
import subprocess
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
    # Bytes, as builds make names that are no UTF-8.
    pending = [os.fsencode(top)]
    while pending:
        directory = pending.pop()
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(os.lstat(directory).st_mode)
            if mode & stat.S_IRWXU != stat.S_IRWXU:
                os.chmod(directory, mode | stat.S_IRWXU)  # noqa: PTH101
            with os.scandir(directory) as entries:
                pending += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
