"""The last thing that a block does, where it moves a state and nothing may fail behind it.

::

    try:
        self.start()
        self.set_state(State.RUNNING)
    except OSError:
        self.set_state(State.FAILED)

What is caught there was raised before the object ran.
"""

import ast
from collections.abc import Callable, Mapping, Sequence

from git_retcon.allium.extract.python.call_arguments import bind_arguments
from git_retcon.allium.extract.python.given_states import find_given_states
from git_retcon.allium.extract.python.guards import is_quiet
from git_retcon.allium.extract.python.syntax_walks import walk_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef
ANNOUNCING = frozenset({"emit", "dispatchEvent"})
_SETTLING = frozenset({"resolve", "reject"})  # a promise


def find_last_move(
    body: Sequence[ast.stmt],
    is_field: Callable[[ast.expr], bool],
    reads_state: Callable[[ast.expr], bool],
    methods: Mapping[str, Function],
) -> int:
    """Where the last statement of a body is that moves the field, if what follows cannot fail; else
    the body's length.
    """
    acting = [number for number, each in enumerate(body) if not is_sure(each)]
    moving = [n for n, each in enumerate(body) if _moves_field(each, is_field, reads_state)]
    if moving and (not acting or moving[-1] >= acting[-1]):
        return moving[-1]
    last = body[acting[-1]] if acting else None
    if last is not None and _gives_state(last, is_field, reads_state, methods):
        return acting[-1]
    return len(body)


def is_sure(node: ast.stmt) -> bool:
    """Whether a statement cannot fail, or only tells others."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in ANNOUNCING:
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in _SETTLING:
            return True
        case ast.Assign(value=value) | ast.Return(value=value):
            return value is None or not any(
                isinstance(each, ast.Call | ast.Await | ast.Subscript) for each in walk_nodes(value)
            )
    return is_quiet(node)


def _moves_field(
    node: ast.stmt,
    is_field: Callable[[ast.expr], bool],
    reads_state: Callable[[ast.expr], bool],
) -> bool:
    match node:
        case ast.Assign(targets=[target], value=value):
            return is_field(target) and reads_state(value)
    return False


def _gives_state(
    node: ast.stmt,
    is_field: Callable[[ast.expr], bool],
    reads_state: Callable[[ast.expr], bool],
    methods: Mapping[str, Function],
) -> bool:
    """Whether a statement calls an own method that does little but set the field to a state."""
    value = getattr(node, "value", None) if isinstance(node, ast.Expr | ast.Return) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call:
            method = methods.get(name)
            if method is None:
                return False
            given = bind_arguments(method, call)
            named = find_given_states(method, is_field, methods, 0)
            return any(reads_state(given[each]) for each in named & given.keys())
    return False
