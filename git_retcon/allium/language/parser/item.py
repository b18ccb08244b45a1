"""The items between the braces of a declaration."""

from typing import Final

from git_retcon.allium.language.declarations import (
    Clause,
    Derived,
    Field,
    Item,
    ItemBranch,
    ItemConditional,
    ItemLoop,
    Parameter,
    Presence,
    Reverse,
)
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Binding,
    Expression,
    Guarded,
    Let,
    Member,
    Name,
    Quoted,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.parser.annotation import parse_annotation
from git_retcon.allium.language.parser.brackets import parse_names
from git_retcon.allium.language.parser.clause import (
    parse_contracts,
    parse_invariant,
    parse_open_question,
    parse_transitions,
)
from git_retcon.allium.language.parser.cursor import Cursor, Fault
from git_retcon.allium.language.parser.expression import (
    parse_body,
    parse_expression,
    parse_loop_head,
)
from git_retcon.allium.language.parser.recovery import recover_item

_CLAUSES: Final = frozenset({
    "when", "requires", "ensures", "facing", "context", "exposes", "provides", "related",
    "timeout", "identified_by", "within",
})  # fmt: skip
_REPLACED: Final = {"guidance": "@guidance", "guarantee": "@guarantee", "invariant": "@invariant"}


def parse_items(cursor: Cursor, kind: str, column: int = 0) -> tuple[Item, ...]:
    """Items that start at ``column`` or further in, up to a closing brace that is left there.

    What cannot be read is reported, kept as ``Unreadable``, and reading goes on after it.
    """
    items: list[Item] = []
    while not cursor.is_at("}") and not cursor.is_at_end():
        if cursor.columns[cursor.index] < column or cursor.is_beyond_block():
            break
        # The depth too: a fault may come from deep inside the item.
        first, depth = cursor.index, cursor.depth
        try:
            item = parse_item(cursor, kind)
            if item is not None:
                items.append(item)
        except Fault as fault:
            cursor.depth = depth
            items.append(recover_item(cursor, first, fault))
        cursor.take_if(",")
    return tuple(items)


def parse_item(cursor: Cursor, kind: str) -> Item | None:
    """One item; None for what was removed from the language and is skipped with a warning."""
    text, following = cursor.texts[cursor.index], cursor.text_after(1)
    if text == "@":
        return parse_annotation(cursor)
    if cursor.is_at_word() and following == ":":
        return _parse_keyed(cursor, kind, text)
    if text == "let":
        return _parse_let(cursor)
    if text in ("for", "if"):
        return _parse_nested(cursor, kind, text)
    if text in ("facing", "context") and cursor.text_after(2) == ":":
        return _parse_binding(cursor)
    if text == "invariant" and cursor.is_word_after(1):
        return parse_invariant(cursor)
    if text == "open" and following == "question":
        return parse_open_question(cursor)
    if text == "transitions" and cursor.text_after(2) == "{":
        return parse_transitions(cursor)
    if cursor.is_at_word() and following == "(":
        return _parse_derived(cursor)
    if cursor.is_at_word() and following == "." and cursor.text_after(3) == ":":
        return _parse_reverse(cursor)
    raise cursor.fault(f"expected a field, a clause or '}}', found {cursor.describe()}")


def _parse_keyed(cursor: Cursor, kind: str, text: str) -> Item | None:
    """``name: value``, the most frequent form by far."""
    if text == "contracts":
        return parse_contracts(cursor)
    if text in _REPLACED:
        raise cursor.fault(
            f"'{text}:' is now '{_REPLACED[text]}' with indented comment lines below it"
        )
    if text in ("produces", "consumes") and kind == "rule":
        _skip_removed(cursor, text)
        return None
    start, line, column = cursor.start, cursor.lines[cursor.index], cursor.columns[cursor.index]
    name = cursor.take_name("a name")
    cursor.index += 1
    if text == "when" and _is_binding(cursor, line, column):
        bound = cursor.take_name("a name")
        cursor.index += 1
        inner = parse_body(cursor, line, column)
        return Clause(start, inner.end, text, Binding(bound.start, inner.end, bound, inner))
    value = parse_body(cursor, line, column)
    if text in _CLAUSES:
        return Clause(start, value.end, text, value)
    return make_field(name, value, kind)


def make_field(name: Name, value: Expression, kind: str) -> Item:
    """A field, or a config's parameter; what its value says of states and defaults apart."""
    end = value.end
    if kind == "config":
        if isinstance(value, Binary) and value.operator == "=":
            return Parameter(name.start, end, name, value.left, value.right)
        return Parameter(name.start, end, name, value, None)
    if kind == "imported config":
        return Parameter(name.start, end, name, None, value)
    presence = _read_presence(value) if isinstance(value, Guarded) else None
    if isinstance(value, Guarded) and presence is not None:
        return Field(name.start, end, name, value.action, presence)
    return Field(name.start, end, name, value, None)


def _read_presence(value: Guarded) -> Presence | None:
    condition = value.condition
    if not isinstance(condition, Binary) or condition.operator != "=":
        return None
    field, right = condition.left, condition.right
    states = right.items if isinstance(right, Alternatives) else (right,)
    found = tuple(state for state in states if isinstance(state, Name | Quoted))
    if not isinstance(field, Name) or len(found) != len(states):
        return None
    return Presence(condition.start, condition.end, field, found)


def _is_binding(cursor: Cursor, line: int, column: int) -> bool:
    """Whether ``when:`` goes on with ``name:``, on its own line or further in."""
    index = cursor.index
    if not cursor.is_at_word() or cursor.text_after(1) != ":":
        return False
    return cursor.lines[index] == line or cursor.columns[index] > column


def _skip_removed(cursor: Cursor, text: str) -> None:
    message = f"'{text}:' was removed in version 3; write 'when' after a field's type instead"
    cursor.findings.append(
        Finding(cursor.start, Severity.WARNING, message, "allium.parse.removedClause")
    )
    line, column = cursor.lines[cursor.index], cursor.columns[cursor.index]
    cursor.index += 2
    while not (cursor.is_at("}") or cursor.is_at_end()):
        if cursor.lines[cursor.index] > line and cursor.columns[cursor.index] <= column:
            break
        cursor.index += 1


def _parse_let(cursor: Cursor) -> Item:
    start, line, column = cursor.start, cursor.lines[cursor.index], cursor.columns[cursor.index]
    cursor.index += 1
    name = cursor.take_name("a name")
    cursor.take("=")
    value = parse_body(cursor, line, column)
    return Let(start, value.end, name, value)


def _parse_binding(cursor: Cursor) -> Item:
    """``facing name: Type`` or ``context name: Type where condition``."""
    start, line, column = cursor.start, cursor.lines[cursor.index], cursor.columns[cursor.index]
    keyword = cursor.take_name("a clause").text
    name = cursor.take_name("a name")
    cursor.take(":")
    value = parse_body(cursor, line, column)
    return Clause(start, value.end, keyword, Binding(name.start, value.end, name, value))


def _parse_derived(cursor: Cursor) -> Item:
    start, line, column = cursor.start, cursor.lines[cursor.index], cursor.columns[cursor.index]
    name = cursor.take_name("a name")
    cursor.index += 1
    parameters = parse_names(cursor, ")", "a parameter")
    cursor.take(":")
    value = parse_body(cursor, line, column)
    return Derived(start, value.end, name, parameters, value)


def _parse_reverse(cursor: Cursor) -> Item:
    start, line, column = cursor.start, cursor.lines[cursor.index], cursor.columns[cursor.index]
    entity = cursor.take_name("an entity")
    cursor.index += 1
    field = cursor.take_name("a field")
    cursor.index += 1
    value = parse_body(cursor, line, column)
    path = Member(start, field.end, entity, ".", field)
    return Reverse(start, value.end, path, value)


def _parse_nested(cursor: Cursor, kind: str, text: str) -> Item:
    cursor.enter()
    item = _parse_loop(cursor, kind) if text == "for" else _parse_conditional(cursor, kind)
    cursor.depth -= 1
    return item


def _parse_loop(cursor: Cursor, kind: str) -> Item:
    start, line, indent = cursor.start, cursor.lines[cursor.index], cursor.indents[cursor.index]
    bindings, collection, condition = parse_loop_head(cursor)
    items = _parse_nested_items(cursor, kind, line, indent)
    return ItemLoop(start, cursor.end, bindings, collection, condition, items)


def _parse_conditional(cursor: Cursor, kind: str) -> Item:
    start = cursor.start
    branches = [_parse_branch(cursor, kind)]
    otherwise = None
    while cursor.is_at("else"):
        line, indent = cursor.lines[cursor.index], cursor.indents[cursor.index]
        cursor.index += 1
        if cursor.is_at("if"):
            branches.append(_parse_branch(cursor, kind))
            continue
        cursor.take(":")
        otherwise = _parse_nested_items(cursor, kind, line, indent)
        break
    return ItemConditional(start, cursor.end, tuple(branches), otherwise)


def _parse_branch(cursor: Cursor, kind: str) -> ItemBranch:
    start, line, indent = cursor.start, cursor.lines[cursor.index], cursor.indents[cursor.index]
    cursor.take("if")
    condition = parse_expression(cursor)
    cursor.take(":")
    items = _parse_nested_items(cursor, kind, line, indent)
    return ItemBranch(start, cursor.end, condition, items)


def _parse_nested_items(cursor: Cursor, kind: str, line: int, indent: int) -> tuple[Item, ...]:
    """What a loop or branch holds: one item on the same line, or all that are further in."""
    if cursor.lines[cursor.index] == line:
        item = parse_item(cursor, kind)
        return (item,) if item is not None else ()
    column = cursor.columns[cursor.index]
    return parse_items(cursor, kind, column) if column > indent else ()
