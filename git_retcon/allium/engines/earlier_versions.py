"""The last version of a source file that could be read, before the ones that cannot be.

A file that cannot be read counts as what it said before: what other files say rests on it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.allium.store.renamed_files import find_renames
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry

K = TypeVar("K")
V = TypeVar("V")
FindEarlier = Callable[[bytes], GitTree | None]
_MOST_KEPT = 1 << 14  # commits, and commits with paths
_STRIDE = 64  # commits


class _Ancestor(NamedTuple):
    """A commit of a line of first parents; the last one that is here has none before it."""

    oid: str
    tree: str
    parent: str | None


class EarlierVersions:
    """Looks back from commits, along first parents and renames."""

    def __init__(self, repository: Repository, reader: FactsReader) -> None:
        self._repository = repository
        self._reader = reader
        self._ancestors: dict[str, _Ancestor | None] = {}
        # A history is read forwards: each step looks where the one before it began.
        self._known: dict[tuple[str, bytes], tuple[str, bytes] | None] = {}

    def follow(self, parents: Sequence[str], moved: Mapping[bytes, bytes]) -> FindEarlier:
        """A search behind one commit: it takes a path, and gives the nearest tree in which that
        file can be read, or is not there; None: there is none. The file is found there by the path
        that it has now. ``moved`` are old path → new path of files that the commit itself renames.
        """
        old = {new: old for old, new in moved.items()}

        def find_tree(path: bytes) -> GitTree | None:
            found = self._find_version(parents, old.get(path, path))
            if found is None:
                return None
            tree, at = found
            return GitTree(self._repository, self._reader, tree, {at: path} if at != path else {})

        return find_tree

    def _find_version(self, parents: Sequence[str], path: bytes) -> tuple[str, bytes] | None:
        """The tree, and the path that the file has in it."""
        commit, at = self._begin(parents, path), path
        entry = self._find(commit, at) if commit is not None else None
        broken = ""
        passed: list[tuple[str, bytes]] = []
        found = None
        while commit is not None:
            if (commit.oid, at) in self._known:
                found = self._known[commit.oid, at]
                break
            if entry is None or (entry.oid != broken and self._reader.read(at, entry) is not None):
                found = commit.tree, at
                break
            broken = entry.oid
            passed.append((commit.oid, at))
            before = self._read(commit.parent) if commit.parent is not None else None
            if before is None or not self._repository.trees.is_same(before.tree, commit.tree, at):
                entry = self._find(before, at) if before is not None else None
            if before is not None and entry is None:
                changes = self._repository.trees.changes(before.tree, commit.tree)
                at = find_renames(changes).get(at, at)
                entry = self._find(before, at)
            commit = before
        # Others begin where this one did, or on another branch from somewhere behind it.
        for each in passed[::_STRIDE]:
            _keep(self._known, each, found)
        return found

    def _begin(self, parents: Sequence[str], path: bytes) -> _Ancestor | None:
        """The parent that has the file: of a merge it may be any."""
        commits = [each for each in map(self._read, parents) if each is not None]
        having = (each for each in commits if self._find(each, path) is not None)
        return next(having, commits[0] if commits else None)

    def _find(self, commit: _Ancestor, path: bytes) -> Entry | None:
        entry = self._repository.trees.find(commit.tree, path)
        return entry if entry is not None and entry.is_file else None

    def _read(self, oid: str) -> _Ancestor | None:
        """None for a commit that is not here."""
        if oid not in self._ancestors:
            found = None
            if is_commit(self._repository, oid):
                commit = read_commit(self._repository, oid)
                found = _Ancestor(oid, commit.tree, next(iter(commit.parents), None))
            _keep(self._ancestors, oid, found)
        return self._ancestors[oid]


def _keep(known: dict[K, V], key: K, value: V) -> None:
    """The oldest goes first: a history is read forwards."""
    while len(known) >= _MOST_KEPT:
        del known[next(iter(known))]
    known[key] = value
