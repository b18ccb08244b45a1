"""What is written between brackets: arguments, sets, lists, objects, lookups, parameters.

Commas between items are optional. The expression parser is handed in, since it needs this module.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from git_retcon.allium.language.expressions import (
    Argument,
    Binding,
    Expression,
    ListLiteral,
    Match,
    Name,
    ObjectLiteral,
    Parameters,
    SetLiteral,
)
from git_retcon.allium.language.parser.cursor import Cursor

Parse: TypeAlias = Callable[[Cursor], Expression]
_Item = TypeVar("_Item")


def parse_items(
    cursor: Cursor, closing: str, parse: Callable[[Cursor], _Item]
) -> tuple[_Item, ...]:
    """Items up to the closing bracket, which is taken too."""
    items: list[_Item] = []
    while not cursor.is_at(closing):
        # The bracket is never closed: better one message here than the rest of the file as its
        # items.
        if cursor.is_at_end() or cursor.is_beyond_block():
            cursor.take(closing)
        items.append(parse(cursor))
        cursor.take_if(",")
    cursor.index += 1
    return tuple(items)


def parse_names(cursor: Cursor, closing: str, meaning: str) -> tuple[Name, ...]:
    """Names up to the closing bracket, which is taken too."""
    return parse_items(cursor, closing, lambda inner: inner.take_name(meaning))


def parse_arguments(cursor: Cursor, closing: str, parse: Parse) -> tuple[Argument, ...]:
    """Values with or without ``name:`` before them."""

    def parse_argument(inner: Cursor) -> Argument:
        if inner.is_at_word() and inner.text_after(1) == ":":
            name = inner.take_name("an argument")
            inner.index += 1
            value = parse(inner)
            return Argument(name.start, value.end, name, value)
        value = parse(inner)
        return Argument(value.start, value.end, None, value)

    return parse_items(cursor, closing, parse_argument)


def parse_matches(cursor: Cursor, parse: Parse) -> tuple[Match, ...]:
    """The fields of a join lookup."""

    def parse_match(inner: Cursor) -> Match:
        name = inner.take_name("a field name")
        value = parse(inner) if inner.take_if(":") else None
        return Match(name.start, value.end if value else name.end, name, value)

    return parse_items(cursor, "}", parse_match)


def parse_bracketed(cursor: Cursor, start: int, opening: str, parse: Parse) -> Expression:
    """What an opening bracket starts where an operand is expected."""
    cursor.index += 1
    # An object and a set, parameters and a group, begin alike; the colon decides.
    is_named = cursor.is_at_word() and cursor.text_after(1) == ":"
    if opening == "[":
        items = parse_items(cursor, "]", parse)
        return ListLiteral(start, cursor.end, items)
    if opening == "{":
        if is_named:
            fields = parse_items(cursor, "}", lambda inner: _parse_field(inner, parse))
            return ObjectLiteral(start, cursor.end, fields)
        items = parse_items(cursor, "}", parse)
        return SetLiteral(start, cursor.end, items)
    if is_named or cursor.is_at(")"):
        bindings = parse_items(cursor, ")", lambda inner: _parse_parameter(inner, parse))
        return Parameters(start, cursor.end, bindings)
    value = parse(cursor)
    cursor.take(")")
    return value


def _parse_field(cursor: Cursor, parse: Parse) -> Argument:
    name = cursor.take_name("a field name")
    cursor.take(":")
    value = parse(cursor)
    return Argument(name.start, value.end, name, value)


def _parse_parameter(cursor: Cursor, parse: Parse) -> Binding:
    name = cursor.take_name("a parameter name")
    cursor.take(":")
    value = parse(cursor)
    return Binding(name.start, value.end, name, value)
