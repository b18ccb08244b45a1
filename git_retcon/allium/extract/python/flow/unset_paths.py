"""Ways through a method on which an object has no value yet that it gets once and keeps."""

import ast
from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Ways: the states that the object was moved to on them. On those left out, the value is there.
_Ways = frozenset[str]
_NONE: _Ways = frozenset()
_UNMOVED = ""
_MOVED = frozenset([ANY_STATE])


class Lasting(NamedTuple):
    """An attribute that begins as nothing, or as false; ``setters`` are the methods that set it, by
    themselves or by others.
    """

    name: str
    is_flag: bool
    setters: Set[str]

    def list_truths(self, *, is_set: bool) -> Mapping[str, bool]:
        """What holds with it or without, by its text."""
        place = f"self.{self.name}"
        found = {place: is_set}
        if not self.is_flag:
            found |= dict.fromkeys((f"{place} is None", f"{place} == None"), not is_set)
            found |= dict.fromkeys((f"{place} is not None", f"{place} != None"), is_set)
        return found


class Moves(NamedTuple):
    """What moves the state of a field: what it is given (``read``), and the methods that may give
    it something, by themselves or by others, of all ``methods``.
    """

    symbol: str
    read: Callable[[ast.expr], str | None]
    movers: Set[str]
    methods: Mapping[str, _Function]


def find_left(method: _Function, value: Lasting, moves: Moves) -> Set[str]:
    """The states to which a method may move an object that it leaves without the value."""
    ways = _UnsetWays(value, moves, frozenset())
    return (ways.follow(method.body, frozenset([_UNMOVED])) | ways.left) - {_UNMOVED}


class _UnsetWays:
    def __init__(self, value: Lasting, moves: Moves, running: Set[str]) -> None:
        self._value = value
        self._truths = value.list_truths(is_set=False)
        self._moves = moves
        self._running = running  # the steps that are followed here
        self.left: _Ways = _NONE  # out of the method
        self.passed: _Ways = _NONE  # all that were possible anywhere
        self._broken: _Ways = _NONE  # out of a loop

    def follow(self, body: Iterable[ast.stmt], ways: _Ways) -> _Ways:
        for each in body:
            ways = self._follow_statement(each, ways) if ways else ways
            self.passed |= ways
        return ways

    def _follow_statement(self, node: ast.stmt, ways: _Ways) -> _Ways:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                ways, truth = self._note_moves(test, ways), self._decide(test)
                yes = self.follow(body, ways) if truth is not False else _NONE
                return yes | (self.follow(orelse, ways) if truth is not True else _NONE)
            case ast.For() | ast.AsyncFor() | ast.While():
                outer, self._broken = self._broken, _NONE
                ways |= self.follow(node.body, ways)
                ways |= self.follow(node.body, ways)
                # "else" runs where no "break" left the loop.
                broken, self._broken = self._broken, outer
                return self.follow(node.orelse, ways) | broken
            case ast.With(body=body) | ast.AsyncWith(body=body):
                return self.follow(body, ways)
            case ast.Try() | ast.TryStar():
                return self._follow_try(node, ways)
            case ast.Match(cases=cases):
                found = [self.follow(each.body, ways) for each in cases]
                return ways.union(*found)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.left |= self._note_moves(node, _NONE)
                return ways
            case ast.Break() | ast.Continue():
                self._broken |= ways
                return _NONE
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
                if name == self._value.name and not isinstance(value, ast.Constant):
                    return _NONE
                if name == self._value.name and isinstance(value, ast.Constant) and value.value:
                    return _NONE
                if name == self._moves.symbol and (state := self._moves.read(value)):
                    return frozenset([state])
            case ast.Expr(value=value) if (step := self._find_step(value)) is not None:
                return self._follow_step(step, ways)
        ways = self._note_moves(node, ways)
        if isinstance(node, ast.Return | ast.Raise):
            self.left |= ways
            return _NONE
        return ways

    def _find_step(self, value: ast.expr) -> str | None:
        """The step that a statement runs, if it may set the value: as calls name it."""
        match value.value if isinstance(value, ast.Await) else value:
            case ast.Call(func=ast.Attribute(ast.Name("self"), name), args=[], keywords=[]):
                is_known = name in self._value.setters and name not in self._running
                return name if is_known and name in self._moves.methods else None
        return None

    def _follow_step(self, step: str, ways: _Ways) -> _Ways:
        inner = _UnsetWays(self._value, self._moves, self._running | {step})
        found = inner.follow(self._moves.methods[step].body, ways) | inner.left
        self.passed |= inner.passed
        return found

    def _follow_try(self, node: ast.Try | ast.TryStar, ways: _Ways) -> _Ways:
        passed, self.passed = self.passed, ways
        ways = self.follow(node.body, ways)
        raised, self.passed = self.passed, self.passed | passed
        caught = [self.follow(each.body, raised) for each in node.handlers]
        ends = self.follow(node.orelse, ways).union(*caught)
        if node.finalbody:
            self.left |= self.follow(node.finalbody, raised)
        return self.follow(node.finalbody, ends)

    def _note_moves(self, node: ast.AST, ways: _Ways) -> _Ways:
        """Ways behind what may move the state."""
        for each in walk_nodes(node):
            match each:
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=place):
                    if name in self._moves.movers:
                        return _MOVED
                    if name == self._moves.symbol and not isinstance(place, ast.Load):
                        return _MOVED
        return ways

    def _decide(self, test: ast.expr) -> bool | None:
        """Whether a condition holds where there is no value; None where that is open."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self._decide(operand)
                return found if found is None else not found
            case ast.BoolOp(op=op, values=values):
                parts = [self._decide(each) for each in values]
                ending = isinstance(op, ast.Or)
                if ending in parts:
                    return ending
                return None if None in parts else not ending
        return self._truths.get(ast.unparse(test))
