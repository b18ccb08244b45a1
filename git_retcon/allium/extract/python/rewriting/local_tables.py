"""Tables that a method has in a variable, written where it asks them.

::

    moves = {State.NEW: [State.DONE]}
    allowed = moves.get(self.state, [])
    if new not in allowed:
        raise ValueError

asks what ``if new not in {State.NEW: [State.DONE]}.get(self.state, [])`` asks.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.rewriting.local_answers import is_entry
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.names import TABLE
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_READS = frozenset({"get", "keys", "items", "values", "copy"})


def open_local_tables(classes: Iterable[ast.ClassDef]) -> None:
    """Write the tables of methods so. The methods are changed."""
    for owner in classes:
        for each in owner.body:
            if isinstance(each, Function) and _list_variables(each):
                _Opener(f"{owner.name}.{each.name}", each).open()


@answer_once
def _list_variables(node: Function) -> Sequence[str]:
    """The variables that hold one table, or what it has for one key."""
    stored: Counter[str] = Counter()
    found: list[str] = []
    for each in walk_statements(node.body):
        name, value = _read_given(each)
        stored[name] += 1
        is_held = isinstance(value, ast.Dict | ast.Subscript) or (value and is_entry(value))
        found += [name] if name and is_held else []
    has_table = any(isinstance(_read_given(each)[1], ast.Dict) for each in node.body)
    changed = {*_list_changed(node)} if has_table and found else set()
    return [n for n in found if stored[n] == 1 and n not in changed] if has_table else []


def _list_changed(node: Function) -> Iterator[str]:
    """The variables of which something may be set, or left out."""
    for each in walk_nodes(node):
        match each:
            case ast.Subscript(value=ast.Name(id=name)) if not isinstance(each.ctx, ast.Load):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called)) if (
                called not in _READS
            ):
                yield name
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name


def _read_given(node: ast.stmt) -> tuple[str, ast.expr | None]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            return name, value
    return "", None


class _Opener:
    """Follows the statements of one method. ``symbol`` is its place."""

    def __init__(self, symbol: str, method: Function) -> None:
        self._symbol = symbol
        self._method = method
        self._names = {*_list_variables(method)}
        self._tables: dict[str, ast.expr] = {}
        self._entries: dict[str, ast.expr] = {}

    def open(self) -> None:
        for each in self._method.body:
            name, value = _read_given(each)
            if name in self._names and isinstance(value, ast.Dict):
                setattr(value, TABLE, self._symbol)
                self._tables[name] = value
            elif name in self._names and value is not None:
                self._entries[name] = replace_names(value, self._tables)
            elif isinstance(each, ast.If | ast.Assert) and self._asks(each.test):
                forget_text(self._method)
                each.test = replace_names(each.test, self._held)
            # What is set may be the key by which an entry was found.
            if not name and (_sets_any(each) or not isinstance(each, ast.If | ast.Assert)):
                self._entries.clear()

    @property
    def _held(self) -> Mapping[str, ast.expr]:
        return {**self._tables, **self._entries}

    def _asks(self, test: ast.expr) -> bool:
        return any(isinstance(e, ast.Name) and e.id in self._held for e in walk_nodes(test))


def _sets_any(node: ast.stmt) -> bool:
    parts = (each for each in walk_nodes(node) if isinstance(each, ast.Attribute))
    return any(isinstance(getattr(each, "ctx", None), ast.Store) for each in parts)
