"""One linear scan of a file: at each line's start, how deep the brackets are and whether a string
or comment is open. Made to judge where text may be cut, so it errs on the side of "open".
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.code.languages.language import Language
from git_retcon.code.languages.usual import Quote

# Lines longer than this are data; what they open is not worth knowing.
_LONGEST = 20_000
# Versions of a file share most of their lines: what a line does is remembered, within bounds.
_MOST_KNOWN = 1 << 16
_LONGEST_KNOWN = 200


class LineStates(NamedTuple):
    """State at the start of each line, and after the last: one more than there are lines."""

    depth: Sequence[int]
    is_open: Sequence[bool]


def scan_lines(lines: Sequence[bytes], language: Language) -> LineStates:
    """The states of a whole file, read once from its start."""
    scanner = _find_scanner(language)
    depth, is_open = [0], [False]
    level = 0
    closing: re.Pattern[bytes] | None = None
    for line in lines:
        if closing is None and len(line) <= _LONGEST_KNOWN:
            rise, closing = scanner.plain(line)
            level += rise
        elif len(line) <= _LONGEST:
            level, closing = scanner.line(line, level, closing)
        continued = line.endswith((b"\\\n", b"\\\r\n"))
        depth.append(level)
        is_open.append(closing is not None or continued)
    return LineStates(depth, is_open)


@functools.cache
def _find_scanner(language: Language) -> "_Scanner":
    return _Scanner(language)


class _Scanner:
    """The regular expressions of one language, and the step over one line."""

    def __init__(self, language: Language) -> None:
        quotes = sorted(language.quotes, key=lambda quote: -len(quote.start))
        marks = [rb"(?P<literal>" + language.literals + rb")"] if language.literals else []
        if language.heredocs:
            marks.append(rb"<<[-~]?\s*['\"\\]?(?P<heredoc>[A-Za-z_]\w*)['\"]?")
        starts = [*(quote.start for quote in quotes), *language.line_comments]
        starts.sort(key=lambda mark: -len(mark))
        if starts:
            marks.append(rb"(?P<start>" + rb"|".join(map(re.escape, starts)) + rb")")
        if language.brackets:
            marks.append(rb"(?P<bracket>[" + re.escape(language.brackets) + rb"])")
        self._marks = re.compile(rb"|".join(marks)) if marks else None
        self._quotes = {quote.start: (quote, _compile_end(quote)) for quote in quotes}
        self._known: dict[bytes, tuple[int, re.Pattern[bytes] | None]] = {}

    def plain(self, line: bytes) -> tuple[int, re.Pattern[bytes] | None]:
        """What a line does where nothing is open: the change of depth, and what it opens."""
        found = self._known.get(line)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[line] = self.line(line, 0, None)
        return found

    def line(
        self, line: bytes, level: int, closing: re.Pattern[bytes] | None
    ) -> tuple[int, re.Pattern[bytes] | None]:
        """Depth and open quote after a line, from those before it."""
        at = 0
        if closing is not None:
            end = closing.match(line)
            if end is None:
                return level, closing
            at = end.end()
        heredoc: re.Pattern[bytes] | None = None
        while self._marks is not None and (mark := self._marks.search(line, at)):
            at = mark.end()
            kind, text = mark.lastgroup, mark[0]
            if kind == "bracket":
                level += 1 if text in b"([{" else -1
            elif kind == "heredoc":
                heredoc = re.compile(rb"\s*" + re.escape(mark["heredoc"]) + rb"\s*\Z")
            elif kind == "start":
                if text not in self._quotes:
                    break
                quote, stop = self._quotes[text]
                end = stop.match(line, at)
                if end is not None:
                    at = end.end()
                elif quote.many_lines:
                    return level, stop
                else:
                    break
        return level, heredoc


def _compile_end(quote: Quote) -> re.Pattern[bytes]:
    """Matches from inside a quote up to its end, each byte in one way only, so in linear time.

    Possessive quantifiers would say it shorter, but Python 3.11.2 matches them wrongly.
    """
    stop = re.escape(quote.stop)
    if not quote.escapes:
        return re.compile(rb".*?" + stop, re.DOTALL)
    first = re.escape(quote.stop[:1])
    plain = rb"[^\\" + first + rb"]*"
    special = rb"\\." if len(quote.stop) == 1 else rb"(?:\\.|(?!" + stop + rb")" + first + rb")"
    return re.compile(plain + rb"(?:" + special + plain + rb")*" + stop, re.DOTALL)
