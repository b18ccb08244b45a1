"""Tables of transitions between states, as a file has them, and the names by which they are asked.

::

    NEXT = {Status.NEW: {Status.PAID}, Status.PAID: set()}

    def check(old, new):
        if new not in NEXT[old]:
            raise ValueError

``NEXT`` and ``check`` ask the same table. Which classes go through it, their operations say.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants
from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.python.syntax.names import TABLE, get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# How tables are called that have the states before each, and what is looked up in them.
_SOURCES = re.compile(r"(?i)(?:^|_)(?:from|sources?|previous|predecessors?)(?:_|$)")
_NEW = re.compile(rb"(?i)(?:to|new|next|target|wanted)(?:_|$)")
_DEEPEST = 3  # lists that are made of lists
_MOST = 1000  # transitions; more are data
_COPIES = frozenset({"frozenset", "set", "tuple", "list"})

# The states before and behind, as the source writes them.
Pairs: TypeAlias = tuple[tuple[str, str], ...]
_Expressions: TypeAlias = list[tuple[ast.expr, ast.expr]]


def list_tables(
    statements: Iterable[ast.stmt],
    classes: Iterable[tuple[str, ast.ClassDef]],
    constants: Constants,
    content: bytes,
) -> Mapping[str, Pairs]:
    """The tables of a file, by all names that ask them: constants of the file and of its classes,
    functions, and methods. ``content`` is the file.
    """
    found = dict(_list_constants("", constants, constants, content))
    asking: dict[str, Function] = {e.name: e for e in statements if isinstance(e, Function)}
    for symbol, node in classes:
        own = read_constants(node.body)
        found |= _list_constants(f"{symbol}.", own, {**constants, **own}, content)
        for item in (each for each in node.body if isinstance(each, Function)):
            asking[f"{symbol}.{item.name}"] = item
            inner = [*_list_inner_tables(item, constants)]
            for table, pairs in inner if len(inner) == 1 else ():
                table.__dict__.setdefault(TABLE, f"{symbol}.{item.name}")
                found |= {f"{symbol}.{item.name}": pairs}
    if found:
        found = {**_list_asking(asking, found), **found}
    return found


def _list_constants(
    owner: str, own: Constants, constants: Constants, content: bytes
) -> Iterator[tuple[str, Pairs]]:
    for name, value in own.items():
        if pairs := read_table(value, constants):
            is_turned = _lists_sources(name, content)
            yield f"{owner}{name}", tuple((b, a) for a, b in pairs) if is_turned else pairs
        elif "TRANSITION" in name.upper() and (pairs := _read_pairs(value)):
            yield f"{owner}{name}", pairs


def read_table(node: ast.expr, constants: Constants) -> Pairs | None:
    """What ``{State.NEW: {State.PAID}, State.PAID: set()}`` leads to; None for any other value."""
    if not isinstance(node, ast.Dict) or len(node.keys) < 2:
        return None
    found: _Expressions = []
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Tuple) and key.elts:
            key, value = key.elts[0], ast.List(elts=[value])  # by a state and an event
        targets = _list_targets(value, constants, _DEEPEST)
        if key is None or targets is None:
            return None
        if isinstance(key, ast.Constant) and key.value is None:
            continue  # what it may begin with
        if not _may_be_state(key) or _is_other(key, targets):
            return None
        found += [(key, each) for each in targets]
    if not found:
        return None
    # What leads from one kind of things to another is none.
    left, entered = ({ast.unparse(each) for each in side} for side in zip(*found, strict=True))
    return _spell(found) if not left.isdisjoint(entered) else None


def _is_other(key: ast.expr, targets: Sequence[ast.expr]) -> bool:
    """Whether a number leads to a text, or a text to a number, as in most other dictionaries."""
    match key, [*targets[:1]]:
        case ast.Constant(value=one), [ast.Constant(value=two)]:
            return type(one) is not type(two)
    return False


def _list_targets(
    node: ast.expr, constants: Constants, left: int
) -> Sequence[ast.expr] | None:  # fmt: skip
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return items if all(map(_may_be_state, items)) else None
        case ast.Dict(values=items) if None not in node.keys:  # by events
            return items if all(map(_may_be_state, items)) else None
        case ast.Call(func=ast.Name(id=name), args=items, keywords=[]) if name in _COPIES:
            return _list_targets(items[0], constants, left) if len(items) == 1 else items or ()
        case ast.BinOp(left=one, op=ast.BitOr() | ast.Add(), right=two):
            parts = [_list_targets(each, constants, left) for each in (one, two)]
            return None if None in parts else [e for part in parts for e in part or ()]
        case ast.Name() | ast.Attribute() if left:
            value = constants.get(get_last(spell_dotted(node)))
            return _list_targets(value, constants, left - 1) if value is not None else None
    return None


def _may_be_state(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | int) and not isinstance(node.value, bool)
    return isinstance(node, ast.Name | ast.Attribute) and bool(spell_dotted(node))


def _spell(pairs: _Expressions) -> Pairs | None:
    """Pairs as text, those of a state with itself left out; None for none, and for data."""
    if not 0 < len(pairs) <= _MOST:
        return None
    known: dict[int, str] = {}
    texts = ((_spell_once(a, known), _spell_once(b, known)) for a, b in pairs)
    return tuple(dict.fromkeys((a, b) for a, b in texts if a != b)) or None


def _spell_once(node: ast.expr, known: dict[int, str]) -> str:
    if id(node) not in known:
        known[id(node)] = ast.unparse(node)
    return known[id(node)]


def _read_pairs(node: ast.expr) -> Pairs | None:
    """``[(State.NEW, State.PAID), ...]`` as pairs; None for any other value."""
    found: _Expressions = []
    if isinstance(node, ast.Call) and spell_dotted(node) in _COPIES and len(node.args) == 1:
        node = node.args[0]
    for each in node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ():
        match each:
            case ast.Tuple(elts=[source, target]) if _may_be_state(source):
                found.append((source, target))
                if not _may_be_state(target):
                    return None
            case _:
                return None
    return _spell(found) if len(found) > 1 else None


def _lists_sources(table: str, content: bytes) -> bool:
    """Whether a table has what each state comes from: it is asked for the new one."""
    asked = re.findall(rb"\b%b(?:\.get\(|\[)\s*(?:\w+\.)*(\w+)" % table.encode(), content)
    return _SOURCES.search(table) is not None or (bool(asked) and all(map(_NEW.match, asked)))


@answer_once
def _has_table(method: Function) -> bool:
    """Whether a method has a dictionary in a variable."""
    listed = walk_statements(method.body)
    given = (each.value for each in listed if isinstance(each, ast.Assign | ast.AnnAssign))
    return any(isinstance(each, ast.Dict) for each in given)


def _list_inner_tables(method: Function, constants: Constants) -> Iterator[tuple[ast.Dict, Pairs]]:
    """The tables that a method has in a variable."""
    for each in walk_statements(method.body) if _has_table(method) else ():
        match each:
            case ast.Assign(value=ast.Dict() as table) | ast.AnnAssign(value=ast.Dict() as table):
                if found := read_table(table, constants):
                    yield table, found


def _list_asking(
    functions: Mapping[str, Function], tables: Mapping[str, Pairs]
) -> Mapping[str, Pairs]:
    """The table that each function asks, if it asks one alone."""
    found: dict[str, Pairs] = {}
    for symbol, node in functions.items():
        owner = symbol.rpartition(".")[0]
        asked = {_find_table(each, owner, tables) for each in walk_nodes(node)} - {""}
        if len(asked) == 1:
            found[symbol] = tables[min(asked)]
    return found


def _find_table(node: ast.AST, owner: str, tables: Mapping[str, Pairs]) -> str:
    """The name of the table that an expression names in a class, or outside of any."""
    match node:
        case ast.Name(id=name) if name in tables:
            return name
        case ast.Attribute(value=ast.Name(id=own), attr=name):
            of = owner if own in ("self", "cls") else own
            return f"{of}.{name}" if f"{of}.{name}" in tables else ""
    return ""
