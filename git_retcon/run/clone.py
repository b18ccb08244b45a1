"""A git directory of our own over the user's objects.

A linked worktree shares refs, stash and config with the user's repository; a build that runs
git could move them. This directory shares objects alone, read through alternates, and knows the
user's tags (for ``git describe``) and what decides how a checkout looks: line ends, filters,
attributes, ignored paths. What a build changes in it is put back before the next checkout.
"""

import functools
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.files.atomic import save, save_for_now
from git_retcon.git.config import Config
from git_retcon.git.process import run_git
from git_retcon.git.repository import Repository, explain_libgit2
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.removal import is_plain, remove
from git_retcon.run.secret_settings import holds_login, holds_secret

if TYPE_CHECKING:
    import pygit2

# How deep git itself follows alternates of alternates.
_DEEPEST_ALTERNATE = 5

# The settings of the user's repository that decide what a checkout writes. What depends on the
# file system (filemode, symlinks, ignorecase) git finds out by itself where the clone is made.
_CHECKOUT_SETTING = re.compile(
    r"core\.(autocrlf|eol|excludesfile|attributesfile|checkroundtripencoding|longpaths)$"
    r"|filter\.|lfs\."
)

_DETACHED = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})\n")
_NO_TAGS = b"# pack-refs with: sorted \n"
_COPIED = ("info/attributes", "info/exclude", "shallow")
# What git and its filters keep in a git directory and a checkout does not depend on.
_KEPT = frozenset(
    {"HEAD", "config", "info", "lfs", "modules", "objects", "packed-refs", "refs", "shallow"}
)


@dataclass(frozen=True)
class SharedClone:
    """The git directory ``git_dir`` over the objects of ``repository``."""

    git_dir: Path
    repository: Repository

    def restore(self) -> bool:
        """Make the directory, or put back what differs from how it was made.

        True when something that decides how files are written out has changed, so that no file
        of an earlier checkout can be trusted to look right.
        """
        if not self.is_usable():
            self._create_clone()
        self._remove_leftovers()
        changed = [
            name
            for name, content in self._read_expected().items()
            if self._replace_file(name, content)
        ]
        return any(name in ("config", "info/attributes") for name in changed)

    def environment(self) -> dict[str, str]:
        """The environment of our own git calls on this directory.

        What decides how a checkout looks and holds a secret is in it alone: every command of the
        worktree can read the clone's own settings.
        """
        env = {
            name: value
            for name, value in self.repository.git.env.items()
            # Settings of ours take their place below, and object stores are named one by one.
            if not name.startswith(("GIT_CONFIG_", "GIT_OBJECT_"))
        }
        # In a hook, new objects are in a quarantine directory that the environment names.
        places = [os.path.abspath(place) for place in _list_quarantine(self.repository.git.env)]  # noqa: PTH100
        if places:
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(places)
        settings = {
            # What lets git take a file for unchanged without looking at it is switched off.
            "core.fsmonitor": "false",
            "core.hooksPath": os.devnull,
            "core.sparseCheckout": "false",
            "core.splitIndex": "false",
            "core.untrackedCache": "false",
            "core.trustctime": "true",
            "core.checkStat": "default",
            "submodule.recurse": "false",
        }
        pairs = [*_list_checkout_settings(self.repository.config, secret=True), *settings.items()]
        env["GIT_CONFIG_COUNT"] = str(len(pairs))
        for number, (key, value) in enumerate(pairs):
            env[f"GIT_CONFIG_KEY_{number}"] = key
            env[f"GIT_CONFIG_VALUE_{number}"] = value
        return env

    def open_objects(self) -> "pygit2.Repository":
        """libgit2's view of its objects as they are now, for reading and writing them."""
        import pygit2
        from pygit2.enums import RepositoryOpenFlag

        flags = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
        with explain_libgit2():
            return pygit2.Repository(os.fsencode(self.git_dir), flags)

    @property
    def ignores_case(self) -> bool:
        """Whether its file system does, as git found when it made the directory."""
        return b"ignorecase = true" in self._initial_config.read_bytes()

    @property
    def _initial_config(self) -> Path:
        return self.git_dir.with_name("config")

    def is_usable(self) -> bool:
        """Whether the directory is one that git takes."""
        folders = (self.git_dir / name for name in (".", "objects", "refs"))
        others = (self.git_dir / name for name in ("info", "objects/info", "objects/pack"))
        return (
            is_plain(self._initial_config)
            and all(map(_is_folder, folders))
            and all(_is_folder(each) for each in others if os.path.lexists(each))
        )

    def _create_clone(self) -> None:
        """Build beside, then rename: a directory of that name is always a whole one."""
        fresh = self.git_dir.with_name("git.new")
        remove(fresh)
        remove(self.git_dir)
        format_ = self.repository.config.get("extensions.objectformat") or "sha1"
        if format_ == "sha1":
            _create_bare(fresh)
        else:
            self._create_other(fresh, format_)
        # A bare one has no working tree of its own, which this one has elsewhere.
        config = (fresh / "config").read_bytes().replace(b"bare = true", b"bare = false")
        save(self._initial_config, config)
        fresh.rename(self.git_dir)

    def _create_other(self, fresh: Path, format_: str) -> None:
        """Let git do it: libgit2 knows no other object format."""
        env = self.environment() | {"GIT_TEMPLATE_DIR": "", "GIT_DEFAULT_REF_FORMAT": "files"}
        done = run_git(
            ["init", "-q", "--bare", f"--object-format={format_}", os.fspath(fresh)], env=env
        )
        if done.returncode != 0:
            raise OSError(done.stderr.decode("utf-8", "replace").strip())

    def _read_expected(self) -> Mapping[str, bytes | None]:
        common = self.repository.common_dir
        expected: dict[str, bytes | None] = {
            "config": self._initial_config.read_bytes() + checkout_settings(self.repository.config),
            "objects/info/alternates": list_alternates(self.repository),
            "packed-refs": self._list_tags(),
        }
        for name in _COPIED:
            source = common / name
            expected[name] = source.read_bytes() if source.is_file() else None
        return expected

    def _list_tags(self) -> bytes:
        """The user's tags, as a file of packed refs; asked for again when one has changed."""
        state = _state_of_tags(self.repository.common_dir)
        if not state.has_any:
            return _NO_TAGS
        if state not in self._known_tags:
            # One broken tag must not cost the others, so the status is not asked for.
            refs = self.repository.git.try_run(
                "for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"
            )
            self._known_tags.clear()
            self._known_tags[state] = _NO_TAGS + refs.stdout
        return self._known_tags[state]

    @functools.cached_property
    def _known_tags(self) -> dict["_TagState", bytes]:
        return {}

    def detach_head(self, commit: str) -> None:
        """Put HEAD at a commit."""
        self._replace_file("HEAD", commit.encode("ascii") + b"\n")

    def _replace_file(self, name: str, content: bytes | None) -> bool:
        path = self.git_dir / name
        if _read_content(path) == content:
            return False
        # Never written through what is there: a build may have put a link to the user's files.
        remove(path)
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_for_now(path, content)
        return True

    def _remove_leftovers(self) -> None:
        """Remove what builds left: branches, stashes, locks, half a merge."""
        for entry in self.git_dir.iterdir():
            if entry.name not in _KEPT:
                remove(entry)
        for kept in ("heads", "tags"):
            folder = self.git_dir / "refs" / kept
            if not folder.is_dir() or any(folder.iterdir()):
                remove(folder)
        for entry in (self.git_dir / "refs").iterdir():
            if entry.name not in ("heads", "tags"):
                remove(entry)
        if not _DETACHED.fullmatch(_read_content(self.git_dir / "HEAD") or b""):
            self._replace_file("HEAD", b"ref: refs/heads/main\n")


def _create_bare(fresh: Path) -> None:
    """Make a bare repository, its ``config`` saying what its file system can do."""
    import pygit2

    try:
        pygit2.init_repository(os.fsencode(fresh), bare=True)
    except pygit2.GitError as error:
        raise OSError(str(error)) from error


def checkout_settings(config: Config) -> bytes:
    """The part of a configuration that decides how a checkout looks, as a config file, without
    what holds a secret.
    """
    lines = []
    for key, value in _list_checkout_settings(config, secret=False):
        section, _, rest = key.partition(".")
        subsection, _, name = rest.rpartition(".")
        lines.append(f"[{section} {_quote_text(subsection)}]" if subsection else f"[{section}]")
        lines.append(f"\t{name} = {_quote_text(value)}")
    return "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")


def _list_checkout_settings(config: Config, *, secret: bool) -> Iterator[tuple[str, str]]:
    """Each key with a value, of the sections where something is secret or of the others: a filter
    that is required and has only half of its commands would fail.
    """
    pairs = [
        (key, value)
        for key, values in config.values.items()
        if _CHECKOUT_SETTING.match(key)
        for value in values
    ]
    hiding = {
        _section_of(key)
        for key, value in pairs
        if holds_secret(key, value) or holds_login(key, value)
    }
    return (pair for pair in pairs if (_section_of(pair[0]) in hiding) == secret)


def _section_of(key: str) -> str:
    return key.rpartition(".")[0]


class _TagState(NamedTuple):
    """What changes with every tag: git renames a new file into its folder."""

    places: tuple[object, ...]
    has_any: bool  # False: there is none for sure


def _state_of_tags(common_dir: Path) -> _TagState:
    walked = list(os.walk(common_dir / "refs/tags"))
    packed = common_dir / "packed-refs"
    found = []
    for place in (packed, *map(Path, sorted(folder for folder, _, _ in walked))):
        try:
            state = place.stat()
        except FileNotFoundError:
            continue
        found.append((place, state.st_ino, state.st_size, state.st_mtime_ns))
    is_packed = any(state[0] == packed for state in found)
    return _TagState(tuple(found), is_packed or any(files for _, _, files in walked))


def _read_content(path: Path) -> bytes | None:
    """What a regular file holds; None for anything else, a link to a file too."""
    return path.read_bytes() if is_plain(path) else None


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _quote_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _list_quarantine(env: Mapping[str, str]) -> Iterator[str]:
    if place := env.get("GIT_OBJECT_DIRECTORY"):
        yield place
    yield from filter(None, env.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "").split(os.pathsep))


def list_alternates(repository: Repository) -> bytes:
    """``info/alternates`` of an object directory that borrows all objects of a repository."""
    places = map(os.fsencode, find_borrowed_objects(repository))
    return b"".join(map(quote_alternate, places))


def find_borrowed_objects(repository: Repository) -> tuple[Path, ...]:
    """The user's object directory and all that it borrows from, by their real paths."""
    found: list[Path] = []
    level = [Path(os.path.realpath(repository.common_dir / "objects"))]
    for _ in range(_DEEPEST_ALTERNATE):
        found += [place for place in level if place not in found]
        level = [
            deeper for place in level for deeper in _read_alternates(place) if deeper not in found
        ]
    return tuple(found)


def _read_alternates(objects: Path) -> Iterator[Path]:
    listing = objects / "info/alternates"
    for line in listing.read_bytes().split(b"\n") if listing.is_file() else ():
        if line and not line.startswith((b"#", b'"')):
            yield Path(os.path.realpath(objects / os.fsdecode(line)))


def quote_alternate(path: bytes) -> bytes:
    """A path as a line of ``info/alternates``."""
    # git reads a quoted line as C text, and any other as it is.
    if b"\n" in path:
        path = (
            b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
        )
    return path + b"\n"
