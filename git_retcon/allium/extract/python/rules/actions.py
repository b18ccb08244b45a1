"""Whether a method is called for what it does, or for what it says."""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.python.flow.guards import is_quiet, list_branches, open_blocks
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.names import spell_dotted

# What asks and what converts changes nothing.
_QUESTIONS = (
    "get_",
    "is_",
    "has_",
    "to_",
    "as_",
    "can_",
    "find_",
    "list_",
    "read_",
    "from_",
)
_GIVING = ("get_", "to_", "as_", "find_", "list_", "read_")
_CHECKING = "check_"  # asks, unless it sets something


def is_question(node: Function) -> bool:
    """Whether a method is named for what it asks, and not for what it does."""
    name = node.name.lstrip("_")
    return f"{name}_" == _CHECKING or name.startswith((*_QUESTIONS, _CHECKING))


def gives(node: Function) -> bool:
    """Whether a method is named for what it gives, and not for an answer."""
    return node.name.startswith(_GIVING)


def hands_over(node: Function) -> bool:
    """Whether a method waits for something, or lets something that the object has do it."""
    return any(map(_hands_over, open_blocks(node.body)))


def does_something(node: Function) -> bool:
    """Whether a method is called for what it does: it sets or calls something by itself."""
    bodies = [each.body for each in list_branches(node.body)] or [node.body]
    name = node.name.lstrip("_")
    if name.startswith(_CHECKING):
        return any(_sets_something(each) for body in bodies for each in open_blocks(body))
    return not name.startswith(_QUESTIONS) and any(map(_acts, bodies))


def _acts(body: Sequence[ast.stmt]) -> bool:
    return any(
        _sets_something(each)
        or _calls_something(each)
        # One of two branches always runs.
        or (isinstance(each, ast.If) and _acts(each.body) and _acts(each.orelse))
        for each in open_blocks(body)
    )


def _calls_something(node: ast.stmt) -> bool:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    return is_call and not is_quiet(node)


def _hands_over(node: ast.stmt) -> bool:
    """Whether a statement waits for something, or lets something that the object has do it."""
    match node:
        case ast.Return(value=ast.Await()) | ast.Assign(value=ast.Await()):
            return True
        case (
            ast.Return(value=ast.Call(func=ast.Attribute() as func))
            | ast.Assign(value=ast.Call(func=ast.Attribute() as func))
        ):
            return spell_dotted(func).startswith("self.")
    return False


def _sets_something(node: ast.stmt) -> bool:
    match node:
        case ast.AugAssign() | ast.Delete():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(value=ast.Attribute()), *_]):
            return True
    return False
