"""Which states a source names in a list or a table: of a constant, a local name, a property."""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.python.syntax.conditions import (
    Subject,
    face_field,
    find_field,
    read_states,
)
from git_retcon.allium.extract.python.syntax.constants import Constants, States
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_PLAIN = ast.Constant | ast.Name | ast.Attribute | ast.Starred
_Entries: TypeAlias = Sequence[tuple[str, Collection[str]]]
# What the table says that was asked last: a method is followed from each state by itself.
_TABLES: dict[int, tuple[ast.Dict, States, Constants, _Entries | None]] = {}


@answer_once
def read_local_lists(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[str, ast.expr]:
    """The lists of names that a function gives one local name each, and changes nowhere: it names
    each once, or asks what is in it.
    """
    found: dict[str, ast.expr] = {}
    for each in node.body:
        match each:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) as value,
            ) if items and all(isinstance(item, _PLAIN) for item in items):
                found[name] = value
    if not found:
        return found
    # In a translated body no name says whether it is set.
    used = Counter(each.id for each in walk_nodes(node) if isinstance(each, ast.Name))
    asked = Counter(_list_searched(node)) if any(used[name] > 2 for name in found) else Counter()
    return {
        name: value
        for name, value in found.items()
        if used[name] == 2 or used[name] == 1 + asked[name]
    }


def _list_searched(node: ast.AST) -> Iterator[str]:
    """The names of collections that comparisons search, once for each."""
    for each in walk_nodes(node):
        match each:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[searched]):
                yield from _list_joined(searched)


def _list_joined(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.BinOp(left=left, right=right):
            yield from (*_list_joined(left), *_list_joined(right))
        case ast.Name(id=name):
            yield name


def spread_given(listed: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    """A list of names with what they are given: ``(first, *others)``."""
    found: list[ast.expr] = []
    for each in getattr(listed, "elts", ()):
        value = each.value if isinstance(each, ast.Starred) else each
        value = given.get(value.id, value) if isinstance(value, ast.Name) else value
        is_spread = isinstance(each, ast.Starred) and isinstance(value, ast.Tuple | ast.List)
        found += getattr(value, "elts", ()) if is_spread else [value]
    return ast.Tuple(elts=found, ctx=ast.Load())


def read_returned(body: Sequence[ast.stmt]) -> ast.expr | None:
    """What a body returns when that is all that it does, maybe under a lock; a table may get a name
    before.
    """
    match body:
        case [ast.With(items=[ast.withitem(context_expr=ast.Attribute())], body=inner)]:
            return read_returned(inner)
        case [ast.Return(value=ast.Call(func=ast.Name(id="bool"), args=[value], keywords=[]))]:
            return value  # true wherever it is
        case [ast.Return(value=ast.expr() as value)]:
            return value
        case [
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as table),
            ast.Return(value=ast.Subscript(value=ast.Name(id=used), slice=key)),
        ] if used == name:
            return ast.Subscript(value=table, slice=key)
    return None


def read_sources(
    target: str, node: ast.expr, field: str, states: States, subject: Subject
) -> tuple[str, ...] | None:
    """The states whose entry in a table, by a field, lists a state: ``NEXT[self.status]``.

    None for what is no such table, or is not read whole.
    """
    table: ast.expr | None = None
    match node:
        case ast.Subscript(value=value, slice=key):
            table = value
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *others]):
            table = value if others and all(map(_is_empty, others)) else None
        case _:
            return None
    found = find_field(key, subject)
    if isinstance(table, ast.Name | ast.Attribute):
        table = subject.constants.get(get_last(spell_dotted(table)))
    if found is None or found.symbol != field or not isinstance(table, ast.Dict):
        return None
    pairs = _read_table(table, states, subject.constants)
    return None if pairs is None else tuple(one for one, reached in pairs if target in reached)


def _read_table(table: ast.Dict, states: States, constants: Constants) -> _Entries | None:
    """The states that a table lists for each; None where it is not read whole."""
    known = _TABLES.get(id(table))
    if known is None or known[:3] != (table, states, constants):
        _TABLES.clear()
        found = [*_list_entries(table, states, constants)]
        pairs = tuple((one, to) for one, to in found if one is not None and to is not None)
        known = table, states, constants, pairs if len(pairs) == len(found) else None
        _TABLES[id(table)] = known
    return known[3]


def _list_entries(
    table: ast.Dict, states: States, constants: Constants
) -> Iterator[tuple[str | None, Collection[str] | None]]:
    for name, listed in zip(table.keys, table.values, strict=True):
        reached = () if _is_empty(listed) else read_states(listed, states, constants)
        yield states.read(name) if name is not None else None, reached


def find_entry(
    node: ast.expr, resolve: Callable[[ast.expr], ast.expr], subject: Subject
) -> ast.expr:
    """What a table lists for a constant, ``ALLOWED[action]`` of an action that is given; else the
    expression itself.
    """
    match node:
        case (
            ast.Subscript(value=table, slice=key)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_])
        ):
            given = resolve(key)
        case _:
            return node
    if isinstance(table, ast.Name | ast.Attribute):
        table = subject.constants.get(get_last(spell_dotted(table)), table)
    if isinstance(table, ast.Dict) and isinstance(given, ast.Constant | ast.Attribute):
        for name, listed in zip(table.keys, table.values, strict=True):
            if name is not None and ast.unparse(name) == ast.unparse(given):
                return listed
    return node


def read_pairs(
    pair: ast.Tuple,
    listed: ast.expr,
    is_field: Callable[[ast.expr], bool],
    states: States,
    subject: Subject,
) -> tuple[str, ...] | None:
    """The states that a list of pairs has before another one, ``(self.status, State.DONE) in
    MOVES``; None for what is no such list, or is not read whole.
    """
    match pair.elts:
        case [first, second] if is_field(_open_stored(first)):
            target = states.read(second)
        case _:
            return None
    if isinstance(listed, ast.Name | ast.Attribute):
        listed = subject.constants.get(get_last(spell_dotted(listed)), listed)
    if isinstance(listed, ast.Call) and len(listed.args) == 1:
        listed = listed.args[0] if spell_dotted(listed) in ("frozenset", "set", "tuple") else listed
    parts = listed.keys if isinstance(listed, ast.Dict) else getattr(listed, "elts", [])
    sources: list[str] = []
    for each in parts:
        if not isinstance(each, ast.Tuple) or len(each.elts) != 2 or target is None:
            return None
        source, reached = map(states.read, each.elts)
        if source is None or reached is None:
            return None
        sources += [source] if reached == target else []
    return tuple(sources) if parts else None


def _open_stored(node: ast.expr) -> ast.expr:
    """A state for what it is stored as: ``self.status.value``."""
    is_stored = isinstance(node, ast.Attribute) and node.attr == "value"
    return node.value if isinstance(node, ast.Attribute) and is_stored else node


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="set" | "frozenset" | "tuple" | "list"), args=[]):
            return True
    return isinstance(node, ast.List | ast.Tuple | ast.Set) and not node.elts


def split_condition(
    test: ast.expr, symbol: str, states: States, subject: Subject
) -> list[tuple[str, tuple[str, ...]]]:
    """A condition on a field and another one, as the other and the states."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return []
    found: list[tuple[str, ...]] = []
    others: list[ast.expr] = []
    for each in test.values:
        named = None
        match each:
            case ast.Compare(ops=[ast.Eq() | ast.Is() | ast.In()]):
                left, _, right = face_field(each, subject)
                field = find_field(left, subject)
                if field is not None and field.symbol == symbol:
                    named = read_states(right, states, subject.constants)
        if named is None:
            others.append(each)
        else:
            found.append(named)
    is_pair = len(found) == len(others) == 1
    return [(ast.unparse(others[0]), found[0])] if is_pair else []


def read_containing(part: ast.expr, states: States) -> tuple[str, ...] | None:
    """The states whose stored texts have a text in them: "open" is in "opening"."""
    text = part.value if isinstance(part, ast.Constant) else None
    texts = {each.name: each.stored or each.name for each in states.choices}
    if not isinstance(text, str) or not all(isinstance(t, str) for t in texts.values()):
        return None
    return tuple(name for name, stored in texts.items() if text in str(stored))
