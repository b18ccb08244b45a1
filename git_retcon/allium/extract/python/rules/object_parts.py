"""Objects that other objects have: ``self.client.manager``, ``self.jobs[key]``.

A class says their types of the attributes that it begins with an object of another class, and in
its annotations; what another file's class has is ``Client.manager`` until that file is read. With
``self.jobs: dict[str, Job]`` it says what ``self.jobs[key]``, ``self.jobs.pop(key)`` and
``for entry in self.jobs.values()`` give.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.rules.part_rules import list_parts
from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.type_hints import read_type

_MOST_STEPS = 3
_MAPPINGS = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict",
     "WeakValueDictionary"}
)  # fmt: skip
_ROWS = frozenset({"list", "List", "Sequence", "MutableSequence", "deque", "Deque"})
_SETS = frozenset({"set", "Set", "frozenset", "WeakSet"})
_GIVES = frozenset({"get", "pop", "popleft"})

Parts = Mapping[str, Mapping[str, str]]


class Container(NamedTuple):
    """The type of a container's elements; ``is_mapping`` where they are behind keys."""

    type: str
    is_mapping: bool


def list_part_types(classes: Iterable[tuple[str, ast.ClassDef]], types: Collection[str]) -> Parts:
    """The attributes of classes that are objects of one of these types, by the classes' symbols."""
    listed = ((symbol, _list_own_types(node, types)) for symbol, node in classes)
    return {symbol: found for symbol, found in listed if found}


def _list_own_types(node: ast.ClassDef, types: Collection[str]) -> Mapping[str, str]:
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
    found: set[str] = set()
    for each in _list_targets(node):
        match each:
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                found.add(name)
    return found


@answer_once
def sets_elements(node: Function) -> bool:
    """Whether a method sets something of what a variable is: ``for line in ...: line.status =``."""
    owners = (each.value for each in _list_targets(node) if isinstance(each, ast.Attribute))
    return any(isinstance(each, ast.Name) and each.id != "self" for each in owners)


def _list_targets(node: Function) -> Iterator[ast.expr]:
    for each in walk_statements(node.body):
        if isinstance(each, ast.Assign):
            yield from each.targets


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


def list_containers(
    classes: Iterable[tuple[str, ast.ClassDef]], types: Collection[str]
) -> Mapping[str, Mapping[str, Container]]:
    """The containers of objects of these types that classes have, as methods name them, by the
    symbols of the classes.
    """
    listed = ((symbol, _list_own_containers(node, types)) for symbol, node in classes)
    return {symbol: found for symbol, found in listed if found}


def _list_own_containers(node: ast.ClassDef, types: Collection[str]) -> Mapping[str, Container]:
    found: dict[str, Container] = {}
    bodies = (item.body for item in node.body if isinstance(item, Function))
    own = (each for body in bodies for each in body if isinstance(each, ast.AnnAssign))
    for each in (*node.body, *own):
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                name = f"self.{name}"
            case ast.AnnAssign(target=ast.Attribute() as target, annotation=annotation):
                name = spell_dotted(target)
            case _:
                continue
        container = _read_container(annotation)
        if container is not None and container.type.partition(".")[0] in types:
            found[name] = container
    return found


def _read_container(node: ast.expr) -> Container | None:
    match node:
        case ast.Constant(value=str(text)):
            try:
                return _read_container(ast.parse(text.strip(), mode="eval").body)
            except SyntaxError:
                return None
        case ast.Subscript(slice=inside):
            kind = get_last(spell_dotted(node))
            if kind in _MAPPINGS and isinstance(inside, ast.Tuple) and len(inside.elts) == 2:
                element = read_type(inside.elts[1])
            elif kind in _ROWS | _SETS and not isinstance(inside, ast.Tuple):
                element = read_type(inside)
            else:
                return None
            is_plain = element.source and not element.arguments
            return Container(element.source, kind in _MAPPINGS) if is_plain else None
    return None


def find_element_type(node: ast.expr, containers: Mapping[str, Container]) -> str | None:
    """The type of an element that an expression gives; None for anything else."""
    match node:
        case ast.Subscript(value=owner, slice=inside) if not isinstance(inside, ast.Slice):
            pass
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _GIVES:
            pass
        case _:
            return None
    found = containers.get(spell_dotted(owner)) if isinstance(owner, ast.Attribute) else None
    return found.type if found is not None else None


def find_looped_type(node: ast.expr, containers: Mapping[str, Container]) -> str | None:
    """The type of what a loop over an expression gives; None for anything else."""
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "reversed"), args=[inner, *_]):
            return find_looped_type(inner, containers)
        case ast.Call(func=ast.Attribute(value=owner, attr="values"), args=[]):
            found = containers.get(spell_dotted(owner))
            return found.type if found is not None and found.is_mapping else None
        case ast.Attribute():
            found = containers.get(spell_dotted(node))
            return found.type if found is not None and not found.is_mapping else None
    return None
