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

``step`` is run in ``BUSY``, and ``turn`` ends in ``IDLE``. What a call gives one is known where it
is constants: ``with self._running(State.BUSY)``.
"""

import ast
import functools
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_MOST = 1 << 8  # calls
_MAKERS = frozenset({"contextmanager", "asynccontextmanager"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class OwnContext(NamedTuple):
    """The call by which a statement enters one, and what that does."""

    call: ast.Call
    body: Sequence[ast.stmt]

    def open_body(self, inner: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        """What it does with what the statement runs, where it yields."""
        return _open_block(self.body, inner) or inner


def find_context(node: ast.stmt, subject: Subject) -> OwnContext | None:
    """The only own context manager that a statement enters, with what it is given."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else ()
    match [each.context_expr for each in items]:
        case [ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) as call]:
            method = subject.methods.get(name) if owner == subject.name else None
        case _:
            return None
    if method is None:
        return None
    is_own = [each.arg for each in method.args.args][:1] == [subject.name]
    if not (is_context(method) and is_own) or list_local_names(method):
        return None
    body = _give(method, call)
    return OwnContext(call, body) if body and _open_block(body, ()) else None


def is_context(method: _Function) -> bool:
    """Whether a method is a context manager, and nothing more."""
    marks = [get_last(spell_dotted(each)) for each in method.decorator_list]
    return len(marks) == 1 and marks[0] in _MAKERS


def open_context(method: _Function) -> _Function:
    """A context manager as the method that it is of, which gets what a call gives it."""
    if not is_context(method):
        return method
    found = copy_node(method)
    found.decorator_list = []
    return found


@functools.lru_cache(maxsize=_MOST)
def _give(method: _Function, call: ast.Call) -> Sequence[ast.stmt]:
    """The statements of a context manager with what a call gives it; none where that is open."""
    arguments = method.args
    names = {each.arg for each in (*arguments.args[1:], *arguments.kwonlyargs)}
    given = bind_arguments(method, call)
    if arguments.vararg is not None:
        names.add(arguments.vararg.arg)
    if given.keys() != names or not all(map(_is_constant, given.values())):
        return ()
    return [replace_names(each, given) for each in method.body] if names else method.body


def _is_constant(node: ast.expr) -> bool:
    """Whether something is the same at each place where a step asks for it."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_constant, parts))
        case ast.Name(id=symbol) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=symbol):
            return symbol.isupper()
        case ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=symbol):
            return symbol.isupper() or get_last(spell_dotted(owner))[:1].isupper()
    return isinstance(node, ast.Constant)


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
