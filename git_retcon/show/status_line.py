"""A line of a terminal that is drawn again and again while something goes on."""

import os
import time
from typing import TextIO

from git_retcon.show.style import printable

_BETWEEN = 0.1  # seconds: faster than people read, and output in a flood is not slowed down
_CLEAR = "\r\x1b[K"


class StatusLine:
    """The line, on a terminal alone: a file or a pipe gets nothing of it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.is_live = stream.isatty()
        self.is_drawn = False
        self._drawn_at = -_BETWEEN

    def draw(self, text: str) -> None:
        """Show a text, cut to the width of the terminal, in place of the one before."""
        if self.is_live:
            visible = printable(text).replace("\t", " ")
            self._stream.write(f"{_CLEAR}{visible[: _count_columns(self._stream) - 1]}")
            self._stream.flush()
            self.is_drawn, self._drawn_at = True, time.monotonic()

    def redraw(self, text: str) -> None:
        """The same, unless the one before is too fresh."""
        if time.monotonic() - self._drawn_at >= _BETWEEN:
            self.draw(text)

    def clear(self) -> None:
        """Take the line away, for others to come in its place."""
        if self.is_drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self.is_drawn = False


def _count_columns(stream: TextIO) -> int:
    try:
        # A terminal that nobody has measured says 0.
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
