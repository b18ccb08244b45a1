"""Context managers that are methods of the object itself, read as what they do around a body.

::

    @contextmanager
    def _running(self):
        self.state = State.BUSY
        try:
            yield
        finally:
            self.state = State.IDLE

    def turn(self):
        with self._running():
            self.step()

``step`` is run in ``BUSY``, and ``turn`` ends in ``IDLE``.
"""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_MAKERS = frozenset({"contextmanager", "asynccontextmanager"})


class OwnContext(NamedTuple):
    """The call by which a statement enters one, and what that does."""

    call: ast.Call
    body: Sequence[ast.stmt]

    def open_body(self, inner: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        """What it does with what the statement runs, where it yields."""
        return _open_block(self.body, inner) or inner


def find_context(node: ast.stmt, subject: Subject) -> OwnContext | None:
    """The only own context manager that a statement enters, if it gets nothing else."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else ()
    match [each.context_expr for each in items]:
        case [ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[]) as call]:
            method = subject.methods.get(name) if owner == subject.name else None
        case _:
            return None
    if method is None or call.keywords:
        return None
    marks = [get_last(spell_dotted(each)) for each in method.decorator_list]
    is_maker = len(marks) == 1 and marks[0] in _MAKERS
    is_alone = [each.arg for each in method.args.args] == [subject.name]
    is_open = is_maker and is_alone and not list_local_names(method)
    return OwnContext(call, method.body) if is_open and _open_block(method.body, ()) else None


def _open_block(block: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    for at, node in enumerate(block):
        match node:
            case ast.Expr(value=ast.Yield()):
                return [*block[:at], *body, *block[at + 1 :]]
            case ast.Try() | ast.With() | ast.AsyncWith():
                inner = _open_block(node.body, body)
                if inner is not None:
                    opened = copy_node(node)
                    opened.body = inner
                    return [*block[:at], opened, *block[at + 1 :]]
    return None
