"""Objects that a class keeps in a container: ``self.jobs: dict[str, Job]``.

``entry = self.jobs[key]``, ``self.jobs.pop(key)`` and ``for entry in self.jobs.values()`` give a
job, and ``self.jobs[key].status = DONE`` moves one.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.function_texts import forget_text
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.python.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.touched_names import list_local_names
from git_retcon.allium.extract.python.type_hints import read_type

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MAPPINGS = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict",
     "WeakValueDictionary"}
)  # fmt: skip
_ROWS = frozenset({"list", "List", "Sequence", "MutableSequence", "deque", "Deque"})
_SETS = frozenset({"set", "Set", "frozenset", "WeakSet"})
_GIVES = frozenset({"get", "pop", "popleft"})
_NAME = "element"
# An element of which something is set; most files have none.
_MAY_SET = re.compile(rb"\w\[[^\]\n]+\]\.\w+\s*=[^=]")


class Container(NamedTuple):
    """The type of a container's elements; ``is_mapping`` where they are behind keys."""

    type: str
    is_mapping: bool


def list_containers(
    classes: Iterable[tuple[str, ast.ClassDef]], types: Collection[str]
) -> Mapping[str, Mapping[str, Container]]:
    """The containers of objects of these types that classes have, as methods name them, by the
    symbols of the classes.
    """
    listed = ((symbol, _list_of_class(node, types)) for symbol, node in classes)
    return {symbol: found for symbol, found in listed if found}


def _list_of_class(node: ast.ClassDef, types: Collection[str]) -> Mapping[str, Container]:
    found: dict[str, Container] = {}
    bodies = (item.body for item in node.body if isinstance(item, _Function))
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


def name_elements(
    content: bytes, functions: Iterable[_Function], classes: Iterable[ast.ClassDef]
) -> None:
    """Give the only element of which a function, or method, sets something a name. The functions
    themselves are changed.
    """
    if _MAY_SET.search(content) is None:
        return
    methods = (item for each in classes for item in each.body if isinstance(item, _Function))
    for each in (*functions, *methods):
        owners = {ast.unparse(owner): owner for owner in _list_owners(each)}
        if len(owners) != 1:
            continue
        (text, owner), *_ = owners.items()
        if _is_the_same(each, owner, text):
            named = ast.Assign(targets=[ast.Name(_NAME, ast.Store())], value=copy_tree(owner))
            forget_text(each)
            _Named(text).visit(each)
            each.body.insert(0, named)
            ast.fix_missing_locations(each)


def _list_owners(node: _Function) -> Iterator[ast.Subscript]:
    for each in walk_statements(node.body):
        for target in each.targets if isinstance(each, ast.Assign) else ():
            match target:
                case ast.Attribute(value=ast.Subscript(value=ast.Attribute()) as owner):
                    yield owner


def _is_the_same(node: _Function, owner: ast.Subscript, text: str) -> bool:
    """Whether an element is the same all through a function."""
    keys = {each.id for each in walk_nodes(owner.slice) if isinstance(each, ast.Name)}
    parts = [*walk_nodes(node)]
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    is_plain = not any(isinstance(each, ast.Call | ast.Slice) for each in walk_nodes(owner.slice))
    is_free = _NAME not in names and list_local_names(node).isdisjoint(keys)
    return (
        is_plain
        and is_free
        and not any(
            isinstance(each, ast.Subscript)
            and not isinstance(each.ctx, ast.Load)
            and ast.unparse(each) == text
            for each in parts
        )
    )


class _Named(ast.NodeTransformer):
    def __init__(self, text: str) -> None:
        self._text = text

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return ast.Name(_NAME, ast.Load()) if ast.unparse(node) == self._text else node
