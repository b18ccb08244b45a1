"""Which trees hold bytes that a model wrote: only those run in a sandbox.

Asked of the files themselves, not of who made a commit, so that it holds across runs and engines,
and ends by itself once later commits have undone a bridge.
"""

from collections.abc import Iterable
from dataclasses import field

from git_retcon.git.trees import Trees
from git_retcon.lazy_dataclass import dataclass


@dataclass
class Quarantine:
    """The paths that a model has ever written on this branch. ``base`` and ``source`` are trees
    of the user's alone.
    """

    trees: Trees
    base: str
    source: str
    paths: set[bytes] = field(default_factory=set)

    def add(self, paths: Iterable[bytes]) -> None:
        """A model wrote these."""
        self.paths.update(paths)

    def holds(self, tree: str) -> bool:
        """Whether one of those paths has other bytes in ``tree`` than the user ever gave it.

        A file whose lines come partly from a bridge counts; one that is gone does not.
        """
        return any(self._foreign(tree, path) for path in self.paths)

    def _foreign(self, tree: str, path: bytes) -> bool:
        entry = self.trees.find(tree, path)
        if entry is None or entry.is_tree:
            return False
        # Content that the user has committed is the user's, even if a model wrote the same.
        return entry not in (self.trees.find(self.base, path), self.trees.find(self.source, path))
