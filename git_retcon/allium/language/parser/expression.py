"""Expressions, by precedence climbing (Pratt, "Top down operator precedence", 1973).

An expression goes on over line ends while the next token is an infix or postfix operator. A value
below its keyword, and further in, is a block: it holds every expression that starts at the column
of the first one or further in.
"""

from collections.abc import Callable
from typing import Final

from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Block,
    Branch,
    Call,
    Conditional,
    Constant,
    Duration,
    Expression,
    Generic,
    Guarded,
    Lambda,
    Let,
    Logical,
    Lookup,
    Loop,
    Member,
    Name,
    Nullable,
    Number,
    Projection,
    Qualified,
    Quoted,
    Transition,
    Unary,
    Where,
    With,
)
from git_retcon.allium.language.parser import brackets
from git_retcon.allium.language.parser.cursor import Cursor
from git_retcon.allium.language.parser.strings import read_string
from git_retcon.allium.language.tokens import DURATION, NUMBER, QUOTED, STRING, WORD, decode_text

# How tightly an operator binds to its left and to its right, loosest first. Where the right is
# lower, the operator groups from the right.
_INFIX: Final = {
    "=>": (4, 3), "when": (5, 6), "->": (6, 7), "where": (7, 8), "with": (7, 8),
    "implies": (8, 7), "or": (10, 11), "and": (20, 21), "=": (30, 31), "!=": (30, 31),
    "<": (30, 31), "<=": (30, 31), ">": (30, 31), ">=": (30, 31), "in": (30, 31),
    "not": (30, 31), "transitions_to": (32, 33), "becomes": (32, 33), "??": (40, 41),
    "+": (50, 51), "-": (50, 51), "*": (60, 61), "/": (60, 61), "|": (65, 66),
}  # fmt: skip
_COLLECTION: Final = 8  # a loop's collection ends before "where"
_TYPE: Final = 31  # a type argument ends before ">"
_RESULT: Final = 60  # an operation's result: alternatives and qualified names, no arithmetic
_PREFIX: Final = 70
_POSTFIX: Final = 80
_POSTFIXES: Final = frozenset({".", "?.", "?", "(", "{", "<"})
_CHAINED: Final = frozenset({"and", "or", "|"})
_CONSTANTS: Final = frozenset({"true", "false", "null", "now", "this", "within"})
# Types and blocks an alias may qualify although they are not capitalised.
_QUALIFIED: Final = frozenset({"config", "entity", "value"})
_SECTIONS: Final = frozenset(
    {"when", "requires", "ensures", "exposes", "provides", "related", "timeout", "identified_by"}
)


def parse_expression(cursor: Cursor, minimum: int = 0) -> Expression:
    """The longest expression here whose operators bind at least as tightly as ``minimum``."""
    cursor.enter()
    left = _parse_operand(cursor)
    texts = cursor.texts
    while True:
        text = texts[cursor.index]
        if text in _POSTFIXES and _is_postfix(cursor, text):
            left = _parse_postfix(cursor, left, text)
            continue
        power = _INFIX.get(text)
        if power is None or power[0] < minimum:
            break
        # A "not" that begins the next item on the line below, not the "not in" of this one.
        if text == "not" and cursor.text_after(1) != "in":
            break
        left = _parse_infix(cursor, left, text, power[1])
    cursor.depth -= 1
    return left


def _is_postfix(cursor: Cursor, text: str) -> bool:
    index = cursor.index
    if text == "<":  # a type's "<" touches the word before it; a comparison's does not
        return cursor.kinds[index - 1] == WORD and cursor.end == cursor.starts[index]
    # A brace on a line of its own opens a body, not a join lookup.
    return text != "{" or cursor.lines[index - 1] == cursor.lines[index]


def _parse_infix(cursor: Cursor, left: Expression, operator: str, power: int) -> Expression:
    start = left.start
    # A thousand operands in a row would be a thousand levels deep as pairs.
    if operator in _CHAINED:
        return _parse_chain(cursor, left, operator, power)
    cursor.index += 1
    if operator == "->":
        # Of a projection a path follows, of a contract's operation a type.
        power = _RESULT if type(left).__name__ == "Parameters" else _POSTFIX
    elif operator == "not":
        operator = "not in"
        cursor.take("in")
    right = parse_expression(cursor, power)
    build = _BUILDERS.get(operator)
    if build is not None:
        return build(start, right.end, left, right)
    if operator in ("transitions_to", "becomes"):
        return Transition(start, right.end, operator, left, right)
    if operator == "implies":
        return Logical(start, right.end, operator, (left, right))
    return Binary(start, right.end, operator, left, right)


_BUILDERS: Final[dict[str, Callable[[int, int, Expression, Expression], Expression]]] = {
    "=>": Lambda,
    "when": Guarded,
    "where": Where,
    "with": With,
    "->": Projection,
}


def _parse_chain(cursor: Cursor, left: Expression, operator: str, power: int) -> Expression:
    """Operands of one operator side by side: as flat as they are written."""
    operands = [left]
    while cursor.take_if(operator):
        operands.append(parse_expression(cursor, power))
    end = operands[-1].end
    if operator == "|":
        return Alternatives(left.start, end, tuple(operands))
    return Logical(left.start, end, operator, tuple(operands))


def _parse_name(cursor: Cursor, text: str, start: int) -> Expression:
    """A name, or ``alias/Name``, which binds tighter than any operator."""
    cursor.index += 1
    name = Name(start, start + len(text), text)
    if cursor.texts[cursor.index] != "/" or not _is_qualified(cursor):
        return name
    cursor.index += 1
    member = cursor.take_name("a name")
    return Qualified(start, member.end, name, member)


def _is_qualified(cursor: Cursor) -> bool:
    """Whether a slash is followed by a name of that module, not by a divisor.

    ``elapsed / config.window`` divides: a block's keyword is qualified only where nothing is
    between it and the slash.
    """
    if not cursor.is_word_after(1):
        return False
    text = cursor.text_after(1)
    if text[0].isupper():
        return True
    return text in _QUALIFIED and cursor.starts[cursor.index + 1] == cursor.start + 1


def _parse_postfix(cursor: Cursor, left: Expression, operator: str) -> Expression:
    cursor.index += 1
    start = left.start
    if operator in (".", "?."):
        field = cursor.take_name("a field name")
        return Member(start, field.end, left, operator, field)
    if operator == "?":
        return Nullable(start, cursor.end, left)
    if operator == "(":
        arguments = brackets.parse_arguments(cursor, ")", parse_expression)
        return Call(start, cursor.end, left, arguments)
    if operator == "{":
        matches = brackets.parse_matches(cursor, parse_expression)
        return Lookup(start, cursor.end, left, matches)
    types = brackets.parse_items(cursor, ">", lambda inner: parse_expression(inner, _TYPE))
    return Generic(start, cursor.end, left, types)


def _parse_operand(cursor: Cursor) -> Expression:
    index = cursor.index
    kind, text, start = cursor.kinds[index], cursor.texts[index], cursor.starts[index]
    if kind == WORD:
        parse = _OPENERS.get(text)
        if parse is not None:
            return parse(cursor, start)
        if text in _CONSTANTS:
            cursor.index = index + 1
            return Constant(start, start + len(text), text)
        if not _is_out_of_place(cursor, text):
            return _parse_name(cursor, text, start)
    elif text in ("(", "{", "["):
        return brackets.parse_bracketed(cursor, start, text, parse_expression)
    elif text == "-":
        cursor.index = index + 1
        operand = parse_expression(cursor, _PREFIX)
        return Unary(start, operand.end, "-", operand)
    elif text == "*":  # any type, as in Codec<*>
        cursor.index = index + 1
        return Name(start, start + 1, text)
    else:
        literal = _read_literal(kind, text, start)
        if literal is not None:
            cursor.index = index + 1
            return literal
    raise cursor.fault(f"expected an expression, found {cursor.describe()}")


def _is_out_of_place(cursor: Cursor, text: str) -> bool:
    """Whether a word opens the next clause or branch: the value before it is missing."""
    if text == "else":
        return True
    return text in _SECTIONS and cursor.text_after(1) == ":" and cursor.is_first_on_line()


def _read_literal(kind: str, text: str, start: int) -> Expression | None:
    end = start + len(text)
    if kind == STRING:
        return read_string(text, start)
    if kind == NUMBER:
        return Number(start, end, text)
    if kind == DURATION:
        amount, _, unit = text.rpartition(".")
        return Duration(start, end, amount, unit.removesuffix("s"))
    if kind == QUOTED:
        return Quoted(start, end, decode_text(text[1:-1]))
    return None


def _parse_not(cursor: Cursor, start: int) -> Expression:
    cursor.index += 1
    operator = "not exists" if cursor.take_if("exists") else "not"
    operand = parse_expression(cursor, _PREFIX)
    return Unary(start, operand.end, operator, operand)


def _parse_exists(cursor: Cursor, start: int) -> Expression:
    word = cursor.take_name("'exists'")
    if cursor.texts[cursor.index] in (")", "}", "]", ",", ""):
        return word  # alone it is a name, as in `label: exists`
    operand = parse_expression(cursor, _PREFIX)
    return Unary(start, operand.end, "exists", operand)


def _parse_conditional(cursor: Cursor, start: int) -> Expression:
    branches = [_parse_branch(cursor, start)]
    otherwise = None
    while cursor.is_at("else"):
        index = cursor.index
        cursor.index += 1
        if cursor.is_at("if"):
            branches.append(_parse_branch(cursor, cursor.starts[index]))
            continue
        cursor.take(":")
        otherwise = parse_body(cursor, cursor.lines[index], cursor.indents[index])
        break
    return Conditional(start, (otherwise or branches[-1]).end, tuple(branches), otherwise)


def _parse_branch(cursor: Cursor, start: int) -> Branch:
    line, indent = cursor.lines[cursor.index], cursor.indents[cursor.index]
    cursor.take("if")
    condition = parse_expression(cursor)
    cursor.take(":")
    body = parse_body(cursor, line, indent)
    return Branch(start, body.end, condition, body)


def _parse_loop(cursor: Cursor, start: int) -> Expression:
    line, indent = cursor.lines[cursor.index], cursor.indents[cursor.index]
    bindings, collection, condition = parse_loop_head(cursor)
    body = parse_body(cursor, line, indent)
    return Loop(start, body.end, bindings, collection, condition, body)


def parse_loop_head(cursor: Cursor) -> tuple[tuple[Name, ...], Expression, Expression | None]:
    """``for x in collection where condition:``, the colon included."""
    cursor.take("for")
    if cursor.take_if("("):
        bindings = brackets.parse_names(cursor, ")", "a loop variable")
    else:
        bindings = (cursor.take_name("a loop variable"),)
    cursor.take("in")
    collection = parse_expression(cursor, _COLLECTION)
    condition = parse_expression(cursor) if cursor.take_if("where") else None
    cursor.take(":")
    return bindings, collection, condition


_OPENERS: Final[dict[str, Callable[[Cursor, int], Expression]]] = {
    "not": _parse_not,
    "exists": _parse_exists,
    "if": _parse_conditional,
    "for": _parse_loop,
}


def parse_body(cursor: Cursor, line: int, indent: int) -> Expression:
    """The value after a colon: on the keyword's line one expression, else a block further in.

    ``line`` is the keyword's, ``indent`` the column where that line's text begins.
    """
    index = cursor.index
    if cursor.lines[index] == line:
        return parse_expression(cursor)
    column = cursor.columns[index]
    if column <= indent or cursor.is_at_end():
        return Block(cursor.end, cursor.end, ())
    items = _parse_items(cursor, column)
    if len(items) == 1:
        return items[0]
    end = items[-1].end if items else cursor.end
    return Block(min(cursor.starts[index], end), end, tuple(items))


def _parse_items(cursor: Cursor, column: int) -> list[Expression]:
    items: list[Expression] = []
    while cursor.columns[cursor.index] >= column and cursor.texts[cursor.index] not in ("}", ""):
        items.append(parse_statement(cursor))
    return items


def parse_statement(cursor: Cursor) -> Expression:
    """An expression, or a ``let`` in a block."""
    if not cursor.is_at("let"):
        return parse_expression(cursor)
    start = cursor.start
    cursor.index += 1
    name = cursor.take_name("a name")
    cursor.take("=")
    value = parse_expression(cursor)
    return Let(start, value.end, name, value)
