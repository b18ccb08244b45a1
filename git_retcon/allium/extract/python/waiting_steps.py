"""What an operation lets others run when it is over: functions that wait for an event or a time.

::

    this.state = State.Connecting;
    socket.on('open', () => { this.state = State.Open; });

The function runs in a state that the operation may leave its object in behind this place.
"""

import ast
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.possible_states import NOWHERE, Possible, join_states

_NAME = "_run_later_"
_MOST = 3  # functions that others let run


def make_waiting(body: list[ast.stmt]) -> ast.FunctionDef:
    """A body that others run, as a statement where it is handed to them."""
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.FunctionDef(name=_NAME, args=arguments, body=body, decorator_list=[])


def is_waiting(node: ast.AST) -> bool:
    """Whether a statement is a body that others run."""
    return isinstance(node, ast.FunctionDef) and node.name == _NAME


class WaitingStep:
    """A body that waits, with the states that the operation may end in. ``reached`` are those in
    which the operation came by: where it may end in others without a change, it went another way.
    """

    def __init__(self, body: Sequence[ast.stmt], reached: Possible, is_doubtful: bool) -> None:
        self.body = body
        self.reached = reached
        self.is_doubtful = is_doubtful
        self.states: Possible = NOWHERE

    def leave(self, states: Possible) -> None:
        """The operation may end here, in these states."""
        if self.reached is not None and (states is None or self.reached <= states):
            states = self.reached
        self.states = join_states(self.states, states)


class WaitingSteps:
    """Those of one operation, on the way through it."""

    def __init__(self) -> None:
        self._open: list[WaitingStep] = []
        self._over: list[WaitingStep] = []

    def add(self, body: Sequence[ast.stmt], reached: Possible, *, is_doubtful: bool) -> None:
        """Let a body wait from some states on; ``is_doubtful`` where these are not certain."""
        self._open.append(WaitingStep(body, reached, is_doubtful))

    def leave(self, states: Possible) -> None:
        """The operation may end here, in these states."""
        for each in self._open:
            each.leave(states)

    def mark(self) -> int:
        """Where what follows begins."""
        return len(self._open)

    def set_aside(self, mark: int) -> list[WaitingStep]:
        """Those since a mark, which do not wait on another way."""
        found = self._open[mark:]
        del self._open[mark:]
        return found

    def bring_back(self, steps: Sequence[WaitingStep], end: Possible) -> None:
        """Those of another way, which goes on here in the states that it ends in, or is over."""
        for each in steps:
            each.reached = end
        (self._over if end == NOWHERE else self._open).extend(steps)

    def run(self) -> Iterator[WaitingStep]:
        """All that wait; what one of them lets wait is behind it."""
        for _ in range(_MOST):
            waiting = [*self._over, *self._open]
            self._over.clear()
            for each in waiting:
                self._open.clear()
                if each.states != NOWHERE:
                    yield each
                self._over += self._open
            self._open.clear()
