"""Attributes that get back what they had before.

::

    before = self.state
    self.state = PAUSED
    self.work()
    self.state = before

gives the state nothing new, as another attribute does that only ever keeps it, and what the class
itself saves under a key: ``{"state": self.state}``, ``self.state = saved["state"]``.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.own_attributes import read_touched
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_restored(
    attribute: str,
    value: ast.expr | None,
    method: _Function,
    methods: Sequence[_Function],
    read: Mapping[str, str],
) -> bool:
    """Whether a value is what an attribute had before, in a variable of the method, in another
    attribute, or where a method saves it. ``read`` are the methods that give attributes.
    """
    match value:
        case ast.Name(id=name):
            given = [*list_held(name, method)]
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if name != attribute:
            given = [*_list_kept(name, methods)]
        case (
            ast.Subscript(slice=ast.Constant(value=str(key)))
            | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_])
        ):
            return any(_saves(key, attribute, each, read) for each in methods)
        case _:
            return False
    kept = [each for each in given if each is None or not _is_none(each)]
    return bool(kept) and all(_is_own(each, attribute, read) for each in kept)


def list_held(name: str, method: _Function) -> Iterator[ast.expr | None]:
    """All that a variable of a method gets; None for what is not one value."""
    if any(isinstance(each, ast.arg) and each.arg == name for each in walk_nodes(method)):
        yield None
    plain: set[ast.expr] = set()
    for each in walk_nodes(method):
        match each:
            case (
                ast.Assign(targets=[ast.Name(id=target) as place], value=value)
                | ast.AnnAssign(target=ast.Name(id=target) as place, value=ast.expr() as value)
            ) if target == name:
                plain.add(place)
                yield value
    for each in walk_nodes(method):
        is_set = isinstance(getattr(each, "ctx", None), ast.Store)
        if isinstance(each, ast.Name) and each.id == name and is_set:
            yield from () if each in plain else [None]


def _list_kept(name: str, methods: Sequence[_Function]) -> Iterator[ast.expr | None]:
    """All that methods give another attribute."""
    for method in methods:
        for each in read_touched(method).touches:
            yield from (value for given, value in each.given if given == name)


def _saves(key: str, attribute: str, method: _Function, read: Mapping[str, str]) -> bool:
    """Whether a method puts an attribute somewhere under a key."""
    for node in walk_nodes(method):
        pairs: list[tuple[ast.expr | None, ast.expr]]
        match node:
            case ast.Dict(keys=keys, values=values):
                pairs = [*zip(keys, values, strict=True)]
            case ast.Assign(targets=[ast.Subscript(slice=place)], value=value):
                pairs = [(place, value)]
            case _:
                continue
        for at, kept in pairs:
            is_key = isinstance(at, ast.Constant) and at.value == key
            if is_key and _is_own(kept, attribute, read):
                return True
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_own(node: ast.expr | None, attribute: str, read: Mapping[str, str]) -> bool:
    match node:
        case (
            ast.Attribute(value=ast.Name(id="self"), attr=name)
            | ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[])
        ):
            return attribute in (name, read.get(name))
    return False
