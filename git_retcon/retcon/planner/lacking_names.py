"""The order of atoms, found by reading each Python file as every commit would leave it.

What words alone say (``definition_order``, ``import_order``) leaves some names undefined: a word
that the old text has anywhere may mean anything, so no order is made of it. Here each file between
base and source is asked which names it lacks, though base and source do not, and what brings such
a name has to come no later than what needs it.
"""

from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.python import PYTHON
from git_retcon.git.atoms import FileText, Kind
from git_retcon.git.lines import splice_lines
from git_retcon.retcon.planner.facts import Facts, Pair
from git_retcon.retcon.planner.vocabulary import Vocabulary

# Longer files are not read for every commit: they are data or generated.
_MOST_LINES = 20_000
# A plan may take about a second of this: what is left then is taken to lack nothing.
_MOST_READ = 200_000


class LackingNames:
    """Reads the Python files of one difference; each state of a file is read once."""

    def __init__(
        self, facts: Sequence[Facts], texts: Mapping[bytes, FileText], words: Vocabulary
    ) -> None:
        self._facts = facts
        self._texts = texts
        self._words = words
        self._by_path: dict[bytes, list[int]] = {}
        for at, one in enumerate(facts):
            if one.atom.kind is Kind.LINES and language_of(one.atom.path) is PYTHON:
                self._by_path.setdefault(one.atom.path, []).append(at)
        self._lines_read = 0
        self._read: dict[tuple[bytes, frozenset[int]], frozenset[str] | None] = {}

    def find_pairs(self, labels: Sequence[int]) -> Iterator[Pair]:
        """Pairs of atoms, by position, of which the first has to come no later than the second,
        and does so where commits are as labelled.

        Of each file the first commit alone that lacks a name: what comes after may be right once
        that is.
        """
        for path, atoms in self._by_path.items():
            commits = sorted({labels[at] for at in atoms})
            text = self._texts[path]
            if len(commits) > 1 and len(text.old) + len(text.new) <= _MOST_LINES:
                yield from self._order_first(path, atoms, labels, commits[:-1])

    def _order_first(
        self, path: bytes, atoms: Sequence[int], labels: Sequence[int], commits: Sequence[int]
    ) -> Iterator[Pair]:
        before: frozenset[int] = frozenset()
        for commit in commits:
            taken = frozenset(at for at in atoms if labels[at] <= commit)
            if lacking := self._find_lacking(path, atoms, taken):
                late = [at for at in atoms if labels[at] > commit]
                for name in sorted(lacking):
                    users = self._find_users(path, name, before, taken - before)
                    bringers = self._find_bringers(path, name, taken, late)
                    yield from ((bringer, user) for bringer in bringers for user in users)
                return
            before = taken

    def _find_lacking(
        self, path: bytes, atoms: Sequence[int], taken: frozenset[int]
    ) -> frozenset[str]:
        """The names that a file lacks with some atoms, and neither without nor with all."""
        lacking = self._find_unbound(path, taken) or frozenset()
        for end in (frozenset[int](), frozenset(atoms)):
            # Nearly always nothing is lacking, and the ends need not be read.
            if lacking:
                known = self._find_unbound(path, end)
                lacking = frozenset() if known is None else lacking - known
        return lacking

    def _find_unbound(self, path: bytes, taken: frozenset[int]) -> frozenset[str] | None:
        key = path, taken
        if key not in self._read:
            if self._lines_read > _MOST_READ:
                return None
            # Late: most branches have no Python, or each file of it in one commit.
            from git_retcon.code.unbound_names import find_unbound

            atoms = (self._facts[at].atom for at in sorted(taken))
            lines = list(splice_lines(self._texts[path].old, atoms))
            self._lines_read += len(lines)
            self._read[key] = find_unbound(b"".join(lines))
        return self._read[key]

    def _find_users(
        self, path: bytes, name: str, before: frozenset[int], fresh: frozenset[int]
    ) -> Sequence[int]:
        """What of a commit makes the file need a name, or takes it away."""
        named = [at for at in sorted(fresh) if self._has_word(at, name)]
        return [at for at in named if self._lacks(path, name, before | {at})] or named

    def _find_bringers(
        self, path: bytes, name: str, taken: frozenset[int], late: Sequence[int]
    ) -> Sequence[int]:
        """What of later commits makes the file lack a name no more: one atom, or several that do
        so together."""
        named = [at for at in late if self._has_word(at, name)]
        single = next((at for at in named if not self._lacks(path, name, taken | {at})), None)
        return named if single is None else [single]

    def _has_word(self, at: int, name: str) -> bool:
        return name in self._words.added[at] or name in self._words.removed[at]

    def _lacks(self, path: bytes, name: str, taken: frozenset[int]) -> bool:
        # What does not parse by itself is no answer; it would be one with what it was torn from.
        unbound = self._find_unbound(path, taken)
        return unbound is None or name in unbound
