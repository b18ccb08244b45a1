"""In which lines literals are: the search of a string costs less than any look at each line."""

import bisect
import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence


class LineIndex:
    """Lines that are asked for many literals."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.text = "\n".join(lines)

    def find_any(self, literals: Iterable[str]) -> Sequence[int]:
        """The numbers of the lines that hold one of these, in order; all where "" is one."""
        wanted = set(literals)
        if "" in wanted:
            return range(len(self.lines))
        found: set[int] = set()
        for literal in wanted:
            found.update(self._find(literal))
        return sorted(found)

    def _find(self, literal: str) -> Iterator[int]:
        starts = self._starts
        at = self.text.find(literal)
        while at >= 0:
            number = bisect.bisect_right(starts, at) - 1
            yield number
            # The last start is behind the text: nothing is found from there.
            at = self.text.find(literal, starts[number + 1])

    @functools.cached_property
    def _starts(self) -> list[int]:
        """Where each line begins, and where one more would."""
        sizes = (len(line) + 1 for line in self.lines)
        return list(itertools.accumulate(sizes, initial=0))
