"""States in which an object lacks a part: what sets ``state = CLOSED`` sets ``socket = None``, too.

::

    def close(self):
        self.state = State.CLOSED
        if self.socket:
            self.socket.close()
            self.socket = None

Behind ``if self.socket:`` an operation is not in this state, if nothing gives the object the part
without another state.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.conditions import (
    Companions,
    Flag,
    StateOf,
    Subject,
    find_field,
    find_states,
)
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break
_MAKING = frozenset({"constructor", "__init__"})


class _Block(NamedTuple):
    """What one list of statements gives its object itself: the states, with "" for what may be any,
    the parts that are gone behind it, and those that are there. ``is_first`` where it makes the
    object: what it does not give is not there.
    """

    states: Set[StateOf]
    gone: Set[str]
    given: Set[str]
    is_first: bool = False

    def lacks(self, part: str) -> bool:
        return part not in self.given and (self.is_first or part in self.gone)

    def lose(self, parts: Set[str]) -> "_Block":
        """It with the parts that are gone behind it."""
        return self._replace(gone=self.gone | parts, given=self.given - parts) if parts else self


def find_absent(
    methods: Iterable[Function], subject: Subject, beginning: Sequence[ast.stmt] | None
) -> Companions:
    """The states that an object is only in without a part, as companions of its absence.
    ``beginning`` is what its fields get first, where what gets nothing is nothing.
    """
    listed = [*methods]
    parts = _list_asked(listed)
    if not parts:
        return {}
    making = [each for each in listed if each.name in _MAKING]
    made = [] if beginning is None else [each.body for each in making]
    blocks = [
        _read_block(each, subject).lose(later)
        for node in listed
        for each, later in _list_blocks(node.body, subject)
        if not any(each is body for body in made)
    ]
    if not parts & {name for each in blocks for name in each.gone}:
        return {}
    if beginning is not None:
        first = _read_block([*beginning, *(each for body in made for each in body)], subject)
        blocks.append(first._replace(is_first=True))
    states = {each for block in blocks for each in block.states}
    return {
        Flag(part, False): frozenset(found)
        for part in parts
        if (found := [each for each in states if _is_without(each, part, blocks)])
    }


def _is_without(state: StateOf, part: str, blocks: Iterable[_Block]) -> bool:
    """Whether all that sets a state takes the part, and all that gives the part sets another."""
    is_said = is_given = False
    for each in blocks:
        is_given |= part in each.given
        of_field = {one.state for one in each.states if one.field == state.field}
        if "" in of_field or not state.state:
            return False
        if state.state in of_field:
            if len(of_field) > 1 or not each.lacks(part):
                return False
            is_said |= part in each.gone
        elif part in each.given and not of_field:
            return False
    return is_said and is_given


def _list_asked(methods: Iterable[Function]) -> Set[str]:
    """The parts of an object that it asks for: ``if self.socket:``."""
    return frozenset[str]().union(*map(_list_asked_by, methods))


@answer_once
def _list_asked_by(method: Function) -> frozenset[str]:
    tests = (each.test for each in walk_nodes(method) if isinstance(each, ast.If))
    return frozenset(name for test in tests for name in _list_needed(test))


def _list_needed(test: ast.expr) -> Iterator[str]:
    match test:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            yield name
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
            if isinstance(right := test.comparators[0], ast.Constant) and right.value is None:
                yield from _list_needed(left)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _list_needed(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _list_needed(operand)


def _list_blocks(
    body: Sequence[ast.stmt], subject: Subject, later: Set[str] = frozenset()
) -> Iterator[tuple[Sequence[ast.stmt], Set[str]]]:
    """A block and all within it, each with the parts that go on to be gone behind it."""
    yield body, later
    for number, each in enumerate(body):
        for block in _list_inner(each):
            goes_on = isinstance(each, ast.If) and not isinstance(block[-1], _LEAVING)
            rest = _read_block(body[number + 1 :], subject) if goes_on else None
            gone = frozenset(rest.gone | (later - rest.given)) if rest is not None else frozenset()
            yield from _list_blocks(block, subject, gone)


def _list_inner(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks within a statement, functions and all."""
    for part in [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(part, name, None)
            if isinstance(block, list) and block:
                yield block


def _read_block(block: Sequence[ast.stmt], subject: Subject) -> _Block:
    states: set[StateOf] = set()
    gone: set[str] = set()
    given: set[str] = set()
    for node in block:
        match node:
            case ast.If(test=test, orelse=[]) if name := _read_needed(test):
                if name in _read_block(node.body, subject).gone:
                    gone.add(name)
                    given.discard(name)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                held = [each.optional_vars for each in items if each.optional_vars is not None]
                given.update(name for each in held for name in _list_own(each))
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for name in _list_own(target):
                        is_nothing = isinstance(node.value, ast.Constant) and (
                            node.value.value is None
                        )
                        (gone if is_nothing else given).add(name)
                        (given if is_nothing else gone).discard(name)
                    field, known = find_field(target, subject), find_states(target, subject)
                    if field is not None and known is not None and node.value is not None:
                        states.add(StateOf(field.symbol, known.read(node.value) or ""))
    return _Block(states, gone, given)


def _read_needed(test: ast.expr) -> str:
    """The part that a condition asks for alone, as it is there; "" for any other."""
    match test:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="self"), attr=name),
            ops=[ast.IsNot() | ast.NotEq()],
            comparators=[ast.Constant(value=None)],
        ):
            return name
    return ""


def _list_own(target: ast.expr) -> Iterator[str]:
    """The parts of the object that an assignment names."""
    for each in walk_nodes(target):
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name
