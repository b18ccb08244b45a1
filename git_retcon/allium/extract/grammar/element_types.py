"""The types of what an object has, and of variables that are one of several objects.

``for (const line of this.lines)`` and ``order.lines.find((line) => …)`` give a line, where the
class says what its field has, or where a type is called for one of what the field is called for.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Field

_PICKS = frozenset({"find", "findLast", "at", "pop", "shift"})
_KEEPS = frozenset({"filter", "slice", "sort", "reverse", "values", "toArray"})


def list_elements(fields: Iterable[Field]) -> Mapping[str, str]:
    """The fields of a class that have many of one type, by their symbols, with this type."""
    found: dict[str, str] = {}
    for each in fields:
        inner = each.type.arguments[0] if each.type.arguments else each.type
        if inner.source and (each.type.arguments or each.type.back):
            found[each.symbol] = inner.source
    return found


def list_parts(fields: Iterable[Field], types: Collection[str]) -> Mapping[str, str]:
    """The fields of a class that have one object of one of these types, by their symbols."""
    return {each.symbol: each.type.source for each in fields if each.type.source in types}


def read_elements(
    node: Function, own: Mapping[str, str], is_type: Callable[[str], bool]
) -> dict[str, str]:
    """The types of a function's variables that are one of several objects. ``own`` are those of
    the fields of its object.
    """
    found: dict[str, str] = {}
    for name, listed in _list_given(node):
        kind = _find_element(listed, own, is_type)
        found |= {name: kind} if kind else {}
    return found


def _list_given(node: Function) -> Iterator[tuple[str, ast.expr]]:
    for each in walk_statements(node.body):
        match each:
            case ast.For(target=ast.Name(id=name), iter=listed):
                yield name, listed
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=listed, attr=method)),
            ) if method in _PICKS:
                yield name, listed


def _find_element(node: ast.expr, own: Mapping[str, str], is_type: Callable[[str], bool]) -> str:
    """The type of one of these objects, "" where nothing says it."""
    match node:
        case ast.Call(func=ast.Attribute(value=listed, attr=name)) if name in _KEEPS:
            return _find_element(listed, own, is_type)
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in own:
            return own[name]
        case ast.Attribute(attr=name) if name[:1].islower() and name.endswith("s"):
            kind = name[:1].upper() + name[1:-1]
            return kind if is_type(kind) else ""
    return ""
