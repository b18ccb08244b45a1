"""The last version of a source file that could be read, before the ones that cannot be."""

from collections.abc import Mapping, Sequence

from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.repository import Repository


class EarlierVersions:
    """Looks back from a commit along first parents. ``moved`` are old path → new path of files that
    it renames.
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
        self._moved = moved

    def find_tree(self, path: bytes) -> GitTree | None:
        """The nearest tree in which a file can be read, or is not there; None: there is none."""
        parents = self._parents
        while parents and is_commit(self._repository, parents[0]):
            commit = read_commit(self._repository, parents[0])
            tree = GitTree(self._repository, self._reader, commit.tree, self._moved)
            if not tree.is_broken(path):
                return tree
            parents = commit.parents
        return None
