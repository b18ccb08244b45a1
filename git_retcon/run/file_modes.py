"""The modes that a checkout writes, put back where a command changed them.

git looks at one bit of a file's mode and at none of a folder's, so a checkout leaves the others.
"""

import os
import stat
from collections.abc import Iterable

from git_retcon.files.atomic import read_umask
from git_retcon.git.trees import Entry
from git_retcon.run.rule_pipes import list_folders

_EXECUTABLE = b"100755"


def restore_modes(top: bytes, files: Iterable[tuple[bytes, Entry]]) -> None:
    """Give the files of the tree at ``top``, and their folders, the modes of a fresh checkout."""
    mask = read_umask()
    plain, full = stat.S_IFREG | 0o666 & ~mask, stat.S_IFREG | 0o777 & ~mask
    paths = []
    for path, entry in files:
        paths.append(path)
        if entry.is_file:
            _put_back(top + b"/" + path, full if entry.mode == _EXECUTABLE else plain)
    for path in list_folders(paths):
        _put_back(top + b"/" + path, stat.S_IFDIR | 0o777 & ~mask)


def _put_back(path: bytes, wanted: int) -> None:
    try:
        mode = os.lstat(path).st_mode
        if mode == wanted or stat.S_IFMT(mode) != stat.S_IFMT(wanted):
            return
        # A folder has the bit for its group from the one above it.
        inherited = mode & stat.S_ISGID if stat.S_ISDIR(mode) else 0
        if mode != wanted | inherited:
            os.chmod(path, stat.S_IMODE(wanted | inherited))  # noqa: PTH101
    except OSError:  # not every file system has modes
        return
