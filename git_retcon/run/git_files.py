"""What decides what git executes, remembered before a command runs and put back after it.

Where a sandbox cannot make ``.git`` read-only, a command could leave a hook or a setting there
that the user's next git command runs. Only what executes or redirects is put back; what replaced
it is kept aside. Refs, the index and logs are never touched: another terminal may have moved them.
"""

import contextlib
import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal
from git_retcon.files.xdg import state_folder
from git_retcon.git.repository import Repository
from git_retcon.run.git_settings import put_settings_back, read_settings
from git_retcon.show.counting import some_of

_SETTINGS = ("config", "config.worktree")
_SINGLE = (
    *_SETTINGS, "commondir", "gitdir", "objects/info/alternates", "objects/info/http-alternates"
)  # fmt: skip
# The last two name remotes, as git did before its settings could, and are still read.
_WHOLE = ("hooks", "info", "remotes", "branches")
_FOLDERS = ("objects", "objects/info", "worktrees", "modules")
# Of a worktree's own folder, and of a submodule's, which is a git directory by itself.
_OF_WORKTREE = ("gitdir", "commondir", "config.worktree")
_MOST_ENTRIES = 50_000  # a hostile tree must not cost more
_LARGEST = 64 * 1024 * 1024
_UNREAD = b"\0too large to keep: "


class Node(NamedTuple):
    """What is at a path: its type and permissions as in ``st_mode``, and a file's content or a
    link's target.
    """

    mode: int
    content: bytes = b""


class Restored(NamedTuple):
    """What was put back, by names for people; where what replaced it is; what was left alone."""

    names: Sequence[str] = ()
    kept: Path | None = None
    left: Sequence[str] = ()


def describe_restored(restored: Restored) -> Iterator[str]:
    """Lines for people on where the replaced versions are, and on what was left alone."""
    if restored.kept is not None:
        yield f"what replaced it is kept in '{restored.kept}'"
    if restored.left:
        yield f"it also changed, and this is left: {some_of(restored.left, 5)}"


class GitWatch:
    """The files of a repository that decide what git executes, as they were. ``close`` ends it."""

    def __init__(
        self,
        repository: Repository,
        top: Path,
        env: Mapping[str, str],
        executed: Sequence[Path] = (),
    ) -> None:
        """``top`` is the top of the working tree; ``env`` says where the user's state is kept.

        ``executed`` are files and folders of the working tree that git executes or obeys.
        """
        self._top, self._executed = top, executed
        self._link = top / ".git"
        self._link_before = _read_node(self._link)
        self._places = tuple(dict.fromkeys((repository.git_dir, repository.common_dir)))
        self._held = os.open(repository.git_dir, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._number = os.fstat(self._held).st_ino
        self._before = dict(self._list_nodes())
        self._settings = {
            path: read_settings(path) for path in self._before if path.name in _SETTINGS
        }
        self._env = env

    def close(self) -> None:
        """Let go of the git directory."""
        os.close(self._held)

    def restore(self) -> Restored:
        """Put back what differs. Raises Fatal where that cannot be done."""
        aside = _Aside(self._env)
        names: list[str] = []
        left: list[str] = []
        try:
            names += self._restore_link(aside)
            # A folder comes before what is in it, so what is in it is compared when it is back.
            for path in sorted({*self._before, *dict(self._list_nodes())}):
                names += self._restore_path(path, aside, left)
        except OSError as error:
            raise Fatal(
                f"the command changed git's own files, and they cannot be put back: {error}",
                hint="look at '.git' before you run git again",
            ) from error
        return Restored(names, aside.folder if aside.is_used else None, left)

    def _restore_link(self, aside: "_Aside") -> Iterator[str]:
        """Put back ``.git`` itself: a folder, a file that names one, or a symbolic link."""
        before, now = self._link_before, _read_node(self._link)
        is_folder = before is not None and stat.S_ISDIR(before.mode)
        if is_folder and now is not None and stat.S_ISDIR(now.mode):
            if self._link.stat().st_ino == self._number:
                return
        elif now == before:
            return
        # Not under its own name: a file cannot be where the rest of it goes.
        aside.take(self._link, "replaced-git")
        if is_folder:
            self._bring_back()
        elif before is not None:
            _write_node(self._link, before)
        yield ".git"

    def _bring_back(self) -> None:
        """Move the git directory back from wherever it was moved to."""
        where = Path(f"/proc/self/fd/{self._held}").readlink()
        if not where.is_dir() or where.stat().st_ino != self._number:
            raise OSError("'.git' was removed")
        where.rename(self._link)

    def _restore_path(self, path: Path, aside: "_Aside", left: list[str]) -> Iterator[str]:
        before, now = self._before.get(path), _read_node(path)
        if before == now or (before is not None and now is not None and _is_same(before, now)):
            return
        name = self._name_path(path)
        if path in self._settings and now is not None and stat.S_ISREG(now.mode):
            known, found = self._settings[path], read_settings(path)
            other = [f"{key} in {name}" for key in found.find_harmless(known)]
            left += other
            if found.executing == known.executing:
                return
            # Only where something else changed too is there anything to leave.
            if other:
                aside.copy(path, name)
                if put_settings_back(path, known):
                    yield name
                    return
        aside.take(path, name)
        if before is not None:
            _write_node(path, before)
        yield name

    def _name_path(self, path: Path) -> str:
        for place in self._places:
            if path.is_relative_to(place):
                return f".git/{path.relative_to(place)}"
        return str(path.relative_to(self._top) if path.is_relative_to(self._top) else path)

    def _list_nodes(self) -> Iterator[tuple[Path, Node]]:
        budget = _Budget()
        for place in self._places:
            yield from _list_git_folder(place, budget)
        for place in self._executed:
            yield from _node_at(place)
            if place.name == ".git":
                yield from _list_git_folder(place, budget)
            else:
                yield from _list_beneath(place, budget)


class _Aside:
    """A folder of the user's own for what a command put in the place of git's files."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._folder: Path | None = None

    @property
    def is_used(self) -> bool:
        return self._folder is not None

    @property
    def folder(self) -> Path:
        if self._folder is None:
            stamp = time.strftime("%Y-%m-%d-%H-%M-%S", time.gmtime())
            self._folder = state_folder(self._env) / "replaced" / f"{stamp}-{os.getpid()}"
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._folder

    def take(self, path: Path, name: str) -> None:
        """Move what is at a path here; nothing may be."""
        if os.path.lexists(path):
            shutil.move(path, self._find_place(name))

    def copy(self, path: Path, name: str) -> None:
        """Copy a file here."""
        shutil.copyfile(path, self._find_place(name), follow_symlinks=False)

    def _find_place(self, name: str) -> Path:
        place = self.folder / name
        for number in range(1, 1000):
            if not os.path.lexists(place):
                break
            place = self.folder / f"{name}.{number}"
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place


class _Budget:
    """How many files may still be looked at."""

    def __init__(self) -> None:
        self._left = _MOST_ENTRIES

    def take(self) -> None:
        """Raise OSError where there are more: one of them could be what matters."""
        self._left -= 1
        if self._left < 0:
            raise OSError(f"there are more than {_MOST_ENTRIES} files")


def _list_git_folder(place: Path, budget: _Budget) -> Iterator[tuple[Path, Node]]:
    """What decides in one git directory, those of its worktrees and submodules with it."""
    for name in (*_FOLDERS, *_SINGLE):
        yield from _node_at(place / name)
    for name in _WHOLE:
        yield from _node_at(place / name)
        yield from _list_beneath(place / name, budget)
    for folder in _folders_in(place / "worktrees", budget):
        yield from _node_at(folder)
        for name in _OF_WORKTREE:
            yield from _node_at(folder / name)
    yield from _list_modules(place / "modules", budget)


def _list_modules(place: Path, budget: _Budget) -> Iterator[tuple[Path, Node]]:
    """Submodules lie at any depth: their names have slashes."""
    for folder in _folders_in(place, budget):
        yield from _node_at(folder)
        if (folder / "HEAD").exists():
            yield from _list_git_folder(folder, budget)
        else:
            yield from _list_modules(folder, budget)


def _folders_in(place: Path, budget: _Budget) -> Iterator[Path]:
    if place.is_dir() and not place.is_symlink():
        for path in sorted(place.iterdir()):
            budget.take()
            if path.is_dir() and not path.is_symlink():
                yield path


def _list_beneath(folder: Path, budget: _Budget) -> Iterator[tuple[Path, Node]]:
    if folder.is_symlink():
        return
    for top, folders, names in os.walk(folder):
        for name in (*folders, *names):
            budget.take()
            yield from _node_at(Path(top, name))


def _node_at(path: Path) -> Iterator[tuple[Path, Node]]:
    node = _read_node(path)
    if node is not None:
        yield path, node


def _read_node(path: Path) -> Node | None:
    """What is at a path. Neither a link is followed nor a pipe opened."""
    with contextlib.suppress(OSError):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return Node(status.st_mode, os.fsencode(path.readlink()))
        if stat.S_ISREG(status.st_mode):
            if status.st_size > _LARGEST:
                return Node(status.st_mode, _UNREAD + repr(status).encode())
            return Node(status.st_mode, path.read_bytes())
        return Node(status.st_mode)
    return None


def _is_same(before: Node, now: Node) -> bool:
    """Whether both are folders: what is in them is compared by itself."""
    return stat.S_ISDIR(before.mode) and stat.S_ISDIR(now.mode)


def _write_node(path: Path, node: Node) -> None:
    if stat.S_ISDIR(node.mode):
        path.mkdir(parents=True, exist_ok=True)
    elif stat.S_ISLNK(node.mode):
        path.symlink_to(os.fsdecode(node.content))
    elif node.content.startswith(_UNREAD):
        raise OSError(f"'{path}' is too large to be kept")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(node.content)
        path.chmod(stat.S_IMODE(node.mode))
