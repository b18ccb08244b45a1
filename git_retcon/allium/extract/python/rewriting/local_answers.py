"""What functions of a file answer or refuse, without the variables and constants of their own.

::

    def ensure_follows(current, new):
        allowed = NEXT.get(current, set())
        if new not in allowed:
            raise ValueError

refuses what ``new not in NEXT.get(current, set())`` says; other files, which have no ``NEXT``, are
told its entries.
"""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_LISTS = ast.List | ast.Tuple | ast.Set
_HELD = ast.Dict | ast.Subscript | ast.Attribute | ast.Tuple | ast.List | ast.Set
_LARGEST = 400  # nodes of a table
# What an answer is made of, that other files can read.
_PLAIN = (
    ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.IfExp, ast.Name,
    ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript,
    ast.expr_context,
)  # fmt: skip


def open_locals(body: Iterable[ast.stmt]) -> Sequence[ast.stmt]:
    """A body that names nothing first: what its variables hold is where they are asked."""
    listed = [each for each in body if not is_docstring(each)]
    held: dict[str, ast.expr] = {}
    while listed:
        match listed[0]:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if isinstance(value, _HELD) or is_entry(value):
                held[name] = _Named(held).visit(copy_tree(value))
                listed = listed[1:]
            case _:
                break
    if not held:
        return listed
    # What does more than to answer or to refuse is none of both.
    if not all(isinstance(each, ast.Return | ast.If | ast.Raise | ast.Expr) for each in listed):
        return [*body]
    stored = {
        each.id
        for one in listed
        for each in walk_nodes(one)
        if isinstance(each, ast.Name) and isinstance(getattr(each, "ctx", None), ast.Store)
    }
    if not stored.isdisjoint(held):
        return [*body]
    return [_Named(held).visit(copy_tree(each)) for each in listed]


def is_entry(node: ast.expr) -> bool:
    """``NEXT.get(current, set())``."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, default]):
            return _is_empty(default)
    return _is_empty(node)


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="set" | "frozenset" | "tuple" | "list"), args=[]):
            return True
    return isinstance(node, _LISTS) and not node.elts


def spell_answer(names: Sequence[str], answer: ast.expr, constants: Constants) -> str | None:
    """An answer about what is given as a function in Python; None where others cannot read it."""
    own = {name: each for name, each in constants.items() if name not in names}
    opened = _open_constants(answer, own)
    if not _is_plain(opened, names) or any(
        isinstance(each, ast.Name) and each.id in own for each in walk_nodes(opened)
    ):
        return None
    given = ast.arguments(
        posonlyargs=[], args=[*map(ast.arg, names)], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    return ast.unparse(ast.Lambda(given, opened))


def spell_tables(constants: Constants) -> Mapping[str, str]:
    """The tables of a file that list something for each key, as Python."""
    tables = {
        name: each
        for name, each in constants.items()
        if isinstance(each, ast.Dict) and each.keys and all(map(is_listed, each.values))
    }
    spelled = {name: _open_constants(each, constants) for name, each in tables.items()}
    return {name: ast.unparse(each) for name, each in spelled.items() if _is_plain(each, ())}


def _open_constants(node: ast.expr, constants: Constants) -> ast.expr:
    listed = {name: each for name, each in constants.items() if is_listed(each)}
    found: ast.expr = _Table().visit(_Named(listed).visit(copy_tree(node)))
    return found


def _is_plain(node: ast.expr, names: Collection[str]) -> bool:
    """Whether an expression is of what is given, and of members of classes."""
    parts = [*walk_nodes(node)]
    free = {each.id for each in parts if isinstance(each, ast.Name)} - {*names}
    is_plain = len(parts) < _LARGEST and all(isinstance(each, _PLAIN) for each in parts)
    return is_plain and all(name[:1].isupper() for name in free)


def is_listed(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="set" | "frozenset" | "tuple" | "list"), args=[only]):
            return isinstance(only, _LISTS)
    return isinstance(node, ast.Dict | _LISTS) or _is_empty(node)


class _Named(ast.NodeTransformer):
    def __init__(self, held: Mapping[str, ast.expr]) -> None:
        self._held = held

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._held.get(node.id)
        return node if found is None else copy_tree(found)


class _Table(ast.NodeTransformer):
    """Tables without calls: nothing is in what is not there."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, default]):
                return ast.Subscript(table, key, ast.Load()) if _is_empty(default) else node
            case ast.Call(func=ast.Name(id="set" | "frozenset" | "tuple" | "list"), args=[]):
                return ast.Tuple([], ast.Load())
            case ast.Call(func=ast.Name(id="set" | "frozenset" | "tuple" | "list"), args=[only]):
                return only if isinstance(only, _LISTS) else node
        return node
