"""The worktrees kept so far: whose they are, how large, when last used; and removing them."""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.lock import hold_lock
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.removal import remove
from git_retcon.run.stray_processes import end_strays
from git_retcon.run.worktree_parts import read_owner


@dataclass(frozen=True, slots=True)
class KeptWorktree:
    """A worktree on disk. ``size`` is in bytes of disk, ``last_used`` in seconds of the epoch.

    ``repository`` is the common git directory that it borrows objects from, None where the
    worktree does not say.
    """

    root: Path
    repository: Path | None
    size: int
    last_used: float

    @property
    def id(self) -> str:
        return self.root.name


def list_worktrees(base: Path) -> tuple[KeptWorktree, ...]:
    """Every worktree beneath ``base``, in path order, those whose repository is gone too."""
    top = Path(os.path.realpath(base))
    return tuple(
        _describe_worktree(root)
        for key in _list_directories(top)
        for root in _list_directories(key)
        if (root / "repository").is_file() or (root / "git").is_dir()
    )


def remove_worktree(root: Path) -> None:
    """Remove one worktree whole. Raises Fatal when a process uses it, or where it cannot go."""
    with hold_lock(lock_of(root), f"using the worktree '{root}'"):
        # A process that still writes there would make the directory again while it is removed.
        end_strays(root)
        try:
            remove(root)
        except OSError as error:
            raise Fatal(
                f"cannot remove the worktree '{root}': {error.strerror or error}",
                hint="change its permissions, then run the same command again",
                again=(),
            ) from error


def repository_key(repository: Repository) -> str:
    """A directory name for a repository: readable, and its own by a hash of its real path."""
    real = repository.real_common_dir
    name = real.parent.name if real.name == ".git" else real.name.removesuffix(".git")
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:40] or "repository"
    return f"{readable}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:12]}"


def lock_of(root: Path) -> Path:
    """The lock file of a worktree. It stays when the worktree goes, so that it is always one."""
    return root.with_name(f"{root.name}.lock")


def _describe_worktree(root: Path) -> KeptWorktree:
    last_used = 0.0
    # A lock is touched by every run; the folder itself changes only when something in it comes or
    # goes.
    for witness in (root, lock_of(root)):
        with contextlib.suppress(OSError):
            last_used = max(last_used, witness.stat().st_mtime)
    return KeptWorktree(root, read_owner(root), _disk_usage(root), last_used)


def _list_directories(top: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(p for p in top.iterdir() if p.is_dir() and not p.is_symlink())


def _disk_usage(top: Path) -> int:
    size = 0
    pending = [os.fsencode(top)]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    # Blocks, not length: sparse files and build caches differ much in these.
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return size
