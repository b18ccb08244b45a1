"""In which lines literals are: the search of a string costs less than any look at each line."""

import bisect
import functools
import itertools
from collections.abc import Collection, Iterable, Sequence


class LineIndex(list[str]):
    """Lines that are asked for many literals, by several readers: each is looked for once.

    ``absent`` are literals that are known to be in none of the lines: mostly that is so, and
    not to look for them saves more than all else here.
    """

    absent: Collection[str] = ()

    @functools.cached_property
    def text(self) -> str:
        return "\n".join(self)

    def find_any(self, literals: Iterable[str]) -> Sequence[int]:
        """The numbers of the lines that hold one of these, in order; all where "" is one."""
        wanted = tuple(literals)
        if "" in wanted:
            return range(len(self))
        absent = self.absent
        found = [self._find(literal) for literal in wanted if literal not in absent]
        found = [numbers for numbers in found if numbers]
        return sorted(set().union(*found)) if len(found) > 1 else found[0] if found else ()

    def _find(self, literal: str) -> Sequence[int]:
        found = self._known.get(literal)
        if found is None:
            found = self._known[literal] = self._search(literal)
        return found

    def _search(self, literal: str) -> Sequence[int]:
        at = self.text.find(literal)
        found: list[int] = []
        while at >= 0:
            number = bisect.bisect_right(self._starts, at) - 1
            found.append(number)
            # The last start is behind the text: nothing is found from there.
            at = self.text.find(literal, self._starts[number + 1])
        return found

    @functools.cached_property
    def _known(self) -> dict[str, Sequence[int]]:
        return {}

    @functools.cached_property
    def _starts(self) -> list[int]:
        """Where each line begins, and where one more would."""
        return list(itertools.accumulate((len(line) + 1 for line in self), initial=0))


def index_lines(lines: Sequence[str]) -> LineIndex:
    """The lines with an index, which they may have already."""
    return lines if isinstance(lines, LineIndex) else LineIndex(lines)
