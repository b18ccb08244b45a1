"""Whether a place in a line is inside a string or a comment: names there are words, and no code."""

import functools
import re
from collections.abc import Sequence

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Language
from git_retcon.code.lexer import scan_lines

# Fields of f-strings and of templates are code, unless they hold strings in turn.
_FIELD = re.compile(rb"(?<!\{)\{([^{}'\"]*)\}")
_IS_FORMATTED = re.compile(rb"(?<!\w)r?fr?\Z", re.IGNORECASE)


def list_quoted(rows: Sequence[str], number: int, path: bytes) -> list[tuple[int, int]]:
    """Where the strings and comments of a line are; all of it where one is open at its start."""
    language = language_of(path)
    before = [row.encode() + b"\n" for row in rows[: number - 1]]
    # One byte for each character, so that places are the same.
    line = rows[number - 1].encode("latin-1", "replace")
    if scan_lines(before, language).is_open[-1]:
        return [(0, len(line))]
    quoted: list[tuple[int, int]] = []
    for found in _find_pattern(language).finditer(line):
        if found.lastgroup == "text":
            at, end = found.span()
            if found[0].startswith(b"`") or _IS_FORMATTED.search(line, max(0, at - 3), at):
                for field in _FIELD.finditer(line, at, end):
                    quoted.append((at, field.start(1)))
                    at = field.end(1)
            quoted.append((at, end))
    return quoted


@functools.cache
def _find_pattern(language: Language) -> re.Pattern[bytes]:
    """Matches a string or a comment as ``text``, up to the line's end where nothing ends it."""
    texts = [re.escape(mark) + rb".*" for mark in language.line_comments]
    for quote in sorted(language.quotes, key=lambda one: -len(one.start)):
        stop = re.escape(quote.stop)
        inner = rb"(?:\\.|(?!" + stop + rb").)*" if quote.escapes else rb"(?:(?!" + stop + rb").)*"
        texts.append(re.escape(quote.start) + inner + rb"(?:" + stop + rb"|$)")
    marks = [rb"(?P<other>" + language.literals + rb")"] if language.literals else []
    marks += [rb"(?P<text>" + rb"|".join(texts) + rb")"] if texts else []
    return re.compile(rb"|".join(marks) or rb"(?!)")
