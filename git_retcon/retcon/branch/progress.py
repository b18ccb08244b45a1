"""The progress of the cleaned branch, in hunks.

The difference is computed once, from the base to the source, and hunks are marked as taken: the
tree of any commit is the base plus the hunks taken so far. Where the branch holds anything else
(a bridge, a person's commit), the difference is computed again from its tip.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from git_retcon.git.atoms import Atom, Granularity
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, Trees
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.engine import Bridge, Choice


@dataclass(frozen=True)
class Position:
    """The branch at ``tip``, whose files are ``tree``.

    ``taken`` maps the hunks of ``difference`` that are on the branch to their logical commit.
    """

    tip: str
    tree: str
    difference: Difference
    taken: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> Sequence[Atom]:
        return [atom for atom in self.difference.atoms if atom.id not in self.taken]

    @property
    def is_complete(self) -> bool:
        return self.tree == self.difference.target

    def tree_with(self, atoms: Collection[str]) -> str:
        """Write the tree of the branch plus these hunks."""
        return self.difference.tree([*self.taken, *atoms])


@dataclass(frozen=True)
class ProgressTracker:
    """Makes the positions of one repository, each from the one before."""

    repository: Repository
    granularity: Granularity
    trees: Trees

    def start(self, base_tree: str, source_tree: str, tip: str) -> Position:
        """The position at the base, with nothing taken."""
        found = self._find_difference(base_tree, source_tree)
        return Position(tip, base_tree, found)

    def resume(self, start: Position, tip: str, taken: Mapping[str, int]) -> Position:
        """The position at a tip that should hold these hunks; computed again where it does not."""
        tree = read_commit(self.repository, tip).tree
        known = {atom: index for atom, index in taken.items() if atom in start.difference}
        # Notes may be lost or wrong; only the tree itself proves what is on the branch.
        if len(known) == len(taken) and start.difference.tree(known) == tree:
            return replace(start, tip=tip, tree=tree, taken=known)
        return Position(tip, tree, self._find_difference(tree, start.difference.target))

    def after(self, position: Position, tip: str, index: int, choice: Choice) -> Position:
        """The position after a commit that took a choice."""
        tree = read_commit(self.repository, tip).tree
        if choice.bridges:
            return Position(tip, tree, self._find_difference(tree, position.difference.target))
        taken = {**position.taken, **dict.fromkeys(choice.atoms, index)}
        return replace(position, tip=tip, tree=tree, taken=taken)

    def tree(self, position: Position, choice: Choice) -> str:
        """Write the tree that a choice makes, bridges last."""
        tree = position.tree_with(choice.atoms)
        if not choice.bridges:
            return tree
        return self.trees.edit(tree, {b.path: self._find_entry(tree, b) for b in choice.bridges})

    def _find_entry(self, tree: str, bridge: Bridge) -> Entry | None:
        if bridge.content is None:
            return None
        current = self.trees.find(tree, bridge.path)
        mode = current.mode if current is not None and current.is_file else b"100644"
        return Entry(mode, str(self.repository.objects.create_blob(bridge.content)))

    def _find_difference(self, base: str, target: str) -> Difference:
        return compare_trees(
            self.repository, base, target, granularity=self.granularity, trees=self.trees
        )
