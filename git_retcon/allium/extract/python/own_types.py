"""The types of what the objects of a class have, and of what is taken from their collections.

::

    def __init__(self, job: Job):
        self._job = job
        self._channels: dict[str, Channel] = {}

    def close(self, key):
        channel = self._channels[key]

Here ``channel`` is a ``Channel``, and ``self._job`` a ``Job``. What a method is said to return is
known as well.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.python.type_hints import read_type

_TABLES = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict",
     "WeakValueDictionary"}
)  # fmt: skip
_TAKES = frozenset({"get", "pop", "popleft", "setdefault"})
_LISTS = frozenset({"list", "sorted", "tuple", "reversed"})


class OwnType(NamedTuple):
    """The dotted type of what an attribute is, or of what it holds; "" for none."""

    kind: str
    element: str = ""


def list_own_types(methods: Iterable[Function]) -> Mapping[str, OwnType]:
    """The types of attributes, and of what methods return, by their names."""
    found: dict[str, OwnType] = {}
    for method in methods:
        if method.name == "__init__":
            found |= _list_attributes(method)
        elif method.returns is not None:
            found[method.name] = _read_type(method.returns)
    return {name: each for name, each in found.items() if each.kind or each.element}


def find_own_type(value: ast.expr, types: Mapping[str, OwnType]) -> str:
    """The dotted type of what an expression takes from ``self``; "" where nothing says it."""
    node = value.value if isinstance(value, ast.Await) else value
    match node:
        case ast.Subscript(value=owner, slice=key) if not isinstance(key, ast.Slice):
            return _find(owner, types).element
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _TAKES:
            return _find(owner, types).element
    return _find(node, types).kind


def find_iterated_type(value: ast.expr, types: Mapping[str, OwnType]) -> str:
    """The same of each that a loop takes."""
    match value:
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _LISTS:
            return find_iterated_type(inner, types)
        case ast.Call(func=ast.Attribute(value=owner, attr="values"), args=[]):
            return _find(owner, types).element
    found = _find(value, types)
    return found.element if not found.kind else ""


def _find(node: ast.expr, types: Mapping[str, OwnType]) -> OwnType:
    match node.func if isinstance(node, ast.Call) else node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return types.get(name, OwnType(""))
    return OwnType("")


def _list_attributes(start: Function) -> Mapping[str, OwnType]:
    """What ``__init__`` gives attributes that it says the type of; each gets one type."""
    listed = (*start.args.posonlyargs, *start.args.args, *start.args.kwonlyargs)
    given = {each.arg: _read_type(each.annotation) for each in listed if each.annotation}
    found: dict[str, set[OwnType]] = {}
    for name, kind in _list_set(start, given):
        found.setdefault(name, set()).add(kind)
    return {name: min(kinds) for name, kinds in found.items() if len(kinds) == 1}


def _list_set(start: Function, given: Mapping[str, OwnType]) -> Iterator[tuple[str, OwnType]]:
    for each in walk_statements(start.body):
        match each:
            case ast.AnnAssign(
                target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=kind
            ):
                yield name, _read_type(kind)
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Name(id=parameter),
            ):
                yield name, given.get(parameter, OwnType(""))
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
                yield name, OwnType("")


def _read_type(annotation: ast.expr) -> OwnType:
    match annotation:
        case ast.Subscript(value=base, slice=ast.Tuple(elts=[_, kind])) if (
            get_last(spell_dotted(base)) in _TABLES
        ):
            return OwnType("", _read_class(kind))
    found = read_type(annotation)
    if found.arguments:
        element = found.arguments[0]
        return OwnType("", element.source if not element.arguments else "")
    return OwnType(found.source if not found.values else "")


def _read_class(annotation: ast.expr) -> str:
    found = read_type(annotation)
    return "" if found.arguments or found.values else found.source
