"""Snapshots of the files that a build must not change, to put them back.

A strong sandbox keeps a build from all of this, but for a ``.git`` that is a symbolic link.
Landlock cannot do so beneath the folder that a build may write. There, only these snapshots
protect the files that judge a model's code, and those that git would run later.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from git_retcon.code_commit.protected_links import find_link_targets
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Fatal
from git_retcon.files.beneath import File
from git_retcon.files.lockfiles import is_lock_file
from git_retcon.files.protected import (
    is_started_by_itself,
    protected_reason,
    started_places,
)
from git_retcon.files.untrusted_paths import ForbiddenPath, list_parents
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.executed_files import find_executed
from git_retcon.run.git_files import GitWatch, describe_restored
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_ALWAYS = (b"build.sh", b".gitignore")
_STAGED = b".code-commit-protected.tmp"


@dataclass(frozen=True, slots=True)
class WatchedFiles:
    """The protected files as they were, and those of git's that decide what it executes;
    ``executed`` are those of them that are in the tree, ``seen`` what was there, readable or not,
    of what must not be planted.
    """

    files: Mapping[bytes, File]
    git: GitWatch
    executed: tuple[Path, ...] = ()
    seen: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Spoiled:
    """The protected paths that a build touched, and lines for people about git's own."""

    paths: tuple[bytes, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What it touched, for one line; empty where that is nothing."""
        names = (f"'{show_path(path)}'" for path in self.paths)
        return f"it changed {some_of(names, 2)}, protected and put back" if self.paths else ""


@contextlib.contextmanager
def watch_files(checkout: Checkout, judges: frozenset[bytes]) -> Iterator[WatchedFiles]:
    """Remember the protected files; lock files are a build's own to write."""
    names = {
        *checkout.list_tracked(), *_ALWAYS, *judges, *_agent_files(checkout),
        *_list_started(checkout),
    }  # fmt: skip
    watched = [path for path in names if _is_watched(path, judges)]
    links = [each for path in watched if (each := checkout.root / os.fsdecode(path)).is_symlink()]
    targets = find_link_targets(checkout, watched)
    judges |= targets
    judges |= {path for path in names if not targets.isdisjoint(list_parents(path))}
    names |= targets
    for path in names:
        if _is_watched(path, judges):
            with contextlib.suppress(ForbiddenPath, OSError):
                # A put-back that was killed left it, once in a folder.
                checkout.files.remove_beside(path, _STAGED)
    found = {
        path: file
        for path in sorted(names)
        if _is_watched(path, judges) and (file := _read_file(checkout, path)) is not None
    }
    executed = find_executed(checkout.repository, checkout.root)
    git = GitWatch(checkout.repository, checkout.root, os.environ, (*executed, *links))
    try:
        yield WatchedFiles(found, git, executed, _list_plantable(checkout))
    finally:
        git.close()


def restore_watched(checkout: Checkout, watched: WatchedFiles) -> Spoiled:
    """Undo what a build did to them. Raises Fatal where that cannot be done."""
    restored = watched.git.restore()  # first: it may have moved '.git' away
    # None for what was not there.
    before = dict.fromkeys(_list_plantable(checkout) - watched.seen) | dict(watched.files)
    touched = [path for path, file in before.items() if not _is_still(checkout, path, file)]
    for path in touched:
        try:
            checkout.files.replace(path, before[path], _STAGED)
        except (OSError, ForbiddenPath) as error:
            raise Fatal(
                f"the build changed '{show_path(path)}', and it cannot be put back: {error}",
                hint="look at what the build did before you run anything else",
            ) from error
    names = {*touched, *map(os.fsencode, restored.names)}
    return Spoiled(tuple(sorted(names)), tuple(describe_restored(restored)))


def _is_still(checkout: Checkout, path: bytes, file: File | None) -> bool:
    """Whether a path holds just this file; None: nothing, no link that leads nowhere either."""
    if file is None:
        return not checkout.files.exists(path)
    return _read_file(checkout, path) == file


def _is_watched(path: bytes, judges: frozenset[bytes]) -> bool:
    if path in judges or is_started_by_itself(path):
        return True
    return protected_reason(path) is not None and not is_lock_file(path)


def _list_plantable(checkout: Checkout) -> frozenset[bytes]:
    """What acts by being there: what an editor or a shell would run by itself, and a question or
    a key that the next run would take for the user's.
    """
    return frozenset((*_list_started(checkout), *_list_config(checkout)))


def _list_started(checkout: Checkout) -> Iterator[bytes]:
    for place in started_places():
        top = checkout.root / os.fsdecode(place)
        if top.is_file() and not top.is_symlink():
            yield place
        elif top.is_dir() and not top.is_symlink():
            yield from (
                os.fsencode(path.relative_to(checkout.root))
                for path in top.rglob("*")
                if path.is_file() and not path.is_symlink()
            )


def _agent_files(checkout: Checkout) -> Iterator[bytes]:
    """The question, the rollup and the keys, and the logs of the session so far.

    Older logs are not kept twice: there may be gigabytes of them.
    """
    top = checkout.config_folder
    yield from _list_config(checkout)
    with contextlib.suppress(OSError):
        folders = sorted((top / "logs").iterdir())  # their names begin with the time
        latest = folders[-1] if folders else top / "logs"
        written = list(_files_in(checkout, latest))
        # The log of this very build grows meanwhile.
        builds = [path for path in written if path.endswith(b"-build.txt")]
        growing = max(builds, key=_attempt_write, default=b"")
        yield from (path for path in written if path != growing)


def _list_config(checkout: Checkout) -> Iterator[bytes]:
    """What is in ``agent-config`` itself, links too: a run reads through them."""
    with contextlib.suppress(OSError):
        for path in checkout.config_folder.iterdir():
            if path.is_symlink() or not path.is_dir():
                yield os.fsencode(path.relative_to(checkout.root))


def _files_in(checkout: Checkout, folder: Path) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_file() and not path.is_symlink():
                yield os.fsencode(path.relative_to(checkout.root))


def _attempt_write(path: bytes) -> int:
    number = path.rpartition(b"/")[2].partition(b"-")[0]
    return int(number) if number.isdigit() else 0


def _read_file(checkout: Checkout, path: bytes) -> File | None:
    try:
        return checkout.files.read(path)
    except (ForbiddenPath, OSError):
        return None
