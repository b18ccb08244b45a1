"""Enums by the names that a class gives them: ``self.Status`` for one inside or beside it, or in a
base class.
"""

import ast
import functools
import re
from collections.abc import Collection, Mapping

from git_retcon.allium.extract.python.syntax.constants import read_constants
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.own_attributes import list_own_names, read_touched
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# What may be a member of an enum of the class. Each begins with a word, which is found at once.
_OWNED = (re.compile(rb"self\._*[A-Z]\w*\.[A-Z]"), re.compile(rb"cls\._*[A-Z]\w*\.[A-Z]"))


def replace_aliases(node: ast.ClassDef, symbol: str, content: bytes) -> None:
    """Write ``self.Status`` in a class as the name that ``Status`` has outside of methods.

    A class may hold another one, or say ``Status = OrderStatus``; its methods reach both by
    ``self`` or ``cls``. What it has from above is ``Order.Status``, by its own ``symbol``.
    ``content`` is the whole file.
    """
    inherited = _list_inherited(node, symbol) if node.bases and _may_own(content) else {}
    names = {**_list_aliases(node), **inherited}
    if names:
        _Renamer(names).visit(node)


@functools.lru_cache(maxsize=1)
def _may_own(content: bytes) -> bool:
    """Whether a file may name members of enums by its objects, or by their classes."""
    return any(each.search(content) for each in _OWNED)


def _list_inherited(node: ast.ClassDef, symbol: str) -> Mapping[str, ast.expr]:
    """The names of enums that only a base class can have."""
    methods = [each for each in node.body if isinstance(each, Function)]
    used = {name for each in methods for name in _list_owners(each)}
    if not used:
        return {}
    own = {each.name for each in node.body if isinstance(each, ast.ClassDef)}
    given = {
        name for each in methods for touch in read_touched(each).touches for name, _ in touch.given
    }
    own |= read_constants(node.body).keys() | given
    whole = ast.parse(symbol, mode="eval").body
    return {name: ast.Attribute(whole, name, ast.Load()) for name in sorted(used - own)}


@answer_once
def _list_owners(node: Function) -> Collection[str]:
    """What a function names of its object or class as an enum of states: ``self.Status.DONE``."""
    found: list[str] = []
    for each in walk_nodes(node):
        match each:
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name), attr=member
            ) if name.lstrip("_")[:1].isupper() and member[:1].isupper():
                found += [name] if is_named_for_states(name) else []
    return found


def _list_aliases(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for item in node.body:
        match item:
            case ast.ClassDef(name=name):
                found[name] = ast.Name(id=name, ctx=ast.Load())
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other) as value):
                # Classes only: a constant made of another one is read as such.
                if name[:1].isupper() and not name.isupper() and other[:1].isupper():
                    found[name] = value
    return found


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self._names = names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        # A class inside has a self of its own.
        node.body = [
            each if isinstance(each, ast.ClassDef) else self.visit(each) for each in node.body
        ]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._visit_function(node)

    def _visit_function(self, node: Function) -> ast.AST:
        if self._names.keys().isdisjoint(list_own_names(node)):
            return node
        forget_text(node)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        match node.value:
            case ast.Name(id="self" | "cls") if isinstance(node.ctx, ast.Load):
                return self._names.get(node.attr, node)
        return node
