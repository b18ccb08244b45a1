"""Moves to a state that an operation is given, where a table allows them.

::

    if status not in NEXT[self.status]:
        raise ValueError
    self.status = status

leads from each state to those that its entry lists, for every caller.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field, read_states
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Edge


class TabledMove(NamedTuple):
    """The field that gets a parameter, whether the operation fails where it does not, and what the
    table allows.
    """

    field: str
    parameter: str
    is_sure: bool
    edges: tuple[Edge, ...]


class _Asked(NamedTuple):
    parameter: str
    symbol: str
    table: ast.expr


def find_tabled(node: Function, subject: Subject) -> TabledMove | None:
    """The move of an operation that sets a field once, to a parameter that a table lists."""
    sets = [*_list_set(node, subject)]
    if len(sets) != 1:
        return None
    symbol, parameter = sets[0]
    for at, each in enumerate(node.body):
        asked = _find_asked(each, node, subject) if isinstance(each, ast.If) else None
        if asked is None or asked[0][:2] != (parameter, symbol) or not isinstance(each, ast.If):
            continue
        (_, _, table), is_refused = asked
        states = subject.states.get(symbol, States())
        edges = _list_edges(table, states, subject)
        rest = [*each.orelse, *node.body[at + 1 :]]
        inner = node.body[at + 1 :] if is_refused else each.body
        is_left = isinstance(each.body[-1], ast.Raise | ast.Return)
        if not edges or (is_refused and not is_left) or (symbol, parameter) not in [
            pair for one in inner for pair in _read_set(one, subject)
        ]:  # fmt: skip
            return None
        last = each.body[-1] if is_refused else rest[-1] if rest else None
        return TabledMove(symbol, parameter, isinstance(last, ast.Raise), edges)
    return None


def _list_set(node: Function, subject: Subject) -> Iterator[tuple[str, str]]:
    """Each field that a function sets and that has states, with the parameter that it gets, ""
    for anything else; a parameter that is set itself is none any more.
    """
    for each in walk_statements(node.body):
        yield from _read_set(each, subject)
        if isinstance(each, ast.AugAssign) and find_field(each.target, subject) is not None:
            yield "", ""
        targets = each.targets if isinstance(each, ast.Assign) else ()
        if any(isinstance(t, ast.Name) and t.id in subject.parameters for t in targets):
            yield "", ""


def _read_set(node: ast.stmt, subject: Subject) -> Iterator[tuple[str, str]]:
    for target in node.targets if isinstance(node, ast.Assign) else ():
        field = find_field(target, subject)
        if field is not None and subject.states.get(field.symbol, States()).choices:
            value = getattr(node, "value", None)
            name = value.id if isinstance(value, ast.Name) else ""
            yield field.symbol, name if name in subject.parameters else ""


def _find_asked(node: ast.If, function: Function, subject: Subject) -> tuple[_Asked, bool] | None:
    """What a condition asks of a table, and whether it holds where the table does not allow it."""
    locals_ = dict(_list_named(function))
    wanted: type[ast.boolop] = ast.And
    test, is_refused = node.test, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, is_refused = test.operand, True
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        wanted = ast.Or
    parts = [test]
    if isinstance(test, ast.BoolOp) and isinstance(test.op, wanted):
        parts = test.values
    for each in parts:
        is_negated = False
        if wanted is ast.Or and isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
            each, is_negated = each.operand, True
        match each:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn() as op]):
                listed = each.comparators[0]
                is_denied = isinstance(op, ast.NotIn) != is_negated
            case _:
                continue
        found = _read_entry(listed, locals_, subject)
        is_whole = len(parts) == 1 or is_denied == (wanted is ast.Or)
        if found is not None and name in subject.parameters and is_whole:
            return _Asked(name, *found), is_denied != is_refused
    return None


def _list_named(node: Function) -> Iterator[tuple[str, ast.expr]]:
    """The local names that an entry of a table has."""
    for each in node.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.Call()):
                yield name, each.value


def _read_entry(
    node: ast.expr, named: Mapping[str, ast.expr], subject: Subject
) -> tuple[str, ast.expr] | None:
    """The field by which an entry of a table is found, and the table."""
    if isinstance(node, ast.Name):
        node = named.get(node.id, node)
    if isinstance(node, ast.BoolOp):
        node = node.values[0]  # NEXT[self.status] or ()
    match node:
        case ast.Subscript(value=table, slice=key):
            pass
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            pass
        case _:
            return None
    field = find_field(key, subject)
    if isinstance(table, ast.Name | ast.Attribute):
        table = subject.constants.get(get_last(spell_dotted(table)), table)
    return (field.symbol, table) if field is not None else None


def _list_edges(table: ast.expr, states: States, subject: Subject) -> tuple[Edge, ...]:
    """All that a table allows; nothing where it is not read whole."""
    found: list[Edge] = []
    pairs = zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ()
    for key, listed in pairs:
        source = states.read(key) if key is not None else None
        is_empty = isinstance(listed, ast.List | ast.Tuple | ast.Set) and not listed.elts
        reached = () if is_empty else read_states(listed, states, subject.constants)
        if source is None or reached is None:
            return ()
        found += [Edge(source, each) for each in reached if each != source]
    return tuple(dict.fromkeys(found))
