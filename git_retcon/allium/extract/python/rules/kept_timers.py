"""Timers that an object keeps, and takes back.

::

    def connect(self):
        self.state = State.CONNECTING
        self._timer = self._loop.call_later(5, self._on_timeout)

    def on_open(self):
        self._timer.cancel()
        self.state = State.OPEN

The time is never over in ``OPEN``: what takes the timer back leads to nothing that it would find.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.waiting_steps import list_waiting
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_ONCE = frozenset({"settimeout", "call_later", "call_at", "timer"})
_LEAVING = ast.Return | ast.Raise | ast.Await
_TAKES = re.compile(r"(?i)_?(?:clear|cancel|remove|unschedule)\w*(?:\(\))?")
_Body = Sequence[ast.stmt]


def find_keeper(node: ast.stmt) -> str:
    """The attribute that keeps a timer which goes off once, as it is written; "" for all else."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self")) as kept], value=value):
            is_timer = isinstance(value, ast.Call) and _name_called(value).lower() in _ONCE
            return spell_dotted(kept) if is_timer else ""
    return ""


def find_kept(method: Function, waiting: ast.stmt) -> ast.stmt | None:
    """The statement that keeps the timer for which a body waits."""
    for each in walk_nodes(method):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(each, name, None)
            if isinstance(block, list) and waiting in block[1:]:
                before: ast.stmt = block[block.index(waiting) - 1]
                return before if find_keeper(before) else None
    return None


def list_takers(methods: Mapping[str, Function], kept: ast.stmt, symbol: str) -> Set[str]:
    """The methods that take the timer back which a statement keeps, whenever they set a field, by
    themselves or by steps.
    """
    found: set[str] = set()
    keeper, movers = find_keeper(kept), list_movers(methods, symbol)
    while more := {
        name
        for name, each in methods.items()
        if keeper and name not in found and _takes(each, keeper, movers, found)
    }:
        found |= more
    return found


def list_movers(methods: Mapping[str, Function], symbol: str) -> Set[str]:
    """What sets a field: its own name, and those of the methods that set it, by themselves or by
    steps.
    """
    found = {symbol, symbol.strip("_")}
    while more := {
        name
        for name, each in methods.items()
        if name not in found and any(_sets(part, found) for part in walk_nodes(each))
    }:
        found |= more
    return found


def begins_alone(
    method: Function, body: ast.stmt, kept: ast.stmt, movers: Set[str], takers: Set[str]
) -> bool:
    """Whether a method lets nothing else wait that sets a field and leaves the timer; what begins
    the timer itself, and what comes before that, is over.
    """
    listed = [*list_waiting(method)]
    around = [each for each in listed if any(part is body for part in walk_nodes(each))]
    first = max(each.name for each in around if each is not body) if len(around) > 1 else ""
    others = (each for each in listed if each not in around and each.name >= first)
    moving = (each for each in others if any(_sets(e, movers) for e in walk_nodes(each)))
    return all(_takes(each, find_keeper(kept), movers, takers) for each in moving)


def _takes(method: Function, keeper: str, movers: Set[str], steps: Set[str]) -> bool:
    is_set = False
    for each in _open_asked(method.body, keeper):
        if _takes_here(each, keeper, steps):
            return True
        # What leaves before that, or waits, has done nothing where the field is as it was.
        is_set |= any(_sets(e, movers) for e in walk_nodes(each))
        if is_set and any(isinstance(e, _LEAVING) for e in walk_nodes(each)):
            return False
    return False


def _open_asked(body: _Body, keeper: str) -> Iterator[ast.stmt]:
    """The statements that always run, and those that do where there is a timer."""
    for each in body:
        match each:
            case ast.If(test=test, orelse=[]) if _asks_alone(test, keeper):
                yield from _open_asked(each.body, keeper)
            case ast.With() | ast.AsyncWith():
                yield from _open_asked(each.body, keeper)
            case _:
                yield each


def _asks_alone(test: ast.expr, keeper: str) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot()], comparators=[right]):
            is_none = isinstance(right, ast.Constant) and right.value is None
            return is_none and spell_dotted(left) == keeper
    return isinstance(test, ast.Attribute) and spell_dotted(test) == keeper


def _takes_here(node: ast.stmt, keeper: str, steps: Set[str]) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return False
    match call.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in steps:
            return True
        case ast.Attribute(value=owner, attr=name) if spell_dotted(owner) == keeper:
            return _TAKES.fullmatch(name) is not None
    given = [spell_dotted(each) for each in call.args]
    return keeper in given and _TAKES.fullmatch(_name_called(call)) is not None


def _name_called(call: ast.Call) -> str:
    return get_last(spell_dotted(call.func))


def _sets(node: ast.AST, movers: Set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name in movers
        case ast.Assign(targets=targets):
            return any(isinstance(e, ast.Attribute) and e.attr in movers for e in targets)
    return False
