"""What the names and the classes of one source tree mean, each found once."""

from git_retcon.allium.extract.asked_tables import AskedTables
from git_retcon.allium.extract.inherited_shapes import InheritedShapes
from git_retcon.allium.extract.symbol_finder import SymbolFinder
from git_retcon.allium.extract.traced_tree import SourceTree
from git_retcon.allium.extract.used_names import UsedNames

_MOST_TREES = 6  # those of a step, or of a comparison


class ReadTree:
    """One tree. What was looked for before makes no difference to what is found."""

    def __init__(self, tree: SourceTree) -> None:
        self.finder = SymbolFinder(tree)
        self.tree = self.finder.tree
        self.names = UsedNames(self.tree, self.finder)
        self.tables = AskedTables(self.tree, self.names)
        self.shapes = InheritedShapes(self.finder)
        # With the classes that nothing gives a kind, as entities.
        self.moved_shapes = InheritedShapes(self.finder, "entity")


class ReadTrees:
    """The trees that were used last: a step asks the same ones for several reasons."""

    def __init__(self) -> None:
        self._known: list[tuple[SourceTree, ReadTree]] = []

    def open(self, tree: SourceTree) -> ReadTree:
        """What is known of this very tree."""
        found = next((each for each in self._known if each[0] is tree), None)
        if found is None:
            found = tree, ReadTree(tree)
        else:
            self._known.remove(found)
        # The last used comes last.
        self._known = [*self._known[1 - _MOST_TREES :], found]
        return found[1]

    def open_finder(self, tree: SourceTree) -> SymbolFinder:
        """What finds the names of this very tree."""
        return self.open(tree).finder
