"""Snapshots of the files that a build must not change, to put them back.

A strong sandbox keeps a build from all of this. Landlock cannot do so beneath the folder that a
build may write. There, only these snapshots protect the files that judge a model's code, and
those that git would run later.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Fatal
from git_retcon.files.beneath import File
from git_retcon.files.lockfiles import is_lock_file
from git_retcon.files.protected import protected_reason
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.show.style import show_path

_ALWAYS = (b"build.sh", b".gitignore")
_GIT_SETTINGS = (
    b".git/config",
    b".git/config.worktree",
    b".git/info/attributes",
    b".git/info/exclude",
)
_HOOKS = b".git/hooks"
_STAGED = b".code-commit-protected.tmp"


@dataclass(frozen=True, slots=True)
class WatchedFiles:
    """The protected files as they were; None for one that was absent."""

    files: Mapping[bytes, File | None]


def watch_files(checkout: Checkout, judges: frozenset[bytes]) -> WatchedFiles:
    """Remember the protected files; lock files are a build's own to write."""
    names = {*checkout.list_tracked(), *_ALWAYS, *judges, *_agent_files(checkout)}
    for path in names:
        if _is_watched(path, judges):
            with contextlib.suppress(ForbiddenPath, OSError):
                # A put-back that was killed left it, once in a folder.
                checkout.files.remove_beside(path, _STAGED)
    found = {
        path: file
        for path in sorted(names)
        if _is_watched(path, judges) and (file := _read(checkout, path)) is not None
    }
    # git runs what these name, outside of every sandbox, the next time the user calls it.
    settings = {path: _read(checkout, path) for path in (*_GIT_SETTINGS, *_hooks(checkout))}
    return WatchedFiles(found | settings if _has_git_folder(checkout) else found)


def restore_watched(checkout: Checkout, watched: WatchedFiles) -> tuple[bytes, ...]:
    """Undo what a build did to them; return the paths that it touched.

    Raises Fatal where that cannot be done.
    """
    before = dict(watched.files)
    if _has_git_folder(checkout):
        # A hook that the build added is removed, not only put back.
        before |= {hook: None for hook in _hooks(checkout) if hook not in before}
    touched = [path for path, file in before.items() if _read(checkout, path) != file]
    for path in touched:
        try:
            checkout.files.replace(path, before[path], _STAGED)
        except (OSError, ForbiddenPath) as error:
            raise Fatal(
                f"the build changed '{show_path(path)}', and it cannot be put back: {error}",
                hint="look at what the build did before you run anything else",
            ) from error
    return tuple(sorted(touched))


def _is_watched(path: bytes, judges: frozenset[bytes]) -> bool:
    if path in judges:
        return True
    return protected_reason(path) is not None and not is_lock_file(path)


def _agent_files(checkout: Checkout) -> Iterator[bytes]:
    """The question, the rollup and the keys, and the logs of the session so far.

    Older logs are not kept twice: there may be gigabytes of them.
    """
    top = checkout.config_folder
    yield from _files_in(checkout, top)
    with contextlib.suppress(OSError):
        latest = max((top / "logs").iterdir())  # their names begin with the time
        written = list(_files_in(checkout, latest))
        # The log of this very build grows meanwhile.
        builds = [path for path in written if path.endswith(b"-build.txt")]
        growing = max(builds, key=_attempt, default=b"")
        yield from (path for path in written if path != growing)


def _files_in(checkout: Checkout, folder: Path) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_file() and not path.is_symlink():
                yield os.fsencode(path.relative_to(checkout.root))


def _attempt(path: bytes) -> int:
    number = path.rpartition(b"/")[2].partition(b"-")[0]
    return int(number) if number.isdigit() else 0


def _hooks(checkout: Checkout) -> tuple[bytes, ...]:
    folder = checkout.root / os.fsdecode(_HOOKS)
    with contextlib.suppress(OSError):
        return tuple(_HOOKS + b"/" + os.fsencode(entry.name) for entry in folder.iterdir())
    return ()


def _has_git_folder(checkout: Checkout) -> bool:
    return (checkout.root / ".git").is_dir()


def _read(checkout: Checkout, path: bytes) -> File | None:
    try:
        return checkout.files.read(path)
    except (ForbiddenPath, OSError):
        return None
