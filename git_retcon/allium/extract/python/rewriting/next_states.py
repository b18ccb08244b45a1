"""The next state by a table, written as what it is for each state.

::

    NEXT = {State.NEW: State.OPEN, State.OPEN: State.DONE}

    def advance(self):
        found = self.NEXT.get(self.state)
        if found is None:
            raise ValueError
        self.state = found

refuses what is no key, and moves each key to its own value: one "if" for each comes in place of
what sets the state, as for ``self.state = self.NEXT[self.state]``.
"""

import ast
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_PLAIN = ast.Attribute | ast.Constant
_MOST = 30  # states of a table
Tables = Mapping[str, ast.Dict]


class _Entry(NamedTuple):
    """What a table has for a key. Without one, asking ``fails``, or gives the key itself where it
    ``stays``, or else nothing.
    """

    table: ast.Dict
    key: ast.expr
    fails: bool
    stays: bool


def open_next(classes: Iterable[ast.ClassDef], constants: Constants) -> None:
    """Write the next states of the classes of a file so. The methods are changed."""
    shared = {name: each for name, each in constants.items() if _is_table(each)}
    for owner in classes:
        own = {n: each for n, each in read_constants(owner.body).items() if _is_table(each)}
        named = {f"{of}.{n}": e for n, e in own.items() for of in ("self", "cls", owner.name)}
        tables = {n: e for n, e in {**shared, **named}.items() if isinstance(e, ast.Dict)}
        for each in owner.body if tables else ():
            if isinstance(each, Function) and _asks_any(each, tables):
                forget_text(each)
                each.body = [*_Opener(tables, each).open(each.body)]


def _is_table(node: ast.expr) -> bool:
    """Whether a table has one state for each, and no list of some."""
    if not isinstance(node, ast.Dict) or not 1 < len(node.keys) <= _MOST:
        return False
    parts = (*node.keys, *node.values)
    return all(isinstance(each, _PLAIN) for each in parts)


def _asks_any(method: Function, tables: Tables) -> bool:
    named = (each for each in walk_nodes(method) if isinstance(each, ast.Name | ast.Attribute))
    return any(spell_dotted(each) in tables for each in named)


class _Opener:
    """Opens one method; ``held`` are its variables that hold an entry."""

    def __init__(self, tables: Tables, method: Function) -> None:
        self._tables = tables
        self._held: dict[str, _Entry] = {}
        self._stored = [
            target.id
            for each in walk_statements(method.body)
            if isinstance(each, ast.Assign)
            for target in each.targets
            if isinstance(target, ast.Name)
        ]

    def open(self, body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        found: list[ast.stmt] = []
        for each in body:
            for one in self._open(each):
                found.append(ast.fix_missing_locations(ast.copy_location(one, each)))
        return found

    def _open(self, node: ast.stmt) -> Sequence[ast.stmt]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                entry = self._read(value)
                if entry is not None and self._stored.count(name) == 1:
                    self._held[name] = entry
                    return [*_refuse(entry), node] if entry.fails else [node]
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                held = self._held.get(value.id) if isinstance(value, ast.Name) else None
                entry = held or self._read(value)
                # What is asked for later is what follows on something else.
                place = ast.unparse(target)
                found = self._held.items()
                self._held = {n: each for n, each in found if ast.unparse(each.key) != place}
                if entry is not None and ast.unparse(entry.key) == ast.unparse(target):
                    return [*(_refuse(entry) if entry.fails else ()), _move(entry, target)]
            case ast.If():
                node.test = _Asked(self._tables, self._held).visit(node.test)
                node.body = [*self.open(node.body)]
                node.orelse = [*self.open(node.orelse)]
            case ast.With() | ast.AsyncWith() | ast.Try():
                node.body = [*self.open(node.body)]
        return [node]

    def _read(self, node: ast.expr) -> _Entry | None:
        match node:
            case ast.Subscript(value=named, slice=ast.Attribute() as key):
                table, fails, stays = self._tables.get(spell_dotted(named)), True, False
            case ast.Call(
                func=ast.Attribute(value=named, attr="get"), args=[ast.Attribute() as key, *others]
            ):
                stays = bool(others) and ast.unparse(others[0]) == ast.unparse(key)
                is_known = stays or not others or ast.unparse(others[0]) == "None"
                table, fails = self._tables.get(spell_dotted(named)) if is_known else None, False
            case _:
                return None
        return _Entry(table, key, fails, stays) if table is not None else None


def _list_keys(table: ast.Dict) -> ast.Tuple:
    return ast.Tuple([copy_tree(each) for each in table.keys if each is not None], ast.Load())


def _refuse(entry: _Entry) -> Sequence[ast.stmt]:
    test = ast.Compare(copy_tree(entry.key), [ast.NotIn()], [_list_keys(entry.table)])
    return [ast.If(test, [ast.Raise(ast.Name("KeyError", ast.Load()), None)], [])]


def _move(entry: _Entry, target: ast.Attribute) -> ast.stmt:
    """One "if" with the others as what it does else."""
    ways: list[ast.If] = []
    for key, value in zip(entry.table.keys, entry.table.values, strict=True):
        if key is not None:
            test = ast.Compare(copy_tree(entry.key), [ast.Eq()], [copy_tree(key)])
            moved = ast.Assign([copy_tree(target)], copy_tree(value))
            ways.append(ast.If(test, [moved], []))
    for first, other in itertools.pairwise(ways):
        first.orelse = [other]
    return ways[0]


class _Asked(ast.NodeTransformer):
    """Whether there is an entry, as whether a state is one of the keys."""

    def __init__(self, tables: Tables, held: Mapping[str, _Entry]) -> None:
        self._tables, self._held = tables, held

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if self._is_held(name):
                return self._ask(name, ast.NotIn())
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(
                left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]
            ) if self._is_held(name):
                return self._ask(name, ast.NotIn() if isinstance(op, ast.Is | ast.Eq) else ast.In())
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[named]):
                table = self._tables.get(spell_dotted(named))
                if table is not None and isinstance(named, ast.Name | ast.Attribute):
                    node.comparators = [_list_keys(table)]
        self.generic_visit(node)
        return node

    def _is_held(self, name: str) -> bool:
        entry = self._held.get(name)
        return entry is not None and not entry.stays

    def _ask(self, name: str, op: ast.cmpop) -> ast.expr:
        entry = self._held[name]
        return ast.Compare(copy_tree(entry.key), [op], [_list_keys(entry.table)])
