"""The state of a checkout as one tree, read from the files themselves.

The tree is that of all tracked and all untracked files that are not ignored, but for untracked
ones that hold secrets: nobody else has those, CI neither. It is made with a
copy of the user's index and an object directory of our own: the user's index, objects, refs and
stash stay as they are.
"""

import contextlib
import functools
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.git.graph import tree_of
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository
from git_retcon.run.clone import list_alternates
from git_retcon.run.sandbox.tree_secrets import is_secret_file
from git_retcon.run.temporary_folder import open_temporary

if TYPE_CHECKING:
    import pygit2

    from git_retcon.git.trees import Entry

_RUN_ID_DIGITS = 16
_FOLDERS = "git-retcon.state-"
# What the user's configuration may say to make git overlook a change.
_OVERLOOK_NOTHING = (
    "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "core.ignoreStat=false",
    "-c", "core.trustctime=true", "-c", "core.checkStat=default", "-c", "core.splitIndex=false",
)  # fmt: skip
_ASSUMED, _SKIPPED = "--no-assume-unchanged", "--no-skip-worktree"
_DIFFERING = ("--modified", "--deleted", "--others", "--exclude-standard")


class WorkingState(NamedTuple):
    """A commit id (HEAD's, empty where it is unborn) and the tree of the files on top of it.

    ``list_paths`` gives those of the tree, in no order, each time the same set. ``objects`` is a
    folder with the objects of the tree that the repository may not have; it lasts as long as the
    block that reads the state. ``secrets`` are paths of untracked files that were left out.
    ``has_become``, in that block too: whether the files are now those of the state with some other
    entries, None for none, and nothing else; False also where that is not known for sure.
    """

    commit: str
    tree: str
    list_paths: Callable[[], frozenset[bytes]]
    objects: Path
    secrets: tuple[bytes, ...] = ()
    has_become: "Callable[[Mapping[bytes, Entry | None]], bool]" = lambda _: False

    @property
    def paths(self) -> frozenset[bytes]:
        return self.list_paths()

    @property
    def run_id(self) -> str:
        """The name of a check of this state."""
        return make_run_id(self.tree, self.commit)


def make_run_id(tree: str, commit: str) -> str:
    """The first 16 hex digits of the sha256 over both ids, as ASCII, with nothing between."""
    return hashlib.sha256(f"{tree}{commit}".encode("ascii")).hexdigest()[:_RUN_ID_DIGITS]


def _leave_out_nothing(_: bytes) -> bool:
    return False


@contextlib.contextmanager
def open_state(
    repository: Repository,
    top: Path,
    commit: str,
    leaves_out: Callable[[bytes], bool] = _leave_out_nothing,
    *,
    reveals: bool = True,
) -> Iterator[WorkingState]:
    """The state of the working tree ``top`` on a commit, for the length of the block.

    What ``leaves_out`` says of a changed path is left as the index has it, and, unless it
    ``reveals`` them, what git is asked to overlook (``git update-index --skip-worktree``). Raises
    GitError where a file cannot be read: without it, it would be another state.
    """
    with open_temporary(_FOLDERS) as folder:
        reader = _Reader(repository, top, folder)
        listing, secrets = _leave_out_secrets(reader.list_files(), top)
        left_out = frozenset(filter(leaves_out, listing.changed))
        listing = listing.without(left_out)
        if listing.flagged and reveals:
            listing = reader.reveal(listing)
        if listing.changed:
            reader.update(listing.changed, "--add", "--remove", "--replace")
        # A check that finds its verdicts does not need the paths, of which there may be many.
        list_paths = functools.cache(listing.list_present)
        # libgit2 takes a file that is only intended to be added (``git add -N``) for an empty one.
        # git lists each among the changed, or as flagged.
        tree = reader.write_tree(has_intended=bool(left_out or listing.flagged))

        def has_become(entries: "Mapping[bytes, Entry | None]") -> bool:
            return reader.exchange(entries) and not reader.list_differing() - left_out

        yield WorkingState(commit, tree, list_paths, reader.objects, secrets, has_become)


@contextlib.contextmanager
def open_commit(repository: Repository, commit: str) -> Iterator[WorkingState]:
    """The state of a commit, as if its files alone were in the working tree."""
    tree = tree_of(repository, commit)

    @functools.cache
    def list_paths() -> frozenset[bytes]:
        return frozenset(path for path, _ in repository.trees.files(tree))

    with open_temporary(_FOLDERS) as folder:
        yield WorkingState(commit, tree, list_paths, folder)


class _Listing(NamedTuple):
    """Paths as the index and the disk have them: ``listed`` is what ``git ls-files -v -z`` said,
    ``changed`` are those that differ, ``gone`` those that are not on disk. ``flagged`` are those
    that git is asked to overlook, with the letter of ``git ls-files -v``.
    """

    listed: bytes
    changed: frozenset[bytes]
    gone: frozenset[bytes]
    flagged: dict[bytes, bytes]
    untracked: frozenset[bytes]

    def without(self, paths: frozenset[bytes]) -> "_Listing":
        """The same where these paths have not changed; those that are untracked are not there."""
        return self._replace(
            changed=self.changed - paths, gone=(self.gone - paths) | (self.untracked & paths)
        )

    def list_present(self) -> frozenset[bytes]:
        plain = {entry[2:] for entry in self.listed.split(b"\0") if entry[:2] == b"H "}
        return frozenset((plain | self.changed | self.flagged.keys()) - self.gone)


def _leave_out_secrets(listing: _Listing, top: Path) -> tuple[_Listing, tuple[bytes, ...]]:
    secrets = {path for path in listing.untracked if is_secret_file(top / os.fsdecode(path))}
    return listing.without(frozenset(secrets)), tuple(sorted(secrets))


class _Reader:
    """git with an index and an object directory of its own."""

    def __init__(self, repository: Repository, top: Path, folder: Path) -> None:
        self.objects = folder / "objects"
        self._top = top
        self._is_sparse = repository.config.boolean("core.sparseCheckout")
        index = folder / "index"
        with contextlib.suppress(FileNotFoundError):
            # With its time, by which git knows the files that may have changed since unseen.
            shutil.copy2(repository.git_dir / "index", index)
        (self.objects / "info").mkdir(parents=True)
        (self.objects / "info/alternates").write_bytes(list_alternates(repository))
        own = {"GIT_INDEX_FILE": os.fspath(index), "GIT_OBJECT_DIRECTORY": os.fspath(self.objects)}
        self._git = Git(repository.git_dir, top, {**_without_quarantine(repository), **own})

    def list_files(self) -> _Listing:
        """One question for all of it: each walks the whole tree."""
        listed = self._run_git(
            "ls-files", "-v", "-z", "--cached", *_DIFFERING,
        )  # fmt: skip
        return _read_listing(listed)

    def list_differing(self) -> frozenset[bytes]:
        """What is not as the index has it, secrets aside."""
        listing = _read_listing(self._run_git("ls-files", "-v", "-z", *_DIFFERING))
        return _leave_out_secrets(listing, self._top)[0].changed

    def exchange(self, entries: "Mapping[bytes, Entry | None]") -> bool:
        """Put other entries into the index; whether that could be done."""
        import pygit2

        index = self.objects.parent / "index"
        try:
            before = index.stat()
            own = pygit2.Index(os.fspath(index))
            for path, entry in entries.items():
                name = os.fsdecode(path)
                if entry is not None:
                    mode = pygit2.enums.FileMode(int(entry.mode, 8))
                    own.add(pygit2.IndexEntry(name, pygit2.Oid(hex=entry.oid), mode))
                elif name in own:
                    own.remove(name)
            own.write()
            # By its time git knows the files that may have changed since unseen.
            os.utime(index, ns=(before.st_atime_ns, before.st_mtime_ns))
        except (pygit2.GitError, OSError, ValueError, KeyError):
            return False
        return True

    def reveal(self, listing: _Listing) -> _Listing:
        """The same where nothing that is on disk is overlooked.

        What a sparse checkout leaves out is not on disk, and still there.
        """
        seen = {
            path: letter
            for path, letter in listing.flagged.items()
            # Lower case: "assume unchanged"; "S": skipped, which a sparse checkout does to what is
            # absent.
            if letter.islower() or not self._is_sparse or os.path.lexists(self._find_absolute(path))
        }
        for option, is_meant in ((_ASSUMED, bytes.islower), (_SKIPPED, _is_skipped)):
            paths = [path for path, letter in seen.items() if is_meant(letter)]
            if paths:
                self.update(paths, option)
        gone = {path for path in seen if not os.path.lexists(self._find_absolute(path))}
        return listing._replace(gone=listing.gone | gone, changed=listing.changed | set(seen))

    def update(self, paths: Iterable[bytes], *options: str) -> None:
        stdin = b"".join(path + b"\0" for path in paths)
        self._run_git("update-index", *options, "-z", "--stdin", stdin=stdin)

    def write_tree(self, *, has_intended: bool) -> str:
        """The tree of the index, which may have files that are only intended to be added. By
        libgit2, which costs no process, where that can.
        """
        import pygit2

        if not has_intended:
            with contextlib.suppress(pygit2.GitError, OSError, ValueError, KeyError):
                return str(self._open_own().index.write_tree())
        return self._run_git("write-tree").decode("ascii").strip()

    def _open_own(self) -> "pygit2.Repository":
        """A repository of the index and the object directory alone, and of what that borrows."""
        import pygit2
        from pygit2.enums import RepositoryOpenFlag

        folder = self.objects.parent
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "HEAD").write_bytes(b"ref: refs/heads/main\n")
        flags = RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.NO_DOTGIT
        return pygit2.Repository(os.fsencode(folder), flags)

    def _run_git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return self._git.run(*_OVERLOOK_NOTHING, *arguments, stdin=stdin)

    def _find_absolute(self, path: bytes) -> bytes:
        return os.path.join(os.fsencode(self._top), path)  # noqa: PTH118


def _without_quarantine(repository: Repository) -> dict[str, str]:
    """The environment of its git, with no other place to write objects to.

    In a hook, new objects lie in such a place: from there they are only read.
    """
    env = dict(repository.git.env)
    place = env.pop("GIT_OBJECT_DIRECTORY", "")
    if place:
        others = env.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")
        places = filter(None, (os.path.abspath(place), others))  # noqa: PTH100
        env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(places)
    return env


def _is_skipped(letter: bytes) -> bool:
    return letter.upper() == b"S"


def _read_listing(listed: bytes) -> _Listing:
    """Each entry is a letter, a space and a path; changed paths are there twice."""
    changed: set[bytes] = set()
    deleted: set[bytes] = set()
    flagged: dict[bytes, bytes] = {}
    untracked: set[bytes] = set()
    # Most entries are files that are as they were ("H"): those are left to ``list_present``.
    for entry in re.findall(rb"(?:^|(?<=\0))(?!H )[^\0]+", listed):
        letter, path = entry[:1], entry[2:]
        if letter == b"R":
            deleted.add(path)
        elif letter in (b"C", b"M", b"K"):
            changed.add(path)
        elif letter != b"?":
            flagged[path] = letter
        elif not path.endswith(b"/"):  # a repository within this one is none of its files
            untracked.add(path)
    return _Listing(
        listed,
        frozenset(changed | deleted | untracked),
        frozenset(deleted),
        flagged,
        frozenset(untracked),
    )
