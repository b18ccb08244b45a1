"""Steps that an operation has its own object checked by: what they refuse is its demand."""

import ast

from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.touched_names import list_set_names

# What is called so, and sets nothing, checks though it is not private.
CHECKING = ("check_", "ensure_", "require_", "assert_", "verify_", "raise_")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_check(node: ast.stmt, subject: Subject) -> _Function | None:
    """The method that a statement runs which sets nothing: a private one, one that is called
    after a check, or one of another object.
    """
    value = node.value if isinstance(node, ast.Expr) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            method = subject.methods.get(name) if owner == subject.name else None
        case _:
            return None
    if method is None or not (method.name.startswith(("_", *CHECKING)) or owner != "self"):
        return None
    names = (name for each in method.body for name in list_set_names(each, subject))
    return None if any(place.startswith(".") for place in names) else method


def is_run(node: ast.stmt, method: _Function) -> bool:
    """Whether a method is run here: without "await", one that waits is only made."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Await) or not isinstance(method, ast.AsyncFunctionDef)
