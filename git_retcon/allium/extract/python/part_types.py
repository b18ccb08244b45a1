"""Types of what other objects have: ``self.client.manager``, ``order.customer``.

A class says them of the attributes that it begins with an object of another class, and in its
annotations; what another file's class has is ``Client.manager`` until that file is read.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set

from git_retcon.allium.extract.python.function_texts import Function, answer_once
from git_retcon.allium.extract.python.names import get_last
from git_retcon.allium.extract.python.nested_statements import walk_statements
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


@answer_once
def set_parts(node: Function) -> Set[str]:
    """The attributes of its object of which a method sets something: ``self.line.status = ...``."""
    targets = (
        target
        for each in walk_statements(node.body)
        if isinstance(each, ast.Assign)
        for target in each.targets
    )
    found: set[str] = set()
    for each in targets:
        match each:
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                found.add(name)
    return found


def find_part_type(
    chain: str, own: Mapping[str, str], find_type: Callable[[str], str | None]
) -> str:
    """The type of what an object has, by how it is reached; ``own`` is what the object itself has,
    ``find_type`` gives that of a variable. "" where nothing says it.
    """
    owner, *steps = chain.split(".")
    if len(steps) > _MOST_STEPS:
        return ""
    kind = own.get(steps.pop(0)) if owner == "self" else find_type(owner)
    is_class = bool(kind) and get_last(kind or "")[:1].isupper()
    return ".".join([kind or "", *steps]) if is_class else ""
