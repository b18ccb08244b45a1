"""Copies of syntax nodes, to be changed without the ones that they were made of.

``copy.copy`` and ``copy.deepcopy`` ask each node how to make it again, which takes most of their
time; a node is its class and its attributes.
"""

import ast
from typing import TypeVar

from git_retcon.allium.extract.python.syntax.function_texts import ANSWERS

Node = TypeVar("Node", bound=ast.AST)


def copy_node(node: Node) -> Node:
    """A node that shares what is in it."""
    found = node.__class__.__new__(node.__class__)
    copied = found.__dict__
    copied.update(node.__dict__)
    copied.pop(ANSWERS, None)  # a copy is to become something else
    return found


def copy_tree(node: Node) -> Node:
    """A node with copies of all that is in it. Raises RecursionError where that is too deep."""
    found = node.__class__.__new__(node.__class__)
    copied = found.__dict__
    for name, value in node.__dict__.items():
        if isinstance(value, ast.AST):
            copied[name] = copy_tree(value)
        elif value.__class__ is list:
            copied[name] = [copy_tree(e) if isinstance(e, ast.AST) else e for e in value]
        else:
            copied[name] = value
    copied.pop(ANSWERS, None)
    return found
