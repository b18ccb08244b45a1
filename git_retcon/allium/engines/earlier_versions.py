"""The last version of a source file that could be read, before the ones that cannot be."""

from collections.abc import Mapping, Sequence

from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.allium.store.renamed_files import find_renames
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry


class EarlierVersions:
    """Looks back from a commit, along first parents and renames. ``moved`` are old path → new path
    of files that the commit itself renames.
    """

    def __init__(
        self,
        repository: Repository,
        reader: FactsReader,
        parents: Sequence[str],
        moved: Mapping[bytes, bytes],
    ) -> None:
        self._repository = repository
        self._reader = reader
        self._parents = parents
        self._old = {new: old for old, new in moved.items()}

    def find_tree(self, path: bytes) -> GitTree | None:
        """The nearest tree in which a file can be read, or is not there; None: there is none. It
        is found there by the path that it has now.
        """
        at = self._old.get(path, path)
        commit = self._begin(at)
        while commit is not None:
            moved = {at: path} if at != path else {}
            tree = GitTree(self._repository, self._reader, commit.tree, moved)
            if not tree.is_broken(path):
                return tree
            before = self._read_first(commit.parents)
            if before is not None and self._find(before, at) is None:
                changes = self._repository.trees.changes(before.tree, commit.tree)
                at = find_renames(changes).get(at, at)
            commit = before
        return None

    def _begin(self, path: bytes) -> Commit | None:
        """The parent that has the file: of a merge it may be any."""
        commits = [
            read_commit(self._repository, each)
            for each in self._parents
            if is_commit(self._repository, each)
        ]
        having = (each for each in commits if self._find(each, path) is not None)
        return next(having, commits[0] if commits else None)

    def _find(self, commit: Commit, path: bytes) -> Entry | None:
        return self._repository.trees.find(commit.tree, path)

    def _read_first(self, parents: Sequence[str]) -> Commit | None:
        if not parents or not is_commit(self._repository, parents[0]):
            return None
        return read_commit(self._repository, parents[0])
