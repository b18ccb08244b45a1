"""What a command in a sandbox may see and change, in words that fit every kind of sandbox.

Nothing beneath a *hidden* directory is seen, but for the *shown* and the *caches*, which are
read, and the *writable* one. All else of the system is read.
"""

import contextlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.clone import find_borrowed_objects
from git_retcon.run.sandbox.hard_links import find_hard_links
from git_retcon.run.sandbox.home import CACHE_VARIABLES, CACHES, TOOL_VARIABLES, TOOLCHAINS
from git_retcon.run.worktree import Worktree

# Homes, and where sockets of daemons and other programs' temporary files are.
_HIDDEN = ("/home", "/root", "/Users", "/run", "/tmp", "/var/tmp", "/private/tmp", "/etc/ssh")
_HIDDEN_FILES = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers")

# Kernel settings belong to root by user id, which needs no capability: as root they stay writable
# in a fresh /proc, and one of them names a program that the kernel runs outside.
KERNEL_SETTINGS = tuple(
    f"/proc/{name}" for name in ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "mtrr")
)


# What is kept in memory instead of on the disk (/tmp, /dev/shm, an empty home) may each fill one
# part of so many of the machine's memory: no process is charged for it.
PARTS_OF_MEMORY = 4


@dataclass(frozen=True, slots=True)
class Confinement:
    """One command's view of the file system. All paths are absolute.

    ``writable`` is the directory it can change, and ``scratch`` are others that lie elsewhere;
    ``protected`` are paths beneath or beside it that it can read and not change, and ``pinned``
    directories on the way to them that it cannot rename; ``veiled`` are directories and files
    beneath it that look empty; in the place of a file that is ``replaced``, another is read
    (Landlock can do none of the four). ``home`` is the user's HOME as the environment names it.
    """

    writable: Path
    home: Path = Path("/nonexistent")
    protected: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    hidden_files: tuple[Path, ...] = ()
    shown: tuple[Path, ...] = ()
    caches: tuple[Path, ...] = ()
    veiled: tuple[Path, ...] = ()
    scratch: tuple[Path, ...] = ()
    replaced: tuple[tuple[Path, Path], ...] = ()

    @property
    def pinned(self) -> tuple[Path, ...]:
        """A mount keeps its own name and not those above: renamed, they would take it along, and
        another file could be put where the protected or veiled one was.
        """
        kept = frozenset((*self.protected, *self.veiled))
        above = (part for place in kept for part in place.parents if part != self.writable)
        within = {part for part in above if part.is_relative_to(self.writable)}
        # What is protected as a whole needs no mount within, and one made before would be covered.
        inner = {place for place in within if not kept.isdisjoint((place, *place.parents))}
        return tuple(sorted(within - inner))


def confine_to_worktree(
    worktree: Worktree, env: Mapping[str, str], *, veiled: Iterable[Path] = ()
) -> Confinement:
    """What a command sees that runs in a worktree of ours with the environment ``env``.

    The user's own checkout (which may hold an untracked ``.env``) and every other worktree are
    hidden; the objects that the worktree borrows are shown, so that git works. Of the worktree
    itself, what is ``veiled`` looks empty.
    """
    repository = worktree.repository
    places = [repository.common_dir, repository.git_dir, worktree.root.parent.parent]
    if repository.work_tree is not None:
        places.append(repository.work_tree)
    return confine_to(
        worktree.tree,
        env,
        protected=(worktree.tree / ".git", worktree.git_dir),
        hidden=tuple(places),
        shown=find_borrowed_objects(repository),
        veiled=veiled,
    )


def confine_to(
    writable: Path,
    env: Mapping[str, str],
    *,
    protected: Iterable[Path] = (),
    hidden: Iterable[Path] = (),
    shown: Iterable[Path] = (),
    veiled: Iterable[Path] = (),
) -> Confinement:
    """What a command sees that may write beneath ``writable`` alone.

    HOME and PATH of ``env`` say where the user's secrets and tools are. A ``.git`` at the top of
    ``writable`` is protected in any case, and so is what has another name outside of it.
    """
    home = Path(env.get("HOME") or Path.home())
    secret = [Path(place) for place in _HIDDEN] + [home, *hidden]
    tools = [*_places(home, TOOLCHAINS, env, TOOL_VARIABLES), *_tools_on(env, home)]
    caches = _places(home, CACHES, env, CACHE_VARIABLES)
    guarded = [writable / ".git", *protected, *find_hard_links(_real(writable))]
    unseen = {_real(place) for place in secret if place.is_dir()} - {Path("/")}
    covered = _drop_inner(_real(place) for place in veiled if place.exists())
    shown_places = _select_showable([*tools, *shown], unseen)
    cached = _select_showable(caches, unseen)
    seen = (*shown_places, *cached)
    sockets = (place for place in find_sockets() if not _is_unseen(place, unseen, seen))
    others = (place for place in sockets if not place.is_relative_to(_real(writable)))
    return Confinement(
        writable=_real(writable),
        home=home,
        protected=tuple(dict.fromkeys(_real(place) for place in guarded if place.exists())),
        hidden=tuple(sorted(unseen)),
        hidden_files=tuple(Path(place) for place in _HIDDEN_FILES if Path(place).is_file()),
        shown=shown_places,
        caches=cached,
        veiled=tuple(dict.fromkeys((*covered, *others))),
    )


def _drop_inner(places: Iterable[Path]) -> Iterator[Path]:
    """Without what lies in another of them: in a folder that looks empty nothing can be mounted."""
    found = frozenset(places)
    return (place for place in sorted(found) if found.isdisjoint(place.parents))


def find_sockets(table: Path = Path("/proc/net/unix")) -> Iterator[Path]:
    """Where programs listen on UNIX sockets: a read-only mount keeps nobody from connecting.

    The kernel tells the name that each was given, perhaps by a relative path: then it is looked
    for where programs are. One whose program went elsewhere since is not found.
    """
    with contextlib.suppress(OSError):
        lines = [line.split(None, 7) for line in table.read_bytes().splitlines()[1:]]
        names = {os.fsdecode(words[7]) for words in lines if len(words) == 8}
        named = {name for name in names if not name.startswith("@")}  # the others have no file
        relative = [name for name in named if not name.startswith("/")]
        folders = _find_working_folders() if relative else ()
        below = (folder / name for folder in folders for name in relative)
        absolute = map(Path, named.difference(relative))
        for place in sorted({_real(place) for place in (*absolute, *below)}):
            with contextlib.suppress(OSError):
                if stat.S_ISSOCK(place.lstat().st_mode):
                    yield place


def _find_working_folders() -> Collection[Path]:
    """Where the programs are whose folder this user may know."""
    found: set[Path] = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found.add((process / "cwd").readlink())
    return found


def _places(
    home: Path,
    below_home: Iterable[str],
    env: Mapping[str, str],
    variables: Mapping[str, tuple[str, ...]],
) -> Iterator[Path]:
    yield from (home / place for place in below_home)
    for name, parts in variables.items():
        if Path(env.get(name, "")).is_absolute():
            yield from (Path(env[name], part) for part in parts)


def _tools_on(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """The directories that PATH names, and what their programs belong to."""
    yield Path("/run/current-system")  # NixOS keeps the system's tools there
    for name in env.get("PATH", "").split(os.pathsep):
        place = Path(name)
        if place.is_absolute() and place != home:
            yield place
            if place.name == "bin" and place.parent not in (home, home / ".local"):
                yield from _installation(place.parent)


def _installation(top: Path) -> Iterator[Path]:
    """What a ``bin`` directory belongs to: a virtual environment and its base, or a prefix."""
    settings = top / "pyvenv.cfg"
    if settings.is_file():
        yield top
        found = re.search(r"^home\s*=\s*(.+?)\s*$", settings.read_text("utf-8", "replace"), re.M)
        if found and Path(found[1]).name == "bin":
            yield from _installation(Path(found[1]).parent)
    elif (top / "lib").is_dir():
        yield top


def _select_showable(places: Iterable[Path], unseen: Collection[Path]) -> tuple[Path, ...]:
    """Existing places under their real name, and under their own where a link on the way to them
    would be unseen; nothing that would show the unseen.
    """
    found: dict[Path, None] = {}
    named: list[Path] = []
    for place in places:
        real = _real(place)
        if place.is_dir() and not any(hidden.is_relative_to(real) for hidden in unseen):
            found[real] = None
            named.append(Path(os.path.abspath(place)))  # noqa: PTH100
    # Where the link itself is seen, bubblewrap cannot bind its name, and need not.
    links = ((name, link) for name in named if (link := _link_in(name)) is not None)
    hidden = [name for name, link in links if _is_unseen(link, unseen, tuple(found))]
    return tuple(dict.fromkeys((*hidden, *found)))


def _link_in(path: Path) -> Path | None:
    """The first symbolic link on the way to a path, itself included."""
    return next((part for part in (*reversed(path.parents), path) if part.is_symlink()), None)


def _is_unseen(path: Path, unseen: Collection[Path], shown: Iterable[Path]) -> bool:
    if any(path.is_relative_to(place) for place in shown):
        return False
    return any(path.is_relative_to(place) for place in unseen)


def _real(place: Path) -> Path:
    return Path(os.path.realpath(place))
