"""The line of a file that a message is about, with a caret below the column."""

import unicodedata
from collections.abc import Iterator

from git_retcon.show.style import printable

_WIDEST = 120  # characters; a longer line is cut around the caret
_INDENT = "  "
_CUT = "…"


def quote_line(line: bytes, column: int) -> Iterator[str]:
    """The line and the caret line; nothing where the line is blank.

    ``column`` counts characters from 1; what is no UTF-8 counts as ``decode`` replaces it.
    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    if not text.strip():
        return
    at = column - 1
    first, last = _choose_window(len(text), at)
    before = _CUT if first else ""
    after = _CUT if last < len(text) else ""
    shown = [_show_letter(letter) for letter in text[first:last]]
    width = len(before) + sum(map(_measure_width, shown[: at - first]))
    yield f"{_INDENT}{before}{''.join(shown)}{after}"
    yield f"{_INDENT}{' ' * width}^"


def _choose_window(length: int, at: int) -> tuple[int, int]:
    """Where to cut a line of this length so that the caret's place stays in view."""
    if length <= _WIDEST:
        return 0, length
    first = min(max(0, at - _WIDEST // 2), length - _WIDEST)
    return first, first + _WIDEST


def _show_letter(letter: str) -> str:
    # A tab would be as wide as the terminal likes, and the caret would miss.
    return " " if letter == "\t" else printable(letter)


def _measure_width(shown: str) -> int:
    """The columns that a character, or its escape, takes on a terminal."""
    if shown.isascii():
        return len(shown)
    if unicodedata.combining(shown):
        return 0
    return 2 if unicodedata.east_asian_width(shown) in "WF" else 1
