"""The source of a step: what it was, what it is, and what the sides of a merge have of it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.allium.engines.module_edits import FindRemoved
from git_retcon.allium.engines.moved_files import MovedTrees
from git_retcon.allium.extract.source_facts import is_silent
from git_retcon.allium.extract.source_tree import GitTree


class StepSources(NamedTuple):
    """What a step's source was and is. ``ours`` is the first parent of a merge as it is, and
    ``forks`` are its other parents, each behind what it and the first come from. ``unmoved`` is
    ``base`` with the renamed files at their old paths only; ``moved`` are for the files that one
    side moved and another changed.
    ``find_removed`` says what people took out of the specification.
    """

    base: GitTree
    tree: GitTree
    ours: GitTree
    unmoved: GitTree
    forks: Sequence[tuple[GitTree, GitTree]]
    moved: Sequence[MovedTrees]
    find_removed: FindRemoved

    def says_same(self, path: bytes) -> bool:
        """Whether a changed file declares what it did, as where only a comment is another."""
        return not self.base.is_broken(path) and self.base.read(path) == self.tree.read(path)

    def list_described(self, paths: Iterable[bytes]) -> list[bytes]:
        """The files that said, or say, what could be described; what one that cannot be read says,
        nobody knows.
        """
        return [
            path
            for path in paths
            if self.base.is_broken(path)
            or not is_silent(self.base.read(path))
            or not is_silent(self.tree.read(path))
        ]
