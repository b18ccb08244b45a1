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

from git_retcon.allium.extract.python.flow.guards import is_quiet
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

ANNOUNCING = frozenset({"emit", "dispatchEvent"})
_SETTLING = frozenset({"resolve", "reject"})  # a promise
_OPEN = ast.Call | ast.Await | ast.Subscript
# What tells the time, or something of any value.
_TELLING = frozenset({
    "Date.now", "performance.now", "time.time", "time.monotonic", "time.perf_counter", "monotonic",
    "datetime.now", "datetime.utcnow", "datetime.datetime.now", "datetime.datetime.utcnow",
    "utcnow", "bool", "id", "isinstance", "len", "repr", "str", "type",
})  # fmt: skip
# What says by its own statements whether it fails.
_BLOCKS = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.Match | ast.FunctionDef


class Interruptions:
    """The possible ``states`` where a step of a "try" may fail; around it nothing ``is_counted``.

    What a setter does behind the state that it sets, nobody expects to fail.
    """

    def __init__(self, *, is_counted: bool = True, in_setter: bool = False) -> None:
        self.states: Possible = NOWHERE
        self.is_counted = is_counted
        self.in_setter = in_setter

    def open_block(self, *, has_end: bool) -> "Interruptions":
        """Those of a handler, which count as these do, or for what runs in any case at the end."""
        return Interruptions(is_counted=self.is_counted or has_end, in_setter=self.in_setter)

    def note(self, node: ast.stmt, before: Possible) -> None:
        """Count the states before a statement, if it may fail."""
        if not self.is_counted:  # as most
            return
        if isinstance(node, ast.Raise | ast.Assert) or not (self.in_setter or is_sure(node)):
            self.add(before)

    def list_raised(self, before: Possible, end: Possible) -> Possible:
        """Where an error leaves a body that began in some states: somebody thought that it may,
        if it does not always return before anything may fail.
        """
        return before if self.states == NOWHERE and end != NOWHERE else self.states

    def add(self, states: Possible) -> None:
        if self.is_counted:
            self.states = join_states(self.states, states)


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
    return not any(isinstance(e, _OPEN) and not _is_telling(e) for e in walk_nodes(value))


def _is_telling(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and spell_dotted(node.func).replace("()", "") in _TELLING
