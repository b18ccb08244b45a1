"""The tokens of an expression."""

import functools
import math
import re

from git_retcon.heal.workflows.expressions.values import Value, read_number
from git_retcon.lazy_named_tuple import NamedTuple

MAX_LENGTH = 21_000
_LITERALS: dict[str, Value] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": math.nan,
    "Infinity": math.inf,
}
# After these a dot begins a number (`.5`); after anything else it asks for a property.
_BEFORE_A_NUMBER = frozenset({"", ",", "(", "[", "!", "!=", "==", ">", ">=", "<", "<=", "&&", "||"})


class ExpressionError(Exception):
    """An expression that GitHub refuses, in its words.

    ``position`` counts the characters of the expression from 1.
    """

    def __init__(self, message: str, position: int = 1) -> None:
        super().__init__(message)
        self.position = position


class Token(NamedTuple):
    """A part of an expression. ``kind`` is ``literal``, ``name``, or the sign itself."""

    kind: str
    text: str
    position: int
    value: Value = None


def refuse_token(what: str, token: Token, expression: str) -> ExpressionError:
    """The error at a token, worded as GitHub does."""
    return ExpressionError(
        f"{what}: '{token.text}'. Located at position {token.position}"
        f" within expression: {expression}",
        token.position,
    )


def split_expression(expression: str) -> list[Token]:
    """The tokens in order. Raises ExpressionError."""
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(f"Exceeded max expression length {MAX_LENGTH}")
    tokens: list[Token] = []
    position = 0
    while position < len(expression):
        if expression[position].isspace():
            position += 1
            continue
        token = _read_token(expression, position, tokens[-1].kind if tokens else "")
        tokens.append(token)
        position += len(token.text)
    return tokens


def _read_token(expression: str, start: int, before: str) -> Token:
    char = expression[start]
    if char in "+-0123456789" or (char == "." and before in _BEFORE_A_NUMBER):
        return _read_number(expression, start)
    found = _signs().match(expression, start)
    if found is not None:
        return Token(found[0], found[0], start + 1)
    if char == "'":
        return _read_text(expression, start)
    return _read_word(expression, start, before)


def _read_number(expression: str, start: int) -> Token:
    text = _match_token(_numeric(), expression, start)
    token = Token("literal", text, start + 1, read_number(text))
    if token.value != token.value:
        raise refuse_token("Unexpected symbol", token, expression)
    return token


def _read_text(expression: str, start: int) -> Token:
    found = _string_literal().match(expression, start)
    if found is None:
        rest = Token("literal", expression[start:], start + 1)
        raise refuse_token("Unexpected symbol", rest, expression)
    return Token("literal", found[0], start + 1, found[0][1:-1].replace("''", "'"))


def _read_word(expression: str, start: int, before: str) -> Token:
    text = _match_token(_word(), expression, start)
    token = Token("name", text, start + 1)
    if _name().fullmatch(text) is None:
        raise refuse_token("Unexpected symbol", token, expression)
    if before != "." and text in _LITERALS:
        return Token("literal", text, start + 1, _LITERALS[text])
    return token


def _match_token(pattern: re.Pattern[str], expression: str, start: int) -> str:
    found = pattern.match(expression, start)
    assert found is not None, "each of these patterns takes at least one character"
    return found[0]


@functools.cache
def _signs() -> re.Pattern[str]:
    return re.compile(r"==|!=|<=|>=|&&|\|\||[!<>()\[\],.*]")


@functools.cache
def _string_literal() -> re.Pattern[str]:
    return re.compile(r"'(?:[^']|'')*+'")


@functools.cache
def _numeric() -> re.Pattern[str]:
    return re.compile(r"[^\s()\[\],!<>=&|]+")


@functools.cache
def _word() -> re.Pattern[str]:
    """Any one character, and all up to the next sign or space."""
    return re.compile(r"(?s:.)[^\s()\[\],.!<>=&|]*")


@functools.cache
def _name() -> re.Pattern[str]:
    return re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]*")
