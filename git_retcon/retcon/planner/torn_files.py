"""Atoms that a plan must not part, found by reading each file as every commit would leave it.

What the text alone says (``balance``, ``definition_order``) leaves some statements torn: one that
was rewritten around a line which happens to be equal, for one. So each file between base and
source is read again, and where it is not whole, the atoms that tear it are put together.
"""

from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.languages.known import language_of
from git_retcon.code.parsing import can_judge, is_whole
from git_retcon.git.atoms import FileText, Kind
from git_retcon.git.lines import splice_lines
from git_retcon.retcon.planner.facts import Facts, Pair

# Longer files are not read for every commit: they are data or generated.
_MOST_LINES = 20_000
# A plan may take a second or two of this: what is left then is taken for whole.
_MOST_READ = 300_000


class TornFiles:
    """Reads the files of one difference; each state of a file is read once."""

    def __init__(self, facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> None:
        self._facts = facts
        self._texts = texts
        self._by_path: dict[bytes, list[int]] = {}
        for at, one in enumerate(facts):
            if one.atom.kind is Kind.LINES and can_judge(language_of(one.atom.path)):
                self._by_path.setdefault(one.atom.path, []).append(at)
        self._lines_read = 0
        self._read: dict[tuple[bytes, frozenset[int]], bool] = {}

    def find_pairs(self, labels: Sequence[int]) -> Iterator[Pair]:
        """Pairs of atoms, by position, that tear a file where commits are as labelled.

        Of each file the first commit alone that leaves it torn: what comes after may be whole
        once that is.
        """
        for path, atoms in self._by_path.items():
            commits = sorted({labels[at] for at in atoms})
            if len(commits) > 1 and self._is_readable(path, atoms):
                yield from self._tie_first(path, atoms, labels, commits[:-1])

    def _is_readable(self, path: bytes, atoms: Sequence[int]) -> bool:
        text = self._texts[path]
        return (
            len(text.old) + len(text.new) <= _MOST_LINES
            and self._is_whole(path, frozenset())
            and self._is_whole(path, frozenset(atoms))
        )

    def _is_whole(self, path: bytes, taken: frozenset[int]) -> bool:
        key = path, taken
        if key not in self._read:
            if self._lines_read > _MOST_READ:
                return True
            lines = list(
                splice_lines(self._texts[path].old, (self._facts[at].atom for at in sorted(taken)))
            )
            self._lines_read += len(lines)
            self._read[key] = not lines or is_whole(lines, language_of(path))
        return self._read[key]

    def _tie_first(
        self, path: bytes, atoms: Sequence[int], labels: Sequence[int], commits: Sequence[int]
    ) -> Iterator[Pair]:
        for commit in commits:
            taken = frozenset(at for at in atoms if labels[at] <= commit)
            if not self._is_whole(path, taken):
                early = [at for at in atoms if labels[at] == commit]
                late = [at for at in atoms if labels[at] > commit]
                yield from self._find_ties(path, taken, early, late)
                return

    def _find_ties(
        self, path: bytes, taken: frozenset[int], early: Sequence[int], late: Sequence[int]
    ) -> Iterator[Pair]:
        """What of ``early`` is not whole without what of ``late``, as few as suffice."""
        alone = [at for at in early if self._is_whole(path, taken - {at})]
        # Where none is to blame alone, all are: they go together from now on.
        blamed = alone[:1] or early
        near = sorted(late, key=lambda at: min(abs(at - each) for each in blamed))
        single = next((at for at in near if self._is_whole(path, taken | {at})), None)
        needed = [single] if single is not None else []
        # At the latest with all that is late, the file is the source's.
        for at in near if single is None else ():
            needed.append(at)
            if self._is_whole(path, taken.union(needed)):
                break
        yield from ((min(one, at), max(one, at)) for one in blamed for at in needed)
