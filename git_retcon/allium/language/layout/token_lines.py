"""Tokens by line, which is what a layout decides on."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from git_retcon.allium.language.tokens import COMMENT, NEWLINE, SPACE, Token

OPENING: Final = frozenset("({[")
CLOSING: Final = frozenset(")}]")


class SpacedToken(NamedTuple):
    """A token that is no trivia; ``is_apart`` when space is before it."""

    kind: str
    text: str
    is_apart: bool


class Line(NamedTuple):
    """One line: where its text begins, its tokens, and the comment that ends it ("" for none).

    ``blank`` says whether an empty line is before it. Columns count from 0, a tab being one.
    """

    column: int
    tokens: Sequence[SpacedToken]
    comment: str
    blank: bool

    @property
    def opens(self) -> bool:
        """Whether it leaves a bracket open as its last token."""
        return bool(self.tokens) and self.tokens[-1].text in OPENING

    @property
    def closes(self) -> bool:
        """Whether it begins with a closing bracket."""
        return bool(self.tokens) and self.tokens[0].text in CLOSING


def split_lines(tokens: Sequence[Token]) -> list[Line]:
    """The lines that hold anything."""
    lines: list[Line] = []
    kept: list[SpacedToken] = []
    comment, column = "", -1
    line_start = 0
    is_apart = blank = False
    for kind, text, start in [*tokens, Token(NEWLINE, "\n", 0)]:
        if kind == SPACE:
            is_apart = True
            continue
        if kind == NEWLINE:
            if kept or comment:
                lines.append(Line(column, tuple(kept), comment, blank))
                kept, comment, blank = [], "", False
            else:
                blank = True
            column, line_start = -1, start + 1
        else:
            column = start - line_start if column < 0 else column
            if kind == COMMENT:
                comment = text.rstrip()
            else:
                kept.append(SpacedToken(kind, text, is_apart))
        is_apart = False
    return lines
