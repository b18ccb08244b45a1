"""Attributes that are always there, as ``__init__`` sets them.

::

    @status.setter
    def status(self, status):
        if hasattr(self, "_status") and status not in NEXT[self._status]:
            raise ValueError(status)
        self._status = status

A setter that ``__init__`` runs asks whether its attribute is there already; for all others it is.
"""

import ast
import itertools
from collections.abc import Collection, Iterator, Sequence, Set

from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import list_set_values
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_ASKING = b"hasattr(self,"


def assume_present(content: bytes, node: ast.ClassDef) -> None:
    """Write the methods of a class as if they asked for no attribute that ``__init__`` sets."""
    if _ASKING not in content:
        return
    methods = [each for each in node.body if isinstance(each, Function)]
    start = next((each for each in methods if each.name == "__init__"), None)
    asking = [e for e in methods if e is not start and any(_list_asked(e))]
    present = _list_present(start, methods) if start is not None and asking else frozenset()
    for each in asking:
        if present.isdisjoint(_list_asked(each)):
            continue
        names = {
            target.id
            for item in each.body
            if isinstance(item, ast.Assign) and _read_asked(item.value) in present
            for target in item.targets
            if isinstance(target, ast.Name) and _is_set_once(target.id, each)
        }
        forget_text(each)
        simple = _Simple(present, names)
        each.body = [one for item in each.body for one in simple.list_statements(item)]
        ast.fix_missing_locations(each)


def _list_asked(node: ast.AST) -> Iterator[str]:
    yield from filter(None, map(_read_asked, walk_nodes(node)))


def _read_asked(node: ast.AST) -> str:
    match node:
        case ast.Call(
            func=ast.Name(id="hasattr"), args=[ast.Name(id="self"), ast.Constant(value=str(name))]
        ):
            return name
    return ""


def _list_present(start: Function, methods: Sequence[Function]) -> Set[str]:
    """What ``__init__`` sets for sure, also by its properties, and nothing takes away."""
    setters = {
        each.name: each
        for each in methods
        if any(spell_dotted(mark).endswith(".setter") for mark in each.decorator_list)
    }
    # What may leave "__init__" leaves out what follows.
    sure = itertools.takewhile(lambda each: not _may_leave(each), start.body)
    own = {name for each in sure for name, _ in list_set_values(each)}
    for name in own & setters.keys():
        own |= {place for each in setters[name].body for place, _ in list_set_values(each)}
    dropped = {*_list_dropped(methods)}
    return frozenset() if "__dict__" in dropped else own - dropped


def _may_leave(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Return) for each in walk_nodes(node))


def _list_dropped(methods: Sequence[Function]) -> Iterator[str]:
    for each in (part for method in methods for part in walk_nodes(method)):
        match each:
            case ast.Delete(targets=targets):
                yield from (get_last(spell_dotted(target)) for target in targets)
            case ast.Attribute(attr="__dict__"):
                yield "__dict__"  # any of them
            case ast.Call(func=ast.Name(id="delattr"), args=[_, ast.Constant(value=str(name))]):
                yield name


def _is_set_once(name: str, method: Function) -> bool:
    found = [e for e in walk_nodes(method) if isinstance(e, ast.Name) and e.id == name]
    return sum(not isinstance(each.ctx, ast.Load) for each in found) == 1


class _Simple(ast.NodeTransformer):
    """Leaves out what is true, in conditions too, and what is never run."""

    def __init__(self, present: Collection[str], names: Collection[str]) -> None:
        self._present = present
        self._names = names

    def list_statements(self, node: ast.stmt) -> Sequence[ast.stmt]:
        found = self.visit(node)
        return found if isinstance(found, list) else [found]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return ast.Constant(True) if _read_asked(node) in self._present else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_known = node.id in self._names and isinstance(node.ctx, ast.Load)
        return ast.Constant(True) if is_known else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        truth = _read_truth(node.operand) if isinstance(node.op, ast.Not) else None
        return node if truth is None else ast.Constant(not truth)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        is_all = isinstance(node.op, ast.And)
        if any(_read_truth(each) is (not is_all) for each in node.values):
            return ast.Constant(not is_all)
        left = [each for each in node.values if _read_truth(each) is None]
        node.values = left
        return node if len(left) > 1 else left[0] if left else ast.Constant(is_all)

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        truth = _read_truth(node.test)
        if truth is None:
            return node
        return (node.body if truth else node.orelse) or [ast.Pass()]


def _read_truth(node: ast.expr) -> bool | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, bool) else None
