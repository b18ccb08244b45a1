"""What an operation lets others run when it is over: functions that wait for an event or a time.

::

    this.state = State.Connecting;
    socket.on('open', () => { this.state = State.Open; });

The function runs in a state that the operation may leave its object in behind this place. What
tells of an end, as "close" does, comes after what else waits, and so in the states that this leads
to as well.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import reduce

from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_NAME = "_run_later_"
_MOST = 3  # functions that others let run
# Events behind which others do not come: faults first, the end after them.
_ENDINGS = (
    frozenset({"error", "errored", "fail", "failed", "timeout"}),
    frozenset(
        {"close", "closed", "end", "ended", "exit", "disconnect", "disconnected", "terminated"}
    ),
)
_PROMISED = "then"
_TIMES = frozenset({"settimeout", "setimmediate", "delay", "defer"})


def make_waiting(body: list[ast.stmt], event: str = "") -> ast.FunctionDef:
    """A body that others run, as a statement where it is handed to them, for an event."""
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    word = event.lower().removeprefix("on")
    rank = next((at for at, each in enumerate(_ENDINGS, 2) if word in each), int(bool(event)))
    return ast.FunctionDef(
        name=f"{_NAME}{rank}", args=arguments, body=body, decorator_list=[], type_comment=word
    )


def make_behind(body: list[ast.stmt]) -> ast.FunctionDef:
    """A body that goes on behind a promise, as a statement where that is made."""
    found = make_waiting(body)
    found.type_comment = _PROMISED
    return found


def runs_once(node: ast.FunctionDef) -> bool:
    """Whether a body that others run waits for a time or a promise, which comes once, and lets
    nothing else wait: it may let itself.
    """
    return node.type_comment in {*_TIMES, _PROMISED} and not any(
        is_waiting(part) for each in node.body for part in walk_nodes(each)
    )


def is_waiting(node: ast.AST) -> bool:
    """Whether a statement is a body that others run."""
    return isinstance(node, ast.FunctionDef) and node.name.startswith(_NAME)


def awaits_event(node: ast.AST) -> bool:
    """Whether a statement is a body that others run whenever something happens."""
    return isinstance(node, ast.FunctionDef) and is_waiting(node) and node.name > _NAME + "0"


def list_waiting(method: ast.AST) -> Iterator[ast.FunctionDef]:
    """What a method lets others run."""
    for each in walk_nodes(method):
        if isinstance(each, ast.FunctionDef) and is_waiting(each):
            yield each


class WaitingStep:
    """A body that waits, with the states that the operation may end in. ``reached`` are those in
    which the operation came by: where it may end in others without a change, it went another way.
    """

    def __init__(self, node: ast.FunctionDef, reached: Possible, is_doubtful: bool) -> None:
        self.body: Sequence[ast.stmt] = node.body
        self.rank = max(node.name, f"{_NAME}1")
        self.reached = reached
        self.is_doubtful = is_doubtful
        self.states: Possible = NOWHERE
        self.end: Possible = NOWHERE  # what it leads to itself

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

    def add(self, node: ast.FunctionDef, reached: Possible, *, is_doubtful: bool) -> None:
        """Let a body wait from some states on; ``is_doubtful`` where these are not certain."""
        self._open.append(WaitingStep(node, reached, is_doubtful))

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
        """All that wait, each to be left with the states that it leads to; what one of them lets
        wait is behind it.
        """
        for _ in range(_MOST):
            waiting = sorted([*self._over, *self._open], key=lambda each: each.rank)
            self._over.clear()
            for at, each in enumerate(waiting):
                self._open.clear()
                before = (step.end for step in waiting[:at] if step.rank < each.rank)
                each.states = reduce(join_states, before, each.states)
                if each.states != NOWHERE:
                    yield each
                self._over += self._open
            self._open.clear()
