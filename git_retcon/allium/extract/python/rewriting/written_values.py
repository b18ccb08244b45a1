"""Which fields a write to records of Odoo's models may set, by the keys of what it is given."""

import ast
from collections.abc import Iterator, Mapping, Set

from git_retcon.allium.extract.python.syntax.function_texts import Function
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_DEEPEST = 3  # steps and variables that give what is written
_READS = frozenset({"get", "keys", "values", "items", "copy"})


class WrittenValues:
    """What the values of one method may have."""

    def __init__(self, method: Function, methods: Mapping[str, Function]) -> None:
        self._method, self._methods = method, methods

    def list_keys(self, node: ast.expr, left: int = _DEEPEST) -> Set[str] | None:
        """The fields that a value may have something for; None where these may be any."""
        match node if left else None:
            case ast.Dict(keys=keys):
                known = [each.value for each in keys if isinstance(each, ast.Constant)]
                return frozenset(map(str, known)) if len(known) == len(keys) else None
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=words):
                return frozenset(map(str, names)) if all(names := [e.arg for e in words]) else None
            case ast.IfExp(body=one, orelse=other):
                return _unite(iter([self.list_keys(one, left), self.list_keys(other, left)]))
            case ast.Name(id=name):
                return self._list_held(name, left - 1)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                method = self._methods.get(name)
                return _list_answered(method, self._methods, left - 1) if method else None
        return None

    def _list_held(self, name: str, left: int) -> Set[str] | None:
        given = self._method.args
        if any(each.arg == name for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)):
            return None
        found: list[Set[str] | None] = []
        for each in walk_statements(self._method.body):
            match each:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    found.append(self.list_keys(value, left))
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=target), slice=key)]):
                    keys = frozenset([str(key.value)]) if isinstance(key, ast.Constant) else None
                    found += [keys] if target == name else []
        found += self._list_changes(name, left)
        return _unite(iter(found)) if found else None

    def _list_changes(self, name: str, left: int) -> Iterator[Set[str] | None]:
        for each in walk_nodes(self._method):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=called)) if (
                    owner == name and called not in _READS
                ):
                    is_plain = called == "update" and len(each.args) == 1 and not each.keywords
                    yield self.list_keys(each.args[0], left) if is_plain else None


def _list_answered(method: Function, methods: Mapping[str, Function], left: int) -> Set[str] | None:
    values = WrittenValues(method, methods)
    returned = [each for each in walk_statements(method.body) if isinstance(each, ast.Return)]
    found = (values.list_keys(each.value, left) if each.value else None for each in returned)
    return _unite(found) if returned else None


def _unite(found: Iterator[Set[str] | None]) -> Set[str] | None:
    known: set[str] = set()
    for each in found:
        if each is None:
            return None
        known |= each
    return known
