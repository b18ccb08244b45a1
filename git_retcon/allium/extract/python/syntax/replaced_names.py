"""Copies of code in which names mean what they are given."""

import ast
from collections.abc import Mapping

from git_retcon.allium.extract.python.syntax.node_copies import Node, copy_tree


def replace_names(node: Node, given: Mapping[str, ast.expr]) -> Node:
    """A copy of what a function does, or of a part of it, with what its parameters are given."""
    found: Node = _Replaced(given).visit(copy_tree(node))
    return found


class _Replaced(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy_tree(self._given.get(node.id, node))
