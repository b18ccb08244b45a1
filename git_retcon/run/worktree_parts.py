"""The parts of a worktree that are ours, in whose place commands may have put anything.

Each of them is a folder or a plain file. A pipe would be waited for, for ever; behind a link lies
somebody's work, which would be removed and written as if it were ours.
"""

import contextlib
import os
from pathlib import Path

from git_retcon.files.atomic import save
from git_retcon.git.repository import Repository
from git_retcon.run.removal import allow_owner, is_plain, make_plain, remove

_SIGNATURE = "repository"
_FILES = ("config", "index", _SIGNATURE)


def sign_worktree(root: Path, repository: Repository) -> None:
    """Say in a worktree whose it is, if it does not."""
    owner = repository.real_common_dir
    if read_owner(root) != owner:
        place = root / _SIGNATURE
        allow_owner(root)
        remove(place)
        save(place, os.fsencode(owner) + b"\n")


def read_owner(root: Path) -> Path | None:
    """The common git directory that a worktree borrows objects from; None where it does not say."""
    with contextlib.suppress(OSError):
        if is_plain(place := root / _SIGNATURE):
            return Path(os.fsdecode(place.read_bytes().removesuffix(b"\n")))
    return None


def remove_link(root: Path) -> None:
    """Remove the worktree itself if it is a link, and not what is behind it."""
    if root.is_symlink():
        root.unlink()


def put_parts_right(root: Path) -> None:
    """Remove what is no part of ours, and let the owner change the folders; those of the tree are
    the checkout's.
    """
    allow_owner(root)
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and entry.name not in _FILES:
                allow_owner(Path(entry))
            elif not entry.is_file(follow_symlinks=False):
                remove(Path(entry))
    make_plain(root / "git")
