"""Enums by the names that a class gives them: ``self.Status`` for one inside or beside it."""

import ast
from collections.abc import Mapping

from git_retcon.allium.extract.python.function_texts import Function, forget_text
from git_retcon.allium.extract.python.own_attributes import list_own_names


def replace_aliases(node: ast.ClassDef) -> None:
    """Write ``self.Status`` in a class as the name that ``Status`` has outside of methods.

    A class may hold another one, or say ``Status = OrderStatus``; its methods reach both by
    ``self`` or ``cls``.
    """
    names = _list_aliases(node)
    if names:
        _Renamer(names).visit(node)


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
