"""Calls in the body of a method, as the analysis of behaviour reads them."""

import ast
from collections.abc import Iterable

from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes


def make_call(called: ast.expr, arguments: list[ast.expr]) -> ast.expr:
    """A call of something, of an own method by what bodies call it."""
    match called:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            # A method may have the name of a field.
            called = ast.Attribute(value=ast.Name("self"), attr=name_call(name))
    return ast.Call(func=called, args=arguments, keywords=[])


def name_call(method: str) -> str:
    """The member that a call of an object's own method is to the analysis of behaviour."""
    return f"{method}()"


def mark_origin(node: ast.expr, origin: int) -> ast.expr:
    """A call of an own method, or its name, with the place in its file that it was read at."""
    vars(node)["origin"] = origin
    return node


def find_origin(node: ast.expr) -> object:
    """The place that something was read at, or itself where nobody knows."""
    return vars(node).get("origin", node)


def mark_made(node: ast.expr) -> ast.expr:
    """A call that makes an object, as ``new`` says; what it calls may have any name."""
    vars(node)["is_made"] = True
    return node


def is_made(node: ast.expr) -> bool:
    """Whether it is known of a call that it makes an object."""
    return "is_made" in vars(node)


def copy_written(block: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Statements again, whose calls are written in the file no more often than they were."""
    found = []
    for each in block:
        for node in walk_nodes(each):
            if isinstance(node, ast.Call):
                vars(node).setdefault("origin", object())
        found.append(copy_tree(each))
    return found
