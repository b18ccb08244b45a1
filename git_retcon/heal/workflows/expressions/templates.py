"""Texts with ``${{ }}`` in them, and the conditions of ``if:``."""

import functools

from git_retcon.heal.workflows.expressions.evaluation import Surroundings, evaluate, is_fulfilled
from git_retcon.heal.workflows.expressions.syntax import (
    AllowedNames,
    Call,
    Expression,
    calls_any,
    parse_expression,
)
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import Value, is_true, to_text
from git_retcon.lazy_named_tuple import NamedTuple

STATUS_FUNCTIONS = frozenset({"always", "cancelled", "failure", "success"})
_OPEN, _CLOSE = "${{", "}}"
_NOT_CLOSED = (
    "The expression is not closed. An unescaped ${{ sequence was found, but the closing }}"
    " sequence was not found."
)

Template = tuple[str | Expression, ...]


class Condition(NamedTuple):
    """An ``if:``. Without a function that asks for the status, ``success()`` comes first."""

    parts: Template
    asks_status: bool


def has_expression(text: str) -> bool:
    return _OPEN in text


def parse_template(text: str, allowed: AllowedNames) -> Template:
    """The texts and the expressions between them. Raises ExpressionError, whose position is
    that in the whole text.
    """
    parts: list[str | Expression] = []
    position = 0
    while (start := text.find(_OPEN, position)) >= 0:
        end = _find_end(text, start)
        parts += [text[position:start]] if start > position else []
        parts.append(_parse_inner(text[start + len(_OPEN) : end], start + len(_OPEN), allowed))
        position = end + len(_CLOSE)
    return (*parts, text[position:]) if position < len(text) or not parts else tuple(parts)


def _find_end(text: str, start: int) -> int:
    """Where the ``}}`` is that closes an expression: one in quotes does not."""
    in_text = False
    for position in range(start + len(_OPEN), len(text)):
        if text[position] == "'":
            in_text = not in_text
        elif not in_text and text.startswith(_CLOSE, position):
            return position
    raise ExpressionError(_NOT_CLOSED, start + 1)


def _parse_inner(inner: str, offset: int, allowed: AllowedNames) -> Expression:
    trimmed = inner.strip()
    if not trimmed:
        raise ExpressionError("An expression was expected", offset - len(_OPEN) + 1)
    try:
        return parse_expression(trimmed, allowed)
    except ExpressionError as error:
        before = len(inner) - len(inner.lstrip())
        raise ExpressionError(str(error), offset + before + error.position) from None


def fill_template(parts: Template, around: Surroundings) -> Value:
    """The value of a template: that of its only expression, or else a text.

    Raises ExpressionError, or NotKnown.
    """
    values = [part if isinstance(part, str) else evaluate(part, around) for part in parts]
    return values[0] if len(values) == 1 else "".join(map(to_text, values))


def parse_condition(text: str, allowed: AllowedNames) -> Condition:
    """An ``if:``, with or without ``${{ }}`` around it. Raises ExpressionError."""
    if has_expression(text):
        parts = parse_template(text.strip(), allowed)
    elif text.strip():
        parts = (parse_expression(text.strip(), allowed),)
    else:
        parts = (Call("success", ()),)
    expressions = [part for part in parts if not isinstance(part, str)]
    return Condition(parts, any(calls_any(part, STATUS_FUNCTIONS) for part in expressions))


def holds(condition: Condition, around: Surroundings) -> bool:
    """Whether the step or job that it precedes is run. Raises ExpressionError, or NotKnown."""
    if not condition.asks_status and not is_fulfilled(Call("success", ()), around):
        return False
    only = condition.parts[0] if len(condition.parts) == 1 else ""
    if not isinstance(only, str):
        return is_fulfilled(only, around)
    return is_true(fill_template(condition.parts, around))


# What was read has been checked against its own place: to evaluate it, all names are allowed.
_EVERY_CONTEXT = frozenset(
    (
        "env", "github", "inputs", "job", "jobs", "matrix",
        "needs", "runner", "secrets", "steps", "strategy", "vars",
    )
)  # fmt: skip
EVERYTHING = AllowedNames(
    _EVERY_CONTEXT, {"hashfiles": (1, 255)} | dict.fromkeys(STATUS_FUNCTIONS, (0, 255))
)


@functools.lru_cache(4096)
def read_template(text: str) -> Template:
    """A template that has been checked before."""
    return parse_template(text, EVERYTHING)


@functools.lru_cache(1024)
def read_condition(text: str) -> Condition:
    """A condition that has been checked before."""
    return parse_condition(text, EVERYTHING)
