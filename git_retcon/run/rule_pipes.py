"""Pipes where git reads rules: it would wait for ever for somebody to write ``.gitignore``."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator

from git_retcon.run.removal import allow_owner, walk_entries

RULES = frozenset({b".gitignore", b".gitattributes"})


def remove_rule_pipes(top: bytes, folders: Iterable[bytes]) -> None:
    """Remove the special files by these names in folders of the tree at ``top``, which their owner
    may change from then on.
    """
    for folder in sorted(folders):
        allow_owner(top + b"/" + folder)
        for name in RULES:
            remove_rule_pipe(top + b"/" + folder + b"/" + name)


def remove_rule_pipe(path: bytes) -> bool:
    """Remove it if it is neither a file nor a folder nor a link; whether it was so."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        mode = os.lstat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            os.unlink(path)  # noqa: PTH108
            return True
    return False


def list_folders(paths: Iterable[bytes]) -> frozenset[bytes]:
    """The folders of files, and those above them; the top is empty."""
    folders = {b""}
    for path in paths:
        folder = path.rpartition(b"/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition(b"/")[0]
    return frozenset(folders)


def walk_folders(top: bytes) -> Iterator[bytes]:
    """All folders of a tree."""
    yield b""
    for entry in walk_entries(top):
        if entry.is_dir(follow_symlinks=False):
            yield entry.path[len(top) + 1 :]
