"""``git heal clean``: remove the worktrees of checks, and what is recorded of runs."""

import re
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.repository import Repository, find_repository
from git_retcon.heal.check_situation import worktrees_folder
from git_retcon.heal.records.database import database_path, open_database
from git_retcon.heal.records.recent_names import write_names
from git_retcon.heal.records.runs import count_old_runs, drop_runs, settle_runs
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.options import Output
from git_retcon.run.kept_worktrees import KeptWorktree, list_worktrees, remove_worktree
from git_retcon.settings import Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import DONE, FAILED, PLANNED, Ending, failure_of
from git_retcon.show.notices import say, say_hint
from git_retcon.show.style import printable, write_line

_RUN_ID = re.compile(r"[0-9a-f]{16}")


class Cleaning(NamedTuple):
    """What to remove: ``everything`` means of every repository; ``until`` is a time, and what was
    used since stays; ``dry_run`` only lists.
    """

    everything: bool
    until: float
    dry_run: bool


def clean(everything: bool, age: float, dry_run: bool, output: Output) -> Ending:
    """Remove what was not used for an age in seconds. What a process uses stays."""
    cleaning = Cleaning(everything, time.time() - age, dry_run)
    repository = find_repository(Path.cwd())
    if repository is not None and not dry_run:
        remove_leftovers(repository)
    if repository is None and not everything and not output.quiet:
        say_hint("not in a repository; --all lists what is kept of every repository")
    found = _find_worktrees(repository, cleaning)
    busy = [] if dry_run else [error for kept in found if (error := _remove_worktree(kept))]
    kept = {root for root, _ in busy}
    removed = [one for one in found if one.root not in kept]
    runs = sum(_clean_runs(path, cleaning) for path in _list_databases(repository, found))
    if not output.json and not (output.quiet and not dry_run):
        for line in _list_lines(removed, runs, dry_run=dry_run):
            write_line(sys.stdout, line)
    data = _list_members(found, {} if dry_run else {one.root for one in removed}, runs)
    if busy:
        return Ending(FAILED, data, failure_of(busy[0][1]))
    return Ending(PLANNED if dry_run else DONE, data)


def _find_worktrees(repository: Repository | None, cleaning: Cleaning) -> list[KeptWorktree]:
    config = repository.config if repository else Config({})
    here = repository.common_dir.resolve() if repository else None
    return [
        kept
        for kept in list_worktrees(worktrees_folder(Settings.of(config)))
        if _is_of_heal(kept.root)
        and kept.last_used < cleaning.until
        and (cleaning.everything or (here is not None and kept.repository == here))
    ]


def _is_of_heal(root: Path) -> bool:
    """Other commands keep worktrees in the same folder."""
    return (root / "state").is_file() or _RUN_ID.match(root.name) is not None


def _list_databases(repository: Repository | None, found: Iterable[KeptWorktree]) -> Sequence[Path]:
    folders = [repository.common_dir] if repository else []
    folders += [kept.repository for kept in found if kept.repository]
    paths = {database_path(folder.resolve()) for folder in folders}
    return sorted(path for path in paths if path.is_file())


def _remove_worktree(kept: KeptWorktree) -> tuple[Path, UserError] | None:
    """Remove one; the error where it is busy."""
    try:
        remove_worktree(kept.root)
    except UserError as error:
        say("warning", str(error))
        return kept.root, error
    return None


def _clean_runs(path: Path, cleaning: Cleaning) -> int:
    """Forget the runs that are old enough; how many. Heals and what they cost stay."""
    with open_database(path, lambda message, hint: say("warning", message, hint)) as database:
        settle_runs(database)
        if cleaning.dry_run:
            return count_old_runs(database, cleaning.until)
        dropped = drop_runs(database, cleaning.until)
        write_names(database)
    return dropped


def _list_lines(worktrees: Sequence[KeptWorktree], runs: int, *, dry_run: bool) -> list[str]:
    begin = "" if dry_run else "removed "
    lines = [
        f"{begin}{printable(str(kept.root))}  {kept.size / 1_000_000:.1f} MB" for kept in worktrees
    ]
    return [*lines, f"{begin}{count(runs, 'recorded run')}"] if runs else lines


def _list_members(
    found: Sequence[KeptWorktree], removed: Iterable[Path], runs: int
) -> dict[str, object]:
    gone = set(removed)
    worktrees = [
        {"path": str(kept.root), "bytes": kept.size, "removed": kept.root in gone} for kept in found
    ]
    return {"worktrees": worktrees, "runs": runs}
