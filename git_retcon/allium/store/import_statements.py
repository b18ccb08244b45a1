"""The import statements of a Python file, found without a tree of the whole file.

``import`` is a keyword, so wherever it is neither in a string nor in a comment it is an import
statement. Strings and comments are passed as the language reference has them (2.4.1, String and
Bytes literals); only the statements are parsed, which takes a tenth of parsing all.
"""

import ast
import functools
import re
import warnings
from collections.abc import Iterator
from typing import TypeAlias

Import: TypeAlias = ast.Import | ast.ImportFrom

# Every alternative begins with its own character, so that the search skips all others. A quote that
# begins no whole string is one of a broken file, or of a string that only newer Pythons read.
# Groups are atomic, not possessive: up to Python 3.11.4 a possessive repetition of alternatives
# matches too little (github.com/python/cpython/issues/106052).
_PASSED = (
    rb"#[^\n]*+"
    rb'|"""(?>(?:[^"\\]++|\\.|"(?!""))*)"""|\'\'\'(?>(?:[^\'\\]++|\\.|\'(?!\'\'))*)\'\'\''
    rb'|"(?!"")(?>(?:[^"\\\n]++|\\(?:\r\n|.))*)"|\'(?!\'\')(?>(?:[^\'\\\n]++|\\(?:\r\n|.))*)\''
    rb"|(?P<broken>[\"'])"
    rb"|import(?<!\wimport)(?!\w)"
)
# What is before the keyword, from the end of the last statement on.
_HEAD = rb"(?:^|[:;])[ \t\f]*+(from[ \t\f\\\r\n.](?>(?:[\w. \t\f]|\\\r?\n)*))?\Z"
# What is behind it: one line, which may be continued, or all up to a bracket.
_BRACKETS = rb"(?>(?:[ \t\f]|\\\r?\n)*)\((?>(?:[^()#]++|#[^\n]*+)*)\)"
_LONGEST_HEAD = 1000  # bytes
_LINE = rb"(?>(?:[^\n\r\\#;\"'(]|\\\r?\n)*)"


class UnclearSource(Exception):
    """Only a parser of the whole file can tell what it imports."""


def list_imports(content: bytes) -> Iterator[Import]:
    """All import statements, at any depth, in their order. Raises UnclearSource."""
    last = content.rfind(b"import")
    if last < 0:
        return
    for found in _compile(_PASSED).finditer(content):
        if found.start() > last:
            return
        if found.lastgroup == "broken":
            raise UnclearSource
        if found[0] == b"import":
            yield _parse_statement(_cut_statement(content, found.start(), found.end()))


def _cut_statement(content: bytes, start: int, end: int) -> bytes:
    """The statement around the keyword."""
    head = _compile(_HEAD).search(_cut_head(content, start))
    if head is None:
        raise UnclearSource
    tail = _compile(_BRACKETS).match(content, end) if head[1] else None
    tail = tail or _compile(_LINE).match(content, end)
    return (head[1] or b"") + content[start : tail.end() if tail else end]


def _cut_head(content: bytes, end: int) -> bytes:
    """What is before the keyword on its line, with those that it continues, if that is short."""
    # A line of a million imports must not be read a million times.
    farthest = max(0, end - _LONGEST_HEAD)
    start = content.rfind(b"\n", farthest, end) + 1
    while start > farthest and content.endswith((b"\\\n", b"\\\r\n"), farthest, start):
        start = content.rfind(b"\n", farthest, start - 1) + 1
    if start or not farthest:
        return content[start:end]
    return b"\0" + content[farthest:end]  # no beginning of a line is at hand


@functools.lru_cache(maxsize=1024)
def _parse_statement(statement: bytes) -> Import:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (parsed,) = ast.parse(statement).body
    except (SyntaxError, ValueError) as error:
        raise UnclearSource from error
    if not isinstance(parsed, ast.Import | ast.ImportFrom):
        raise UnclearSource
    return parsed


@functools.cache
def _compile(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.DOTALL)
