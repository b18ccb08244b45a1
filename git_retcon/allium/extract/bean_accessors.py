"""Calls that read and set the fields of a bean, as these fields: ``order.getStatus()``."""

import ast
from collections.abc import Mapping

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.source_facts import Field


def read_accessors(node: Function, name: str, fields: Mapping[str, Field]) -> None:
    """Let a function, which is changed, name the fields of an object in place of such calls."""
    _Accessors(name, fields).visit(node)


class _Accessors(ast.NodeTransformer):
    def __init__(self, name: str, fields: Mapping[str, Field]) -> None:
        self._name = name
        self._fields = {_spell_plain(each): each for each in fields}

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=self._name), attr=attr), args=[]):
                field = self._find_field(attr, ("", "get", "is"))
                return node if field is None else self._make_field(field)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[value]):
                field = self._find_field(attr, ("set",)) if name == self._name else None
                if field is not None:
                    return ast.Assign(targets=[self._make_field(field)], value=value)
        return node

    def _find_field(self, method: str, prefixes: tuple[str, ...]) -> str | None:
        plain = _spell_plain(method)
        names = (plain.removeprefix(each) for each in prefixes if plain.startswith(each))
        return next((self._fields[each] for each in names if each in self._fields), None)

    def _make_field(self, field: str) -> ast.Attribute:
        return ast.Attribute(value=ast.Name(self._name), attr=field)


def _spell_plain(name: str) -> str:
    return name.replace("_", "").lower()
