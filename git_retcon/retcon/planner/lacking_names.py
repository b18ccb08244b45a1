"""The order of atoms, found by reading each Python file as every commit would leave it.

What words alone say (``definition_order``, ``import_order``) leaves some names undefined: a word
that the old text has anywhere may mean anything, so no order is made of it. Here each file between
base and source is asked which names it lacks, though base and source do not, and what brings such
a name has to come no later than what needs it.
"""

import functools
from collections.abc import Iterator, Sequence

from git_retcon.retcon.planner.facts import Pair
from git_retcon.retcon.planner.name_order import order_name
from git_retcon.retcon.planner.python_states import PythonStates, Taken
from git_retcon.retcon.planner.vocabulary import Vocabulary


class LackingNames:
    """Finds the names that the Python files of one difference lack, each file alone."""

    def __init__(self, states: PythonStates, words: Vocabulary) -> None:
        self._states = states
        self._words = words

    def find_pairs(self, labels: Sequence[int]) -> Iterator[Pair]:
        """Pairs of atoms, by position, of which the first has to come no later than the second,
        and does so where commits are as labelled.

        Of each file the first commit alone that lacks a name: what comes after may be right once
        that is.
        """
        for path, atoms in self._states.atoms.items():
            commits = sorted({labels[at] for at in atoms})
            yield from self._order_first(path, atoms, labels, commits[:-1])

    def _order_first(
        self, path: bytes, atoms: Sequence[int], labels: Sequence[int], commits: Sequence[int]
    ) -> Iterator[Pair]:
        for commit in commits:
            taken = frozenset(at for at in atoms if labels[at] <= commit)
            if lacking := self._find_lacking(path, atoms, taken):
                for name in sorted(lacking):
                    named = [at for at in atoms if self._words.has(at, name)]
                    lacks = functools.partial(self._lacks, path, name)
                    yield from order_name(atoms, named, labels, commit, lacks)
                return

    def _find_lacking(self, path: bytes, atoms: Sequence[int], taken: Taken) -> frozenset[str]:
        """The names that a file lacks with some atoms, and neither without nor with all."""
        lacking = self._find_unbound(path, taken) or frozenset()
        for end in (frozenset[int](), frozenset(atoms)):
            # Nearly always nothing is lacking, and the ends need not be read.
            if lacking:
                known = self._find_unbound(path, end)
                lacking = frozenset() if known is None else lacking - known
        return lacking

    def _find_unbound(self, path: bytes, taken: Taken) -> frozenset[str] | None:
        names = self._states.read_names(path, taken)
        return names.unbound if names is not None else None

    def _lacks(self, path: bytes, name: str, taken: Taken) -> bool:
        # What does not parse by itself is no answer; it would be one with what it was torn from.
        unbound = self._find_unbound(path, taken)
        return unbound is None or name in unbound
