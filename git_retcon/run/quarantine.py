"""Which trees hold bytes that a model wrote: only those run in a sandbox.

Asked of the files themselves, not of who made a commit, so that it holds across runs and engines,
and ends by itself once later commits have undone a bridge.
"""

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from git_retcon.git.lines import is_part_of_change, split_lines
from git_retcon.git.trees import Entry, Trees, read_object
from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import pygit2


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
        return any(self._is_foreign(tree, path) for path in self.paths)

    def find_bridged(
        self, tree: str, counts: Callable[[bytes], bool], odb: "pygit2.Odb"
    ) -> tuple[bytes, ...]:
        """Those of the paths that count, by name, and are not base plus hunks of the source there.

        Stricter than ``holds``: a file of which only some hunks were taken is no other's than the
        user's, though it is neither the base's nor the source's.
        """
        return tuple(
            path
            for path in sorted(self.paths)
            if counts(path) and self._is_foreign(tree, path) and self._holds_line(tree, path, odb)
        )

    def _holds_line(self, tree: str, path: bytes, odb: "pygit2.Odb") -> bool:
        """Whether a line was added that the source does not add, or lost that it does not lose, or
        is in another place: what ends a script early may only have been moved.
        """
        here, base, source = (
            self.trees.find(each, path) for each in (tree, self.base, self.source)
        )
        known = [entry for entry in (base, source) if entry is not None]
        if here is None or here.mode not in [entry.mode for entry in known]:
            return True
        if not all(entry.is_file for entry in (here, *known)):
            return True
        now, old, new = (_read_lines(entry, odb) for entry in (here, base, source))
        return not is_part_of_change(now, old, new)

    def _is_foreign(self, tree: str, path: bytes) -> bool:
        entry = self.trees.find(tree, path)
        if entry is None or entry.is_tree:
            return False
        # Content that the user has committed is the user's, even if a model wrote the same.
        return entry not in (self.trees.find(self.base, path), self.trees.find(self.source, path))


def _read_lines(entry: Entry | None, odb: "pygit2.Odb") -> tuple[bytes, ...]:
    return () if entry is None else split_lines(read_object(odb, entry.oid))
