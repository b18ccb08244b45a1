"""Between the tokens of a line: one space or none."""

from collections.abc import Sequence
from typing import Final

from git_retcon.allium.language.layout.token_lines import Line, SpacedToken
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
        self._before: SpacedToken | None = None
        self._generics = 0  # open angle brackets of types
        self._braces: list[bool] = []  # of each open brace, whether its contents are set apart
        self._is_sign = False  # the token before is a minus sign
        self._is_tight_slash = False  # the token before is a slash without spaces

    def join(self, line: Line) -> str:
        """The text of a line without its indentation and its comment."""
        parts: list[str] = []
        for index, token in enumerate(line.tokens):
            is_apart = self._take_token(line.tokens, index)
            parts.append(f" {token.text}" if parts and is_apart else token.text)
        return "".join(parts)

    def _take_token(self, tokens: Sequence[SpacedToken], index: int) -> bool:
        """Whether a space is before this token; the state moves on past it."""
        token, before = tokens[index], self._before
        self._before = token
        after_sign, self._is_sign = self._is_sign, False
        after_slash, self._is_tight_slash = self._is_tight_slash, False
        is_apart = self._is_apart(tokens, index, before)
        if token.kind != MARK:
            return is_apart and not after_sign and not after_slash
        if token.text == "-":
            self._is_sign = _is_sign_after(before)
        elif token.text == "/":
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            is_apart = token.is_apart or following is None or following.is_apart
            self._is_tight_slash = not is_apart
        elif token.text == "{":
            self._braces.append(is_apart or index == 0)
        elif token.text == "}" and self._braces:
            is_apart = self._braces.pop() and not (before is not None and before.text == "{")
        elif token.text == "<" and not is_apart:
            self._generics += 1
        elif token.text == ">" and self._generics:
            self._generics -= 1
            is_apart = False
        return is_apart and not after_sign and not after_slash

    def _is_apart(
        self, tokens: Sequence[SpacedToken], index: int, before: SpacedToken | None
    ) -> bool:
        token = tokens[index]
        text = token.text
        if before is None or (before.text in _TIGHT_AFTER and before.kind == MARK):
            return False
        if before.text == "{" and before.kind == MARK:
            return self._braces[-1] if self._braces else True
        if before.text == "<" and self._generics:
            return False
        if token.kind != MARK:
            return True
        if text == ":" and tokens[0].text == "variant" and index == 2:
            return True
        if text in _TIGHT_BEFORE:
            return False
        if text == "(":
            return not _ends_operand(before) or (before.text in _OPERATORS and token.is_apart)
        if text == "{":
            return not _ends_operand(before) or _is_block(tokens, index) or token.is_apart
        if text == "<":  # without a space before it, it opens the arguments of a type
            return token.is_apart or before.kind != WORD
        return True


def _ends_operand(token: SpacedToken) -> bool:
    """Whether a bracket after this one belongs to it: a call, or a join lookup."""
    return token.kind != MARK or token.text in (")", "]", "}", "?")


def _is_sign_after(before: SpacedToken | None) -> bool:
    if before is None or before.text in _OPERATORS:
        return True
    return not _ends_operand(before)


def _is_block(tokens: Sequence[SpacedToken], index: int) -> bool:
    """Whether the brace opens the block whose keyword begins the line."""
    if index > _LONGEST_HEAD or any(token.text == "{" for token in tokens[:index]):
        return False
    is_config = len(tokens) > 2 and tokens[1].text == "/" and tokens[2].text == "config"
    return is_config or (tokens[0].text in _BLOCKS and tokens[1].text != ":")
