"""Bytes to tokens and back: nothing is left out, so joining the tokens gives the input.

Text is read as one character a byte (latin-1): offsets are byte offsets, any bytes can be read, and
the language itself is ASCII outside of strings, comments and backticks. Those three are decoded as
UTF-8 when they are shown (``decode_text``).
"""

import functools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

WORD: Final = "word"
STRING: Final = "string"
QUOTED: Final = "quoted"
DURATION: Final = "duration"
NUMBER: Final = "number"
MARK: Final = "mark"
SPACE: Final = "space"
NEWLINE: Final = "newline"
COMMENT: Final = "comment"
ERROR: Final = "error"
END: Final = "end"

BOM: Final = b"\xef\xbb\xbf"  # which no file begins with that is right
TRIVIA: Final = frozenset({SPACE, NEWLINE, COMMENT})
UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "year")


class Token(NamedTuple):
    """A part of the input. ``text`` holds one character a byte; ``start`` is its offset."""

    kind: str
    text: str
    start: int


def make_tokens(data: bytes) -> list[Token]:
    """Cut any bytes into tokens, in order and without gaps."""
    return list(read_tokens(data))


def read_tokens(data: bytes) -> Iterator[Token]:
    """The same one by one: a list of all of them costs the garbage collector more than us."""
    for match in _pattern().finditer(data.decode("latin-1")):
        yield Token(match.lastgroup or ERROR, match[0], match.start())


def decode_text(text: str) -> str:
    """A token's text as people read it; what is not UTF-8 shows as U+FFFD."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "replace")


@functools.cache
def _pattern() -> re.Pattern[str]:
    # Quantifiers are possessive where giving back could never help: reading stays linear.
    kinds = {
        SPACE: r"[ \t\r]++",
        NEWLINE: r"\n",
        WORD: r"[A-Za-z_][A-Za-z0-9_]*+",
        COMMENT: r"--[^\n]*+",
        MARK: r"=>|!=|<=|>=|->|\?\?|\?\.|[=<>+*/|?.:,@{}()\[\]-]",
        STRING: r'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"',
        QUOTED: r"`[^`\r\n]*+`",
        DURATION: rf"[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?\.(?:{'|'.join(UNITS)})s?(?![A-Za-z0-9_])",
        NUMBER: r"[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?",
        # An open string or backtick spoils the rest of its line, and no more. Of other bytes that
        # begin no token, a whole run is one error.
        ERROR: r"""["`][^\n]*+|[^ \t\r\nA-Za-z0-9_"`=<>+*/|?.:,@{}()\[\]-]++""",
    }
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()))
