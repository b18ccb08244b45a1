"""Which recorded run a command is about, and how runs are named."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.heal.records.database import Database, database_path, open_database
from git_retcon.heal.records.runs import (
    StoredRun,
    find_run,
    read_last_run,
    settle_runs,
)
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.show.notices import say
from git_retcon.show.style import printable


class Records(NamedTuple):
    """What is recorded of the repository around this folder. ``prefix`` is the path from the top
    of the checkout to this folder, b"" at the top and where there is no checkout.
    """

    repository: Repository
    database: Database
    prefix: bytes

    @property
    def checkout(self) -> bytes:
        return bytes(self.repository.work_tree or self.repository.git_dir)


@contextlib.contextmanager
def open_records() -> Iterator[Records]:
    """The records, with runs that were killed said to be interrupted."""
    here = Path.cwd()
    repository = open_repository(here)
    remove_leftovers(repository)
    path = database_path(repository.common_dir)
    with open_database(path, lambda message, hint: say("warning", message, hint)) as database:
        settle_runs(database)
        yield Records(repository, database, _find_prefix(repository, here))


def choose_run(records: Records, name: str | None) -> StoredRun:
    """The run that is named, or the last one of this checkout. Raises Refused for none."""
    if name is not None:
        found = find_run(records.database, name)
        if found is None:
            raise Fatal(
                f"there is no run '{name}'",
                hint="'git heal log' lists them by their numbers",
                reason=Reason.INVALID,
                commands=[["git", "heal", "log"]],
            )
        return found
    last = read_last_run(records.database, records.checkout)
    if last is None:
        raise Refused(
            "nothing was checked in this checkout yet",
            hint="'git heal check' does it",
            reason=Reason.NOT_READY,
            commands=[["git", "heal", "check"]],
        )
    return last


def describe_run(run: StoredRun) -> str:
    """ "check 12, failed, 2026-11-22 04:03, topic a1b2c3d"."""
    begin = run.begin
    what = "check" if begin.source == "check" else begin.source
    where = " ".join(filter(None, (printable(begin.branch), shorten_id(begin.commit, TO_READ))))
    return ", ".join(
        filter(None, (f"{what} {run.number}", run.verdict, format_time(begin.started), where))
    )


def run_members(run: StoredRun) -> dict[str, object]:
    """What ``--json`` prints of a run (git-heal(1), OUTPUT)."""
    begin = run.begin
    return {
        "number": run.number,
        "run_id": begin.run_id,
        "commit": begin.commit or None,
        "tree": begin.tree or None,
        "branch": printable(begin.branch) or None,
        "source": begin.source,
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begin.started)),
        "seconds": None if run.seconds is None else round(run.seconds, 3),
        "verdict": run.verdict,
        "same_as": begin.same_as,
    }


def format_time(at: float) -> str:
    """A time as people of this machine read it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _find_prefix(repository: Repository, here: Path) -> bytes:
    top = repository.work_tree
    if top is None:
        return b""
    below = os.path.relpath(os.path.realpath(here), os.path.realpath(top))
    return b"" if below == "." or below.startswith("..") else os.fsencode(below)
