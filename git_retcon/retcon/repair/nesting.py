"""Which lines of a file are inside which, by indentation alone, read once for a whole file.

``code.symbols`` answers for one line by going through those above it. A repair asks for every
atom that is left: in a class of thousands of methods that took minutes.
"""

import bisect
from collections.abc import Sequence

from git_retcon.code.symbols import find_block, indentation_of

_NO_HEAD = b"{})]#"  # a line that begins so heads nothing: a bracket, a preprocessor line


class Nesting:
    """The heads and the blocks of the lines of one file."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines
        self._blocks: dict[int, tuple[int, int]] = {}
        self._heads = _find_heads(lines)

    def find_enclosing(self, at: int) -> tuple[int, ...]:
        """The heads of the definitions that line ``at`` is in, innermost first."""
        found: list[int] = []
        head = self._heads[at]
        while head is not None:
            found.append(head)
            head = self._heads[head]
        return tuple(found)

    def block(self, head: int) -> tuple[int, int]:
        """The lines ``[first, stop)`` of the definition whose head is line ``head``."""
        found = self._blocks.get(head)
        if found is None:
            found = self._blocks[head] = find_block(self._lines, head)
        return found


def _find_heads(lines: Sequence[bytes]) -> list[int | None]:
    """For each line, the nearest line above that is less indented; linear in the lines."""
    found: list[int | None] = []
    heads: list[int] = []  # the open ones, each more indented than the one before
    depths: list[int] = []
    for at, line in enumerate(lines):
        depth = indentation_of(line)
        outer = bisect.bisect_left(depths, depth)
        found.append(heads[outer - 1] if outer else None)
        text = line.strip()
        if text and text[:1] not in _NO_HEAD:
            del heads[outer:], depths[outer:]
            heads.append(at)
            depths.append(depth)
    return found
