"""``git retcon clean``: the worktrees kept for builds, listed and removed."""

import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.repository import Repository, open_repository
from git_retcon.run.checks import worktrees_directory
from git_retcon.run.kept_worktrees import KeptWorktree, list_worktrees, remove_worktree
from git_retcon.settings import WORKTREE_DIR, Settings
from git_retcon.show.style import printable, write_line


def clean_worktrees(*, everything: bool, dry_run: bool) -> int:
    """Remove this repository's worktrees, or everybody's. The exit status."""
    repository = _here()
    if repository is None and not everything:
        write_line(sys.stderr, "hint: not in a repository; --all lists those of every repository")
    config = repository.config if repository else Config({})
    base = worktrees_directory(Settings.of(config).get(WORKTREE_DIR))
    status = 0
    for kept in _wanted(base, None if everything else repository, everything=everything):
        line = f"{printable(str(kept.root))}  {_megabytes(kept.size)}"
        if dry_run:
            write_line(sys.stdout, line)
            continue
        try:
            remove_worktree(kept.root)
        except UserError as error:
            write_line(sys.stderr, f"warning: {printable(str(error))}")
            status = 1
            continue
        write_line(sys.stdout, f"removed {line}")
    return status


def _here() -> Repository | None:
    try:
        return open_repository(Path.cwd())
    except UserError:
        return None


def _wanted(
    base: Path, repository: Repository | None, *, everything: bool
) -> Iterator[KeptWorktree]:
    for kept in list_worktrees(base):
        ours = repository is not None and kept.repository == repository.common_dir.resolve()
        if everything or ours:
            yield kept


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
