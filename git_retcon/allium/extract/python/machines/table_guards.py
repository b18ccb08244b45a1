"""What a method asks of tables before it comes to a statement, so that a "no" keeps it away."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.machines.table_names import TableNames
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements

_LEAVING = ast.Raise | ast.Return | ast.Continue | ast.Break


class Guard(NamedTuple):
    """What is asked; it ``is_sure`` where nothing leaves the question out."""

    names: frozenset[str]
    is_sure: bool


_NONE = Guard(frozenset(), False)


class TableGuards:
    """Finds the questions of one class, about one field."""

    def __init__(self, names: TableNames, field: str) -> None:
        self._names = names
        self._field = field

    def find(self, method: Function, statement: ast.stmt) -> Guard:
        """What a method asks before a statement of its own."""
        found = self._search(method.body, statement, method) or _NONE
        return _choose(found, Guard(self._names.list_entry(statement, method), True))

    def _search(self, body: Iterable[ast.stmt], wanted: ast.stmt, method: Function) -> Guard | None:
        """What is asked before a statement; None where a body does not have it."""
        known = _NONE
        for each in body:
            if each is wanted:
                return known
            for name, block in _list_blocks(each):
                found = self._search(block, wanted, method)
                if found is None:
                    continue
                if isinstance(each, ast.If):
                    known = _choose(known, self._read_entered(each, name, method))
                return _choose(known, found)
            known = _choose(known, self._read_guard(each, method))
        return None

    def _read_entered(self, node: ast.If, block: str, method: Function) -> Guard:
        names = self._names.list_names(node.test, method)
        is_plain = isinstance(node.test, ast.Compare | ast.Call | ast.UnaryOp)
        is_all = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
        if block == "body":
            return Guard(names, is_plain or is_all)
        return Guard(names, is_plain and isinstance(node.body[-1], _LEAVING))

    def _read_guard(self, node: ast.stmt, method: Function) -> Guard:
        """What a statement asks, so that nothing behind it runs where the answer is no."""
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                names = self._names.list_names(test, method)
                leaves = isinstance(body[-1], _LEAVING) or (
                    bool(orelse) and isinstance(orelse[-1], _LEAVING)
                )
                if names and leaves:
                    return Guard(names, self._asks_always(test, method))
                inner = _choose(*(self._read_guard(each, method) for each in (*body, *orelse)))
                return inner._replace(is_sure=inner.is_sure and self._is_aside(test, method))
            case ast.With(body=body) | ast.AsyncWith(body=body):
                return _choose(*(self._read_guard(each, method) for each in body))
            case ast.Assert(test=test):
                return Guard(self._names.list_names(test, method), True)
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Expr(value=ast.Await(value=ast.Call() as call))
            ):
                return self._read_check(call, method)
        return _NONE

    def _read_check(self, call: ast.Call, method: Function) -> Guard:
        """What a call asks that does nothing else than to refuse."""
        run = self._names.find_method(call.func, method)
        names = self._names.list_names(call.func, method)
        if run is None:
            return Guard(names, True)
        refuses = any(isinstance(each, ast.Raise) for each in walk_statements(run.body))
        return Guard(names, not _has_switch(run)) if refuses else _NONE

    def _asks_always(self, test: ast.expr, method: Function) -> bool:
        """Whether no part of a condition keeps its question from being asked."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=values)):
                parts = values
            case ast.BoolOp(op=ast.And(), values=values):
                parts = values
            case _:
                return True
        return all(
            self._names.list_names(each, method) or self._is_aside(each, method) for each in parts
        )

    def _is_aside(self, test: ast.expr, method: Function) -> bool:
        """Whether a condition is about the state itself: it is another one, or there is one."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._is_aside(operand, method)
            case ast.BoolOp(values=values):
                return all(self._is_aside(each, method) for each in values)
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                return all(
                    isinstance(each, ast.Name | ast.Attribute | ast.Constant)
                    for each in (left, right)
                ) and not any(
                    isinstance(each, ast.Constant) and isinstance(each.value, bool)
                    for each in (left, right)
                )
            case ast.Attribute():
                return test.attr in (self._field, "pk", "id")
        return False


def _choose(*guards: Guard) -> Guard:
    """The surest of several questions, with all that they name."""
    asking = [each for each in guards if each.names]
    names = frozenset(name for each in asking for name in each.names)
    return Guard(names, any(each.is_sure for each in asking))


def _list_blocks(node: ast.stmt) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    for name in BLOCKS.get(node.__class__, ()):
        for each in getattr(node, name):
            if isinstance(each, ast.ExceptHandler | ast.match_case):
                yield name, each.body
        if name not in ("handlers", "cases"):
            yield name, getattr(node, name)


def _has_switch(node: Function) -> bool:
    """Whether a method has a parameter that switches something on or off."""
    arguments = node.args
    defaults = [*arguments.defaults, *(each for each in arguments.kw_defaults if each)]
    return any(isinstance(each, ast.Constant) and isinstance(each.value, bool) for each in defaults)
