"""How far in each line begins: four columns a level.

Columns mean something in the language, so the order of columns is kept: a line that was further in
than another in the same brackets stays so, and lines that were level stay level.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from git_retcon.allium.language.layout.token_lines import CLOSING, OPENING, Line

STEP: Final = 4


class _Level(NamedTuple):
    column: int
    indent: int


class _Bracket:
    """An open bracket: where its contents begin, and the levels among them."""

    __slots__ = ("base", "levels", "opener")

    def __init__(self, opener: int, base: int) -> None:
        self.opener = opener
        self.base = base
        self.levels: list[_Level] = []

    def enter(self, column: int) -> int:
        """The indent of a line of code at this column, which closes the levels further in."""
        while self.levels and self.levels[-1].column > column:
            self.levels.pop()
        if not self.levels:
            self.levels.append(_Level(column, self.base))
        elif self.levels[-1].column < column:
            self.levels.append(_Level(column, self.levels[-1].indent + STEP))
        return self.levels[-1].indent

    def look(self, column: int) -> int:
        """The indent of a comment at this column; comments open and close nothing."""
        if not self.levels or column < self.levels[0].column:
            return self.base
        if column > self.levels[-1].column:
            return self.levels[-1].indent + STEP
        return max(level.indent for level in self.levels if level.column <= column)


def indent_lines(lines: Sequence[Line]) -> list[int]:
    """The column at which each line should begin."""
    brackets = [_Bracket(0, 0)]
    indents = []
    for line in lines:
        if not line.tokens:
            indents.append(brackets[-1].look(line.column))
            continue
        indent = brackets[-1].opener if line.closes else brackets[-1].enter(line.column)
        indents.append(indent)
        for token in line.tokens:
            if token.text in OPENING:
                brackets.append(_Bracket(indent, indent + STEP))
            elif token.text in CLOSING and len(brackets) > 1:
                brackets.pop()
    return indents
