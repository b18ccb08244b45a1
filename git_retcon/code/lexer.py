"""One linear scan of a file: at each line's start, how deep the brackets are and whether a string
or comment is open. Made to judge where text may be cut, so it errs on the side of "open".
"""

import functools
import re
from collections.abc import Sequence

from git_retcon.code.languages.language import Language
from git_retcon.code.languages.usual import Quote
from git_retcon.lazy_named_tuple import NamedTuple

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
    depth, is_open = [0], [False]
    level = 0
    closing: re.Pattern[bytes] | None = None
    step_line = _find_scanner(language).step_line
    for line in lines:
        rise, _, closing = step_line(line, closing)
        level += rise
        continued = line.endswith((b"\\\n", b"\\\r\n"))
        depth.append(level)
        is_open.append(closing is not None or continued)
    return LineStates(depth, is_open)


def pairs_brackets(lines: Sequence[bytes], language: Language) -> bool:
    """Whether each bracket of a file is closed by one of its kind."""
    waiting: list[int] = []
    closing: re.Pattern[bytes] | None = None
    step_line = _find_scanner(language).step_line
    for line in lines:
        _, brackets, closing = step_line(line, closing)
        for bracket in brackets:
            closes = _CLOSED_BY.get(bracket)
            if closes is None:
                waiting.append(bracket)
            elif not waiting or waiting.pop() != closes:
                return False
    return not waiting


_CLOSED_BY = dict(zip(b")]}", b"([{", strict=True))


class _Step(NamedTuple):
    """What a line does: the change of depth, its brackets, and what ends what it leaves open."""

    rise: int
    brackets: bytes
    closing: re.Pattern[bytes] | None


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
        self._known: dict[bytes, _Step] = {}

    def step_line(self, line: bytes, closing: re.Pattern[bytes] | None) -> _Step:
        """What a line does, where ``closing`` ends what is open before it."""
        if closing is not None or len(line) > _LONGEST_KNOWN:
            return self._read_step(line, closing)
        found = self._known.get(line)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[line] = self._read_step(line, None)
        return found

    def _read_step(self, line: bytes, closing: re.Pattern[bytes] | None) -> _Step:
        if len(line) > _LONGEST:
            return _Step(0, b"", closing)
        brackets: list[bytes] = []
        ahead = self._find_brackets(line, closing, brackets)
        if not brackets:
            return _Step(0, b"", ahead)
        openers = sum(map(b"([{".__contains__, brackets))
        return _Step(2 * openers - len(brackets), b"".join(brackets), ahead)

    def _find_brackets(
        self, line: bytes, closing: re.Pattern[bytes] | None, brackets: list[bytes]
    ) -> re.Pattern[bytes] | None:
        """Add the brackets of a line; what ends the quote that is open after it."""
        at = 0
        if closing is not None:
            end = closing.match(line)
            if end is None:
                return closing
            at = end.end()
        heredoc: re.Pattern[bytes] | None = None
        while self._marks is not None and (mark := self._marks.search(line, at)):
            at = mark.end()
            kind, text = mark.lastgroup, mark[0]
            if kind == "bracket":
                brackets.append(text)
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
                    return stop
                else:
                    break
        return heredoc


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
