"""Ways through a method on which an object has no value yet that it gets once and keeps."""

import ast
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Ways: whether the state was moved on them. On those that are left out, the value is there.
_Ways = frozenset[bool]
_NONE: _Ways = frozenset()


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
            found |= {f"{place} is None": not is_set, f"{place} is not None": is_set}
        return found


def moves_unset(method: _Function, value: Lasting, symbol: str, movers: Set[str]) -> bool:
    """Whether a method may move the state of a field, by itself or by others (``movers``), and
    leave its object without the value.
    """
    ways = _UnsetWays(value, symbol, movers)
    left = ways.follow(method.body, frozenset([False]))
    return True in left | ways.left


class _UnsetWays:
    def __init__(self, value: Lasting, symbol: str, movers: Set[str]) -> None:
        self._value = value
        self._truths = value.list_truths(is_set=False)
        self._symbol = symbol
        self._movers = movers
        self.left: _Ways = _NONE  # out of the method
        self._broken: _Ways = _NONE  # out of a loop

    def follow(self, body: Iterable[ast.stmt], ways: _Ways) -> _Ways:
        for each in body:
            ways = self._follow_statement(each, ways) if ways else ways
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
        ways = self._note_moves(node, ways)
        if isinstance(node, ast.Return | ast.Raise):
            self.left |= ways
            return _NONE
        return ways

    def _follow_try(self, node: ast.Try | ast.TryStar, ways: _Ways) -> _Ways:
        raised = ways
        for each in node.body:
            ways = self._follow_statement(each, ways) if ways else ways
            raised |= ways
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
                    if name in self._movers:
                        return frozenset([True])
                    if name == self._symbol and not isinstance(place, ast.Load):
                        return frozenset([True])
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
