"""Steps that cannot fail, or only tell others: what was set before them, no error interrupted.

::

    try:
        self.start()
        self.state = State.RUNNING
        self.emit("running")
    except OSError:
        self.state = State.FAILED

What is caught there was raised before the object ran.
"""

import ast

from git_retcon.allium.extract.python.guards import is_quiet
from git_retcon.allium.extract.python.syntax_walks import walk_nodes

ANNOUNCING = frozenset({"emit", "dispatchEvent"})
_SETTLING = frozenset({"resolve", "reject"})  # a promise
_OPEN = ast.Call | ast.Await | ast.Subscript
# What says by its own statements whether it fails.
_BLOCKS = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.Match | ast.FunctionDef


def is_sure(node: ast.stmt) -> bool:
    """Whether a statement cannot fail itself, or only tells others."""
    match node:
        case ast.If(test=value) | ast.While(test=value) | ast.Match(subject=value):
            return _is_plain(value)
        case ast.For(iter=value):
            return not isinstance(value, ast.Await)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in ANNOUNCING:
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in _SETTLING:
            return True
        case ast.Assign(value=value):
            return _is_plain(value)
        case ast.Return(value=value):
            return value is None or _is_plain(value)
    return isinstance(node, _BLOCKS | ast.Break | ast.Continue) or is_quiet(node)


def _is_plain(value: ast.expr) -> bool:
    return not any(isinstance(each, _OPEN) for each in walk_nodes(value))
