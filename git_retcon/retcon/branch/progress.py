"""The progress of the cleaned branch, in hunks.

The difference is computed once, from the base to the source, and hunks are marked as taken: the
tree of any commit is the base plus the hunks taken so far. Where the branch holds anything else
(a bridge, a person's commit), the difference is computed again from its tip.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType

from git_retcon.git.atoms import Atom, Granularity
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, Trees
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.engine import Bridge, Choice
from git_retcon.retcon.spec.hunk_parts import is_hunk_id, name_whole, read_hunk_id


@dataclass(frozen=True)
class Position:
    """The branch at ``tip``, whose files are ``tree``.

    ``taken`` maps the hunks of ``difference`` that are on the branch to their logical commit,
    ``released`` those that a repair has taken off it to the last commit that had them.
    """

    tip: str
    tree: str
    difference: Difference
    taken: Mapping[str, int] = field(default_factory=dict)
    released: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> Sequence[Atom]:
        return [atom for atom in self.difference.atoms if atom.id not in self.taken]

    @property
    def is_complete(self) -> bool:
        return self.tree == self.difference.target

    def divide(self, ids: Iterable[str]) -> "Position":
        """The same position, with hunks that are left cut as some ids ask for.

        Parts that cannot be had are left out: ``read_part`` says why.
        """
        parts = [each for each in ids if ":" in each and each not in self.difference]
        if not parts:
            return self
        # Late: few plans have parts, and cutting reads languages.
        from git_retcon.retcon.branch.hunk_division import divide_hunks

        return replace(self, difference=divide_hunks(self.difference, parts))

    def tree_with(self, atoms: Collection[str], released: Collection[str] = ()) -> str:
        """Write the tree of the branch plus some hunks, without those ``released``."""
        wanted = {*self.taken, *atoms}
        wanted.difference_update(released)
        return self.difference.tree(wanted)


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

    def resume(
        self,
        start: Position,
        tip: str,
        taken: Mapping[str, int],
        released: Mapping[str, int] = MappingProxyType({}),
    ) -> Position:
        """The position at a tip that should hold these hunks; computed again where it does not."""
        tree = read_commit(self.repository, tip).tree
        # A part stays one though the spec names it no more.
        start = start.divide(taken)
        known = _resolve_taken(start.difference, taken)
        # Notes may be lost or wrong; only the tree itself proves what is on the branch.
        if known is not None and start.difference.tree(known) == tree:
            return replace(start, tip=tip, tree=tree, taken=known, released=released)
        return Position(tip, tree, self._find_again(tree, start.difference), released=released)

    def after(self, position: Position, tip: str, index: int, choice: Choice) -> Position:
        """The position after a commit that took a choice."""
        tree = self.tree(position, choice)
        released = {**position.released, **dict.fromkeys(choice.released, index)}
        if choice.bridges:
            found = self._find_again(tree, position.difference)
            return Position(tip, tree, found, released=released)
        taken = {**position.taken, **dict.fromkeys(choice.atoms, index)}
        for atom in choice.released:
            taken.pop(atom, None)
        return replace(position, tip=tip, tree=tree, taken=taken, released=released)

    def tree(self, position: Position, choice: Choice) -> str:
        """Write the tree that a choice makes, bridges last."""
        tree = position.tree_with(choice.atoms, choice.released)
        if not choice.bridges:
            return tree
        return self.trees.edit(tree, {b.path: self._find_entry(tree, b) for b in choice.bridges})

    def _find_entry(self, tree: str, bridge: Bridge) -> Entry | None:
        if bridge.content is None:
            return None
        current = self.trees.find(tree, bridge.path)
        mode = current.mode if current is not None and current.is_file else b"100644"
        return Entry(mode, str(self.repository.objects.create_blob(bridge.content)))

    def _find_again(self, base: str, before: Difference) -> Difference:
        """What is left from another tree; hunks are divided as they were."""
        found = self._find_difference(base, before.target)
        if not any(":" in atom.id for atom in before.atoms):
            return found
        from git_retcon.retcon.branch.hunk_division import carry_division

        return carry_division(before, found)

    def _find_difference(self, base: str, target: str) -> Difference:
        return compare_trees(
            self.repository, base, target, granularity=self.granularity, trees=self.trees
        )


def _resolve_taken(difference: Difference, taken: Mapping[str, int]) -> Mapping[str, int] | None:
    """The same by the hunks that there are: one may be divided further by now.

    None where some are not there.
    """
    known: dict[str, int] = {}
    for each, index in taken.items():
        own = find_atoms(difference, each)
        if not own:
            return None
        known |= dict.fromkeys(own, index)
    return known


def find_atoms(difference: Difference, hunk: str) -> Sequence[str]:
    """The ids of the atoms that the whole id of a hunk, or of a part of one, names."""
    if hunk in difference:
        return (hunk,)
    if not is_hunk_id(hunk):
        return ()
    from git_retcon.retcon.branch.hunk_division import cover_atoms

    wanted, whole = read_hunk_id(hunk), name_whole(hunk)
    own = [atom for atom in difference.atoms if name_whole(atom.id) == whole]
    return cover_atoms(wanted, own) if wanted.lines else [atom.id for atom in own]
