"""Conditions in a list: ``all([self.is_draft(), self.has_lines])`` as ``self.is_draft() and
self.has_lines``, ``any((…, …))`` as one with ``or``; and ``bool(…)`` as what is in it.
"""

import ast
import re
from collections.abc import Iterable

from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_JOINED: dict[str, type[ast.boolop]] = {"all": ast.And, "any": ast.Or}
# Most functions have none of them.
_MAY_JOIN = re.compile(rb"\b(?:all|any)\(\s*[\[(]|\bbool\(")


def join_conditions(functions: Iterable[Function]) -> None:
    """Write the conditions of these functions so. The functions are changed."""
    for each in filter(_has_list, functions):
        forget_text(each)
        _Joiner().visit(each)


@answer_once
def _has_list(node: Function) -> bool:
    return may_have(node, _MAY_JOIN) and any(map(_join, walk_nodes(node)))


def _join(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="all" | "any" as name), args=[
            ast.List(elts=[_, _, *_] as parts) | ast.Tuple(elts=[_, _, *_] as parts)
        ], keywords=[]):  # fmt: skip
            if not any(isinstance(each, ast.Starred) for each in parts):
                return ast.BoolOp(_JOINED[name](), parts)
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return inner
    return None


class _Joiner(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        joined = _join(node)
        return ast.copy_location(joined, node) if joined is not None else node
