"""Tables of transitions between the states of an enum or a field."""

import ast
import re
from collections.abc import Iterator

from git_retcon.allium.extract.python.conditions import read_states
from git_retcon.allium.extract.python.constants import Constants, States
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Edge

# How tables are called that have the states before each, and what is looked up in them.
_SOURCES = re.compile(r"(?i)(?:^|_)(?:from|sources?|previous|predecessors?)(?:_|$)")
_NEW = re.compile(rb"(?i)(?:to|new|next|target|wanted)(?:_|$)")


def read_transition_table(
    node: ast.expr, states: States, constants: Constants
) -> tuple[Edge, ...] | None:
    """``{State.NEW: {State.PAID}, State.PAID: set()}`` as edges; None for any other value."""
    if not isinstance(node, ast.Dict) or len(node.keys) < 2:
        return None
    edges: dict[Edge, None] = {}
    is_table = False
    for key, value in zip(node.keys, node.values, strict=True):
        source = states.read(key) if key is not None else None
        if isinstance(value, ast.Call) and not value.args:
            targets: tuple[str, ...] | None = ()  # set()
        elif isinstance(value, ast.List | ast.Tuple | ast.Set) and not value.elts:
            targets = ()
        else:
            is_table = True
            is_many = not isinstance(value, ast.Constant)
            targets = read_states(value, states, constants) if is_many else None
        if source is None or targets is None:
            return None
        edges |= {Edge(source, target): None for target in targets if target != source}
    return tuple(edges) if is_table else None


def list_tables(
    node: ast.ClassDef, states: States, constants: Constants, content: bytes
) -> Iterator[tuple[Edge, ...]]:
    """The transitions of an enum, by each table of them that its file has: a constant, one that a
    method of the enum asks, or a list of pairs that is named for transitions. ``content`` is the
    file.
    """
    yield from list_constant_tables(states, constants, content)
    for value in _list_inner_tables(node):
        if found := read_transition_table(value, states, constants):
            yield found
    for name, value in constants.items():
        if "TRANSITION" in name.upper() and (found := _read_pairs(value, states)):
            yield found


def list_constant_tables(
    states: States, constants: Constants, content: bytes
) -> Iterator[tuple[Edge, ...]]:
    """The transitions by each constant that is a table of them."""
    for name, value in constants.items():
        if found := read_transition_table(value, states, constants):
            yield _turn(found) if _lists_sources(name, content) else found


def _lists_sources(table: str, content: bytes) -> bool:
    """Whether a table has what each state comes from: it is asked for the new one."""
    asked = re.findall(rb"\b%b(?:\.get\(|\[)\s*(?:\w+\.)*(\w+)" % table.encode(), content)
    return _SOURCES.search(table) is not None or (bool(asked) and all(map(_NEW.match, asked)))


def _turn(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
    return tuple(Edge(each.target, each.source) for each in edges)


def _list_inner_tables(node: ast.ClassDef) -> Iterator[ast.expr]:
    methods = (item for item in node.body if isinstance(item, ast.FunctionDef))
    for each in (each for item in methods for each in walk_statements(item.body)):
        match each:
            case ast.Assign(value=ast.Dict() as table) | ast.AnnAssign(value=ast.Dict() as table):
                # One for each is another way to say it, and no way to go.
                if not any(isinstance(one, ast.Attribute | ast.Name) for one in table.values):
                    yield table


def _read_pairs(node: ast.expr, states: States) -> tuple[Edge, ...]:
    """``[(State.NEW, State.PAID), ...]`` as edges; none for any other value."""
    edges: dict[Edge, None] = {}
    for each in node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ():
        pair = each.elts if isinstance(each, ast.Tuple) else []
        source, *targets = [states.read(one) for one in pair] or [None]
        if source is None or len(targets) != 1 or targets[0] is None:
            return ()
        edges |= {Edge(source, targets[0]): None} if source != targets[0] else {}
    return tuple(edges) if len(edges) > 1 else ()
