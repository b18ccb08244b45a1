"""What git ignores in a worktree belongs to the job that made it, and only that job finds it.

Otherwise a job could pass on the products of another, which on GitHub it never sees.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from git_retcon.files.atomic import save
from git_retcon.run.removal import is_plain, remove
from git_retcon.run.worktree import Worktree

_OWNER = "owner"
_KEPT = "ignored"
_PACKAGES = b"node_modules"


def exchange_ignored(worktree: Worktree, key: str) -> None:
    """Put what is ignored aside for the job that made it, and bring that of another one back.

    To be called where no file is untracked.
    """
    witness = worktree.root / _OWNER
    if not is_plain(witness):  # a command may have left something else in its place
        remove(witness)
    owner = witness.read_text("ascii") if witness.is_file() else ""
    if owner == key:
        return
    if owner:
        _move_all(worktree.tree, _name_kept(worktree, owner), list_ignored(worktree))
    # Before the move back: killed in between, the next job still knows whose files these are.
    save(witness, key.encode("ascii"))
    kept = _name_kept(worktree, key)
    if kept.is_dir():
        worktree.has_only_tracked = False
        _move_all(kept, worktree.tree, _list_kept(kept, worktree.tree))
        remove(kept)


def remove_products(worktree: Worktree) -> None:
    """Remove what is ignored, so that a job begins as on GitHub: its first step may make a folder
    that its last run made. Installed packages stay.
    """
    for path in list_ignored(worktree):
        place = os.path.join(os.fsencode(worktree.tree), path)  # noqa: PTH118
        # Packages are slow to install, and installers check what is there.
        if os.path.basename(path) != _PACKAGES:  # noqa: PTH119
            remove(Path(os.fsdecode(place)))


def list_ignored(worktree: Worktree) -> list[bytes]:
    """The paths that git ignores; a folder in which it ignores everything is one path."""
    if worktree.has_only_tracked:
        return []
    listed = worktree.git.records(
        "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
    )
    return [path.rstrip(b"/") for path in listed]


def _name_kept(worktree: Worktree, key: str) -> Path:
    return worktree.root / "jobs" / key / _KEPT


def _list_kept(kept: Path, tree: Path) -> Iterator[bytes]:
    """What can be moved back whole: everything whose place in the tree is free."""
    pending = [b""]
    while pending:
        folder = pending.pop()
        for entry in os.scandir(os.path.join(os.fsencode(kept), folder)):  # noqa: PTH118
            path = os.path.join(folder, entry.name)  # noqa: PTH118
            target = os.path.join(os.fsencode(tree), path)  # noqa: PTH118
            # A folder that is there has tracked files: only what is missing in it can move.
            if entry.is_dir(follow_symlinks=False) and os.path.isdir(target):  # noqa: PTH112
                pending.append(path)
            elif not os.path.lexists(target):
                yield path


def _move_all(source: Path, target: Path, paths: Iterable[bytes]) -> None:
    for path in list(paths):
        before = os.path.join(os.fsencode(source), path)  # noqa: PTH118
        place = os.path.join(os.fsencode(target), path)  # noqa: PTH118
        # git may list a folder and what is in it, which then has moved along
        if not os.path.lexists(before):
            continue
        os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
        if os.path.lexists(place):
            remove(Path(os.fsdecode(place)))
        os.rename(before, place)  # noqa: PTH104
