"""The nodes of a piece of syntax, as ``ast.walk`` has them, at a third of its cost.

``ast.walk`` asks each node for all its fields, and hands out what says nothing alone: operators,
and for each name whether it is read or set.
"""

import ast
from collections.abc import Iterator, Mapping

# What never is a node, or never is one that a reader asks for.
_PLAIN = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level",
    "module", "op", "ops", "rest", "simple", "str", "tag", "type_comment",
})  # fmt: skip
_LEAVES = (ast.Constant, ast.Name, ast.Global, ast.Nonlocal, ast.MatchSingleton, ast.alias)


def _list_parts(kind: type[ast.AST]) -> tuple[str, ...]:
    # Most names are texts; a type parameter's and a type alias's own are nodes.
    plain = _PLAIN if kind.__name__ == "TypeAlias" else _PLAIN | {"name"}
    return tuple(name for name in kind._fields if name not in plain)


_PARTS = {
    kind: () if kind in _LEAVES else _list_parts(kind)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
# What is only defined where it is.
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_OWN_PARTS = {**_PARTS, **dict.fromkeys(_INNER, ())}


def walk_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all that is in it, what is nearer first."""
    return _walk(node, _PARTS)


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of what runs here: not those of functions and classes that are only defined."""
    return _walk(node, _OWN_PARTS)


def _walk(node: ast.AST, parts: Mapping[type[ast.AST], tuple[str, ...]]) -> Iterator[ast.AST]:
    waiting: list[ast.AST | None] = [node]
    for each in waiting:
        if each is None:  # the key of ``**rest``, a parameter that must be given
            continue
        for name in parts[each.__class__]:
            part = getattr(each, name, None)
            if part.__class__ is list:
                waiting += part
            elif part is not None:
                waiting.append(part)
        yield each
