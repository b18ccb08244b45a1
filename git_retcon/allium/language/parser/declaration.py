"""Declarations, and the file as a whole."""

import functools
import re
from collections.abc import Callable
from typing import Final

from git_retcon.allium.language.declarations import (
    Braced,
    Declaration,
    Default,
    Deferred,
    Item,
    Module,
    Use,
    Variant,
)
from git_retcon.allium.language.expressions import Expression, Member, Name, Qualified
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.parser.annotation import parse_title
from git_retcon.allium.language.parser.clause import (
    parse_invariant,
    parse_literal,
    parse_open_question,
    parse_reference,
    parse_string,
)
from git_retcon.allium.language.parser.cursor import Cursor, Fault
from git_retcon.allium.language.parser.expression import parse_expression
from git_retcon.allium.language.parser.item import parse_items
from git_retcon.allium.language.parser.recovery import recover_declaration, recover_item
from git_retcon.allium.language.tokens import BOM, STRING

NEWEST: Final = 3


def parse_module(cursor: Cursor, data: bytes) -> Module:
    """All declarations of a file; what is wrong is in ``cursor.findings``."""
    version = _read_version(cursor, data)
    declarations: list[Declaration] = []
    while not cursor.is_at_end():
        first = cursor.index
        try:
            declarations.append(_parse_declaration(cursor))
        except Fault as fault:
            # The fault left the levels that it was raised through without leaving them one by one.
            cursor.depth = 0
            declarations.append(recover_declaration(cursor, first, fault))
    return Module(0, len(data), version, tuple(declarations))


def _read_version(cursor: Cursor, data: bytes) -> int | None:
    """The version marker: the first line that is not blank."""
    # Of a byte-order mark, which is an error, nothing else is the consequence.
    match = _marker().match(data, len(BOM) if data.startswith(BOM) else 0)
    if match is None:
        message = f"missing version marker; write '-- allium: {NEWEST}' on the first line"
        code = "allium.version.missing"
        cursor.findings.append(Finding(0, Severity.WARNING, message, code))
        return None
    # Longer than any version there will be, and reading it as a number would take long.
    digits = match[1][:9]
    version = int(digits)
    if not 1 <= version <= NEWEST:
        message = f"unsupported allium version {version}; this reads versions 1 to {NEWEST}"
        code = "allium.version.unsupported"
        cursor.findings.append(Finding(match.start(1), Severity.ERROR, message, code))
    return version


@functools.cache
def _marker() -> re.Pattern[bytes]:
    return re.compile(rb"\s*--[ \t]*allium:[ \t]*([0-9]+)[ \t\r]*(?:\n|\Z)")


def _parse_declaration(cursor: Cursor) -> Declaration:
    text = cursor.texts[cursor.index]
    parse = _FORMS.get(text)
    if parse is not None:
        return parse(cursor)
    if cursor.is_at_word() and cursor.text_after(1) == "/" and cursor.text_after(2) == "config":
        return _parse_imported_config(cursor)
    raise cursor.fault(f"expected a declaration, found {cursor.describe()}")


def _parse_use(cursor: Cursor) -> Declaration:
    start = cursor.start
    cursor.index += 1
    path = parse_string(cursor, "a path in quotes")
    alias = cursor.take_name("an alias") if cursor.take_if("as") else None
    return Use(start, cursor.end, path, alias)


def _parse_named(cursor: Cursor) -> Declaration:
    """``keyword Name { items }``."""
    start, column, kind = cursor.start, cursor.columns[cursor.index], cursor.texts[cursor.index]
    cursor.index += 1
    if kind == "external":
        cursor.take("entity")
        kind = "external entity"
    take = parse_title if kind == "contract" else Cursor.take_name
    name = take(cursor, f"a name for the {kind}")
    items = _parse_braces(cursor, kind, column)
    return Braced(start, cursor.end, kind, name, items)


def _parse_nameless(cursor: Cursor) -> Declaration:
    """``given { items }`` and ``config { items }``."""
    start, column, kind = cursor.start, cursor.columns[cursor.index], cursor.texts[cursor.index]
    cursor.index += 1
    items = _parse_braces(cursor, kind, column)
    return Braced(start, cursor.end, kind, None, items)


def _parse_imported_config(cursor: Cursor) -> Declaration:
    """``alias/config { name: value }``."""
    start, column = cursor.start, cursor.columns[cursor.index]
    alias = cursor.take_name("an alias")
    cursor.index += 2
    items = _parse_braces(cursor, "imported config", column)
    return Braced(start, cursor.end, "config", alias, items)


def _parse_braces(cursor: Cursor, kind: str, column: int) -> tuple[Item, ...]:
    cursor.take("{")
    outer, cursor.block_column = cursor.block_column, column
    items = _parse_literals(cursor) if kind == "enum" else parse_items(cursor, kind)
    cursor.block_column = outer
    if not cursor.take_if("}"):
        # Said, but not raised: the items are there, and the next declaration begins here.
        cursor.report(cursor.start, f"expected '}}', found {cursor.describe()}")
    return items


def _parse_literals(cursor: Cursor) -> tuple[Item, ...]:
    literals: list[Item] = []
    while not cursor.is_at("}") and not cursor.is_at_end() and not cursor.is_beyond_block():
        first = cursor.index
        try:
            literals.append(parse_literal(cursor))
        except Fault as fault:
            literals.append(recover_item(cursor, first, fault))
    return tuple(literals)


def _parse_variant(cursor: Cursor) -> Declaration:
    start, column = cursor.start, cursor.columns[cursor.index]
    cursor.index += 1
    name = cursor.take_name("a name for the variant")
    cursor.take(":")
    base = parse_reference(cursor, "the entity it is a variant of")
    items = _parse_braces(cursor, "variant", column) if cursor.is_at("{") else ()
    return Variant(start, cursor.end, name, base, items)


def _parse_default(cursor: Cursor) -> Declaration:
    """``default [alias/][Type] name = value``."""
    start = cursor.start
    cursor.index += 1
    type_name = None
    # One word before the "=": it is the name, and there is no type.
    if cursor.text_after(1) != "=":
        type_name = parse_reference(cursor, "a type or a name")
    name = cursor.take_name("a name for the default")
    cursor.take("=")
    value = parse_expression(cursor)
    return Default(start, value.end, type_name, name, value)


def _parse_deferred(cursor: Cursor) -> Declaration:
    """``deferred [alias/]Name.member "hint"``, on one line."""
    start, line = cursor.start, cursor.lines[cursor.index]
    cursor.index += 1
    path: Expression = _take_on_line(cursor, line)
    while _is_on_line(cursor, line) and (cursor.is_at(".") or cursor.is_at("/")):
        operator = cursor.texts[cursor.index]
        if operator == "/" and not isinstance(path, Name):
            raise cursor.fault("an alias comes before the whole path")
        cursor.index += 1
        name = _take_on_line(cursor, line)
        if operator == ".":
            path = Member(path.start, name.end, path, ".", name)
        elif isinstance(path, Name):
            path = Qualified(path.start, name.end, path, name)
    hint = None
    if cursor.kinds[cursor.index] == STRING and _is_on_line(cursor, line):
        hint = parse_string(cursor, "a path in quotes")
    return Deferred(start, cursor.end, path, hint)


def _take_on_line(cursor: Cursor, line: int) -> Name:
    if not _is_on_line(cursor, line):
        raise cursor.fault(f"expected a name on the line of 'deferred', found {cursor.describe()}")
    return cursor.take_name("a name")


def _is_on_line(cursor: Cursor, line: int) -> bool:
    return cursor.lines[cursor.index] == line


_FORMS: Final[dict[str, Callable[[Cursor], Declaration]]] = {
    "use": _parse_use,
    "variant": _parse_variant,
    "default": _parse_default,
    "deferred": _parse_deferred,
    "open": parse_open_question,
    "invariant": parse_invariant,
    "given": _parse_nameless,
    "config": _parse_nameless,
    **dict.fromkeys(
        ("entity", "external", "value", "enum", "rule", "surface", "actor", "contract"),
        _parse_named,
    ),
}
