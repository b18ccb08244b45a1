"""Files that one side of a merge moved and the other changed.

The specification of the merge has them at their new paths, with what both sides said of what they
come from; so does what is compared with the file that the merge has.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.engine import Fork
from git_retcon.allium.engines.module_edits import ForkedFile
from git_retcon.allium.extract.joining import Joiner
from git_retcon.allium.extract.source_facts import Declaration, get_kind
from git_retcon.allium.extract.source_tree import GitTree

# Opens a tree of which some files are read at new paths: old path → new path.
OpenTree = Callable[[str, Mapping[bytes, bytes]], GitTree]


class MovedTrees(NamedTuple):
    """What two sides come from, and both, with the files that one moved at their ``new`` paths."""

    new: frozenset[bytes]
    base: GitTree
    ours: GitTree
    side: GitTree


def open_moved(open_tree: OpenTree, ours: str, forks: Sequence[Fork]) -> Iterator[MovedTrees]:
    """Those of each parent of a merge that has such files beside the first, ``ours``."""
    for fork in forks:
        if fork.moved:
            trees = (_open(open_tree, tree, fork.moved) for tree in (fork.base, ours, fork.side))
            yield MovedTrees(frozenset(fork.moved.values()), *trees)


def _open(open_tree: OpenTree, tree: str, moved: Mapping[bytes, bytes]) -> GitTree:
    there = open_tree(tree, {})
    left = {old: new for old, new in moved.items() if there.find_version(new) is None}
    return open_tree(tree, left)


class MovedFiles:
    """Reads them."""

    def __init__(
        self, trees: Sequence[MovedTrees], open_joiner: Callable[[GitTree], Joiner]
    ) -> None:
        self._trees = trees
        self._joiners = [
            [open_joiner(tree) for tree in (each.base, each.ours, each.side)] for each in trees
        ]

    def join(self, path: bytes) -> tuple[Sequence[Declaration], Sequence[ForkedFile]] | None:
        """What the first parent declares in such a file, and what that was merged with; None for
        any other file.
        """
        ours: Sequence[Declaration] = ()
        forks: list[ForkedFile] = []
        for trees, joiners in zip(self._trees, self._joiners, strict=True):
            if path in trees.new:
                was, mine, theirs = (each.join(path) for each in joiners)
                ours = _select_known(mine, trees.ours, path, was)
                forks.append(ForkedFile(was, _select_known(theirs, trees.side, path, was)))
        return (ours, forks) if forks else None


def _select_known(
    declared: Sequence[Declaration], tree: GitTree, path: bytes, was: Sequence[Declaration]
) -> Sequence[Declaration]:
    """What the specification has at this path of a side that did not move the file: what that added
    is said at its old path, and of what it took away nobody took it away here.
    """
    if not tree.has_moved(path):
        return declared
    found = {(get_kind(each), each.name): each for each in declared}
    return [found.get((get_kind(each), each.name), each) for each in was]
