"""``git retcon clean``: list and remove the worktrees that are kept for builds."""

import sys
from collections.abc import Sequence
from pathlib import Path

from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.repository import find_repository
from git_retcon.options import Output
from git_retcon.run.kept_worktrees import KeptWorktree, list_worktrees, remove_worktree
from git_retcon.run.worktree_place import worktrees_directory
from git_retcon.settings import WORKTREE_DIR, Settings
from git_retcon.show.envelope import DONE, FAILED, PLANNED, Ending, failure_of
from git_retcon.show.notices import say, say_hint
from git_retcon.show.style import printable, write_line


def clean_worktrees(output: Output, *, everything: bool, dry_run: bool) -> Ending:
    """Remove this repository's worktrees, or everybody's; ``dry_run`` lists them only."""
    found = _find_worktrees(output, everything=everything)
    if dry_run:
        busy = []
        _print_list(found, output)
    else:
        busy = [refused for kept in found if (refused := _remove_worktree(kept, output))]
    skipped = {root for root, _ in busy}
    data = {
        "worktrees": [
            {
                "path": str(kept.root),
                "bytes": kept.size,
                "removed": not dry_run and kept.root not in skipped,
            }
            for kept in found
        ]
    }
    if not busy:
        return Ending(PLANNED if dry_run else DONE, data)
    _, first = busy[0]
    return Ending(FAILED, data, failure_of(first))


def _find_worktrees(output: Output, *, everything: bool) -> Sequence[KeptWorktree]:
    """Those of the repository that we are in, or everybody's."""
    repository = find_repository(Path.cwd())
    if repository is None and not everything and not output.quiet:
        say_hint("not in a repository; --all lists the worktrees of every repository")
    config = repository.config if repository else Config({})
    kept = list_worktrees(worktrees_directory(Settings.of(config).get(WORKTREE_DIR)))
    if everything:
        return list(kept)
    here = repository.common_dir.resolve() if repository else None
    return [each for each in kept if here is not None and each.repository == here]


def _print_list(found: Sequence[KeptWorktree], output: Output) -> None:
    if not output.json:
        for kept in found:
            write_line(sys.stdout, _describe_worktree(kept))


def _remove_worktree(kept: KeptWorktree, output: Output) -> tuple[Path, UserError] | None:
    """Remove one and say so; return the error where it is busy."""
    try:
        remove_worktree(kept.root)
    except UserError as error:
        say("warning", str(error))
        return kept.root, error
    if not (output.json or output.quiet):
        write_line(sys.stdout, f"removed {_describe_worktree(kept)}")
    return None


def _describe_worktree(kept: KeptWorktree) -> str:
    return f"{printable(str(kept.root))}  {kept.size / 1_000_000:.1f} MB"
