"""Which of a function's objects is the row that a query changes.

An operation that loads an order, refuses it in some states and then updates it by its identity
moves that order: what it demanded of the object, it demanded of the row.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.row_queries import (
    STORED,
    WHERE,
    find_asked_class,
    find_queried_class,
    is_update,
    list_chained,
    read_table,
)

_IDENTITIES = ("id", "_id")


class UpdatedRows:
    """The objects of one function that queries found. ``queries`` are what variables hold."""

    def __init__(
        self, node: Function, queries: Mapping[str, ast.expr], is_type: Callable[[str], bool]
    ) -> None:
        self._queries = queries
        self._is_type = is_type
        self._compared = {*_list_compared(node)}
        self._found = {
            name: calls
            for name, query in _list_found(node)
            if (calls := [*list_chained(query, queries)]) and not is_update(calls[-1])
        }

    def find_name(self, update: ast.Call, kind: str) -> str:
        """The object that a query changes by its identity, "" for none."""
        wanted = _find_identity(update)
        match wanted:
            case None:
                return ""
            case ast.Attribute(value=ast.Name(id=name), attr=part) if part in _IDENTITIES:
                calls = self._found.get(name)
                own = self._find_class(calls) if calls else ""
                is_meant = own == kind if own else _is_called_for(name, kind)
                return name if is_meant else ""
        asked = ast.dump(wanted)
        names = [
            name
            for name, calls in self._found.items()
            if self._find_class(calls) == kind
            and (given := _find_identity(calls[-1])) is not None
            and ast.dump(given) == asked
        ]
        return names[0] if len(names) == 1 else ""

    def asks_another(self, name: str, field: str) -> bool:
        """Whether the function asks for a field of this name of another object, which may be the
        row that it changes.
        """
        return any(other not in (name, "self") and each == field for other, each in self._compared)

    def _find_class(self, calls: Sequence[ast.Call]) -> str:
        return find_queried_class(calls, self._is_type) or find_asked_class(calls, self._is_type)


def _is_called_for(name: str, kind: str) -> bool:
    """Whether an object is called as its type: nothing else is known of it."""
    plain = kind.removeprefix(STORED)
    return name == plain[:1].lower() + plain[1:]


def _find_identity(call: ast.Call) -> ast.expr | None:
    """What a query compares the identity of its row with; None where it does not ask for one."""
    first = call.args[0] if call.args else None
    tables = [*map(read_table, call.args)]
    named = next((each[WHERE] for each in tables if WHERE in each), first)
    if named is None or not isinstance(named, ast.Dict):
        return named if named is first else None
    asked = read_table(named)
    return next((asked[each] for each in _IDENTITIES if each in asked), None)


def _list_found(node: Function) -> Iterator[tuple[str, ast.expr]]:
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.For(target=ast.Name(id=name), iter=value):
                yield name, value


def _list_compared(node: Function) -> Iterator[tuple[str, str]]:
    """The fields of objects that conditions speak of."""
    for each in ast.walk(node):
        tests: list[ast.expr] = []
        match each:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                tests = [test]
            case ast.Compare():
                tests = [each]
        for test in tests:
            for part in ast.walk(test):
                match part:
                    case ast.Attribute(value=ast.Name(id=name), attr=field):
                        yield name, field
