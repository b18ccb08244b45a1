"""What the worktree of a new state takes over from an earlier one: downloaded packages.

Moved, never copied, and only what holds no path of the earlier worktree: installed node modules
and the caches of package managers and compilers, which are keyed by contents. What holds paths
(virtual environments, editable installs, CMake's caches) would test the earlier tree, and what a
build made could pass where this tree fails.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.lock import hold_lock
from git_retcon.run.kept_worktrees import lock_of
from git_retcon.run.removal import remove

_STATE = "state"
_MODULES = "node_modules"
# Marks a worktree in which fixes were tried: nothing of it may reach a check.
_OF_HEALS = "of-heals"
_MADE_BY_BUILDS = (".cache", ".vite", ".vitest")
# Below the HOME of a job.
_CACHES = (
    ".bun/install/cache", ".cache/ccache", ".cache/deno", ".cache/go-build", ".cache/node",
    ".cache/pip", ".cache/pnpm", ".cache/pypoetry/cache", ".cache/sccache", ".cache/uv",
    ".cache/yarn", ".cargo/git", ".cargo/registry", ".ccache", ".local/share/pnpm/store",
    ".m2/repository", ".npm/_cacache", ".nuget/packages", "go/pkg/mod", ".gradle/wrapper",
)  # fmt: skip


def carry_folders(root: Path, commit: str) -> None:
    """Take over what the nearest earlier worktree of the repository has, if no check uses it.

    ``commit`` is the one that the state of the new worktree is on.
    """
    for earlier in _list_earlier(root, commit):
        # A worktree in use is passed over; the next one may be free.
        with contextlib.suppress(Fatal), hold_lock(lock_of(earlier), "checking in it"):
            if _move_from(earlier, root):
                return


def carry_nothing(root: Path, commit: str) -> None:
    """Begin without anything of earlier worktrees."""
    (root / _OF_HEALS).touch()


def clear_home(home: Path) -> None:
    """Leave of a job's HOME only the caches of package managers."""
    if not home.is_dir():
        return
    fresh = home.with_name(f"{home.name}.new")
    remove(fresh)
    fresh.mkdir()
    names = set(os.listdir(home))  # noqa: PTH208
    for cache in _CACHES:
        if cache.partition("/")[0] in names:
            _move_folder(home / cache, fresh / cache)
    remove(home)
    fresh.rename(home)


def _list_earlier(root: Path, commit: str) -> Iterator[Path]:
    """Worktrees of other states of the same repository, the nearest first: of the same commit,
    then those used last.
    """
    others = [
        each
        for each in root.parent.iterdir()
        if each != root
        and (each / _STATE).is_file()
        and (each / "jobs").is_dir()
        and not (each / _OF_HEALS).exists()
    ]
    yield from sorted(
        others, key=lambda each: (_read_commit(each) != commit, -(each / "jobs").stat().st_mtime)
    )


def _read_commit(root: Path) -> str:
    """The second line of what says whose state it is (``check_worktree``)."""
    return "".join((root / _STATE).read_text("ascii").split("\n")[1:2])


def _move_from(earlier: Path, root: Path) -> bool:
    """Whether there was anything to take over."""
    moved = False
    owner = _read_owner(earlier)
    aside = earlier / "tree.aside"  # killed before a checkout, its files are there
    tree = aside if aside.is_dir() and not aside.is_symlink() else earlier / "tree"
    for job in sorted((earlier / "jobs").iterdir()):
        target = root / "jobs" / job.name
        for cache in _CACHES:
            moved |= _move_folder(job / "home" / cache, target / "home" / cache)
        ignored = tree if job.name == owner else job / "ignored"
        for place in _find_modules(ignored):
            # Such a link would make the new worktree test the old one's files.
            if not _points_back(ignored / place, earlier):
                moved |= _move_folder(ignored / place, target / "ignored" / place)
                for made in _MADE_BY_BUILDS:
                    remove(target / "ignored" / place / made)
    return moved


def _points_back(modules: Path, earlier: Path) -> bool:
    """Whether a package is a link with the whole path of a folder in the earlier worktree."""
    packages = [*modules.glob("*"), *modules.glob("@*/*")]
    links = (os.readlink(each) for each in packages if each.is_symlink())  # noqa: PTH115
    return any(Path(link).is_relative_to(earlier) for link in links)


def _read_owner(earlier: Path) -> str:
    witness = earlier / "owner"
    return witness.read_text("ascii") if witness.is_file() else ""


def _find_modules(top: Path) -> list[Path]:
    """The outermost ``node_modules`` below a folder."""
    found = []
    for folder, folders, _ in os.walk(top):
        if _MODULES in folders:
            found.append(Path(folder, _MODULES).relative_to(top))
        folders[:] = [name for name in folders if name not in (_MODULES, ".git")]
    return found


def _move_folder(source: Path, target: Path) -> bool:
    # A link stays: its target belongs to somebody else.
    if not source.is_dir() or source.is_symlink() or target.exists():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(target)
    except OSError:  # on another file system, or somebody else's: then it is made again
        return False
    return True
