"""Types of what other objects have: ``self.client.manager``, ``order.customer``.

A class says them of the attributes that it begins with an object of another class, and in its
annotations; what another file's class has is ``Client.manager`` until that file is read.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.names import get_last
from git_retcon.allium.extract.python.part_rules import list_parts
from git_retcon.allium.extract.python.type_hints import read_type

_MOST_STEPS = 3

Parts = Mapping[str, Mapping[str, str]]


def list_part_types(classes: Iterable[tuple[str, ast.ClassDef]], types: Collection[str]) -> Parts:
    """The attributes of classes that are objects of one of these types, by the classes' symbols."""
    listed = ((symbol, _list_of_class(node, types)) for symbol, node in classes)
    return {symbol: found for symbol, found in listed if found}


def _list_of_class(node: ast.ClassDef, types: Collection[str]) -> Mapping[str, str]:
    return {**list_parts(node, types), **dict(_list_annotated(node, types))}


def _list_annotated(node: ast.ClassDef, types: Collection[str]) -> Iterator[tuple[str, str]]:
    for item in node.body:
        match item:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                kind = read_type(annotation)
                if not kind.arguments and kind.source.partition(".")[0] in types:
                    yield name, kind.source


def find_part_type(
    node: ast.Attribute, own: Mapping[str, str], find_type: Callable[[str], str | None]
) -> str:
    """The type of what an object has; ``own`` is what the object itself has, ``find_type`` gives
    that of a variable. "" where nothing says it.
    """
    steps: list[str] = []
    part: ast.expr = node
    while isinstance(part, ast.Attribute):
        steps.insert(0, part.attr)
        part = part.value
    if not isinstance(part, ast.Name) or len(steps) > _MOST_STEPS:
        return ""
    kind = own.get(steps.pop(0)) if part.id == "self" else find_type(part.id)
    is_class = bool(kind) and get_last(kind or "")[:1].isupper()
    return ".".join([kind or "", *steps]) if is_class else ""
