"""The part of a body that an error may interrupt.

::

    try:
        self.state = State.CONNECTING
        await self.open()
        self.state = State.UP
    except OSError:
        self.state = State.FAILED

No error leaves what only sets the state: ``FAILED`` follows on ``CONNECTING`` alone.
"""

import ast
from collections.abc import Callable, Sequence

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.constants import States
from git_retcon.allium.extract.python.given_states import find_given_states
from git_retcon.allium.extract.python.guards import is_quiet
from git_retcon.allium.extract.python.nested_statements import walk_statements


class RiskyPart:
    """Finds it, for one field. ``resolve`` gives what a parameter is given."""

    def __init__(
        self,
        subject: Subject,
        states: States,
        is_field: Callable[[ast.expr], bool],
        resolve: Callable[[ast.expr], ast.expr],
    ) -> None:
        self._subject = subject
        self._states = states
        self._is_field = is_field
        self._resolve = resolve

    def find_part(self, body: Sequence[ast.stmt]) -> tuple[int, int]:
        """Where it begins and ends: behind what sets the field first, and before what sets it
        last.
        """
        others = (at for at, each in enumerate(body) if not self._sets_field(each))
        first = next(others, len(body))
        acting = [at for at, each in enumerate(body) if not is_quiet(each)]
        last = acting[-1] if acting and self._sets_field(body[acting[-1]]) else len(body)
        return first, max(first, last)

    def _sets_field(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets=[target], value=value) if self._is_field(target):
                return self._names_state(value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) as call
            ) if owner == self._subject.name:
                return self._hands_state(call, name)
        return False

    def _names_state(self, value: ast.expr) -> bool:
        return self._states.read(self._resolve(value)) is not None

    def _hands_state(self, call: ast.Call, name: str) -> bool:
        """Whether a call has a method set the field that refuses nothing."""
        methods = self._subject.methods
        method = methods.get(name)
        given = [*call.args, *(each.value for each in call.keywords)]
        if not isinstance(method, ast.FunctionDef) or not any(map(self._names_state, given)):
            return False
        raises = any(isinstance(e, ast.Raise | ast.Assert) for e in walk_statements(method.body))
        return not raises and bool(find_given_states(method, self._is_field, methods))
