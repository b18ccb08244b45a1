"""Between the tokens of a line: one space or none."""

from collections.abc import Sequence
from typing import Final

from git_retcon.allium.language.layout.pieces import Line, Piece
from git_retcon.allium.language.tokens import MARK, WORD

_TIGHT_BEFORE: Final = frozenset({",", ")", "]", ".", "?.", "?", ":"})
_TIGHT_AFTER: Final = frozenset({"(", "[", ".", "?.", "@"})
# After these a minus is a sign, and a parenthesis groups.
_OPERATORS: Final = frozenset({
    "not", "and", "or", "in", "implies", "exists", "where", "with", "when", "if", "else", "for",
    "becomes", "transitions_to",
})  # fmt: skip
_LONGEST_HEAD: Final = 6  # tokens before the brace: variant Name : alias / Base
_BLOCKS: Final = frozenset({
    "entity", "external", "value", "enum", "variant", "rule", "surface", "actor", "contract",
    "invariant", "given", "config", "transitions",
})  # fmt: skip


class Spacer:
    """Joins lines one after the other; what a line leaves open is remembered for the next."""

    def __init__(self) -> None:
        self._before: Piece | None = None
        self._generics = 0  # open angle brackets of types
        self._braces: list[bool] = []  # of each open brace, whether its contents are set apart
        self._is_sign = False  # the token before is a minus sign
        self._is_tight_slash = False  # the token before is a slash without spaces

    def join(self, line: Line) -> str:
        """The text of a line without its indentation and its comment."""
        parts: list[str] = []
        for index, piece in enumerate(line.pieces):
            is_apart = self._step(line.pieces, index)
            parts.append(f" {piece.text}" if parts and is_apart else piece.text)
        return "".join(parts)

    def _step(self, pieces: Sequence[Piece], index: int) -> bool:
        """Whether a space is before this token; the state moves on past it."""
        piece, before = pieces[index], self._before
        self._before = piece
        after_sign, self._is_sign = self._is_sign, False
        after_slash, self._is_tight_slash = self._is_tight_slash, False
        is_apart = self._is_apart(pieces, index, before)
        if piece.kind != MARK:
            return is_apart and not after_sign and not after_slash
        if piece.text == "-":
            self._is_sign = _is_sign_after(before)
        elif piece.text == "/":
            following = pieces[index + 1] if index + 1 < len(pieces) else None
            is_apart = piece.is_apart or following is None or following.is_apart
            self._is_tight_slash = not is_apart
        elif piece.text == "{":
            self._braces.append(is_apart or index == 0)
        elif piece.text == "}" and self._braces:
            is_apart = self._braces.pop() and not (before is not None and before.text == "{")
        elif piece.text == "<" and not is_apart:
            self._generics += 1
        elif piece.text == ">" and self._generics:
            self._generics -= 1
            is_apart = False
        return is_apart and not after_sign and not after_slash

    def _is_apart(self, pieces: Sequence[Piece], index: int, before: Piece | None) -> bool:
        piece = pieces[index]
        text = piece.text
        if before is None or (before.text in _TIGHT_AFTER and before.kind == MARK):
            return False
        if before.text == "{" and before.kind == MARK:
            return self._braces[-1] if self._braces else True
        if before.text == "<" and self._generics:
            return False
        if piece.kind != MARK:
            return True
        if text == ":" and pieces[0].text == "variant" and index == 2:
            return True
        if text in _TIGHT_BEFORE:
            return False
        if text == "(":
            return not _ends_operand(before) or (before.text in _OPERATORS and piece.is_apart)
        if text == "{":
            return not _ends_operand(before) or _is_block(pieces, index) or piece.is_apart
        if text == "<":  # without a space before it, it opens the arguments of a type
            return piece.is_apart or before.kind != WORD
        return True


def _ends_operand(piece: Piece) -> bool:
    """Whether a bracket after this one belongs to it: a call, or a join lookup."""
    return piece.kind != MARK or piece.text in (")", "]", "}", "?")


def _is_sign_after(before: Piece | None) -> bool:
    if before is None or before.text in _OPERATORS:
        return True
    return not _ends_operand(before)


def _is_block(pieces: Sequence[Piece], index: int) -> bool:
    """Whether the brace opens the block of the word that its line begins with."""
    if index > _LONGEST_HEAD or any(piece.text == "{" for piece in pieces[:index]):
        return False
    is_config = len(pieces) > 2 and pieces[1].text == "/" and pieces[2].text == "config"
    return is_config or (pieces[0].text in _BLOCKS and pieces[1].text != ":")
