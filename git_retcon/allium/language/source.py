"""Where in a file: byte offsets to lines and columns."""

import re
from bisect import bisect_right
from collections.abc import Sequence


class Source:
    """The bytes of one file and where its lines start."""

    __slots__ = ("_starts", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts: Sequence[int] = ()

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1. Columns count characters, as editors do."""
        line = bisect_right(self.line_starts, offset)
        before = self.data[self.line_starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "replace")) + 1

    def line_at(self, offset: int) -> int:
        """The line of a byte, from 1."""
        return bisect_right(self.line_starts, offset)

    def read_line(self, number: int) -> bytes:
        """A line with its end, by its number, from 1."""
        starts = self.line_starts
        stop = starts[number] if number < len(starts) else len(self.data)
        return self.data[starts[number - 1] : stop]

    @property
    def line_starts(self) -> Sequence[int]:
        """The offset of each line's first byte; a line ends with LF alone."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in re.finditer(rb"\n", self.data))]
        return self._starts
