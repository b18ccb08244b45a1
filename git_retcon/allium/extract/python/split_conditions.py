"""Conditions that ask a step and then something else, read as one condition for each.

``if self._finish() and self.is_quick: ...`` asks the second in the states that the step leads to,
as ``if self._finish():`` with ``if self.is_quick: ...`` in it does; and ``if not self._finish() or
self.is_slow: return`` is two conditions that leave, one behind the other.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from git_retcon.allium.extract.python.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.held_answers import list_blocks
from git_retcon.allium.extract.python.local_values import Function
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.python.node_copies import copy_tree
from git_retcon.allium.extract.python.own_attributes import list_set_values
from git_retcon.allium.extract.state_words import is_called_state

_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break


def split_conditions(classes: Iterable[ast.ClassDef]) -> None:
    """Write conditions of methods so that ask a step first which sets a state. The methods are
    changed.
    """
    for each in classes:
        methods = [item for item in each.body if isinstance(item, Function)]
        steps = {method.name for method in methods if _sets_state(method)}
        for method in methods:
            if not steps.isdisjoint(_list_asked(method)):
                forget_text(method)
                for block in [*list_blocks(method)]:
                    block[:] = [part for item in block for part in _split(item, steps)]


@answer_once
def _sets_state(node: Function) -> bool:
    """Whether a method sets what is called a state."""
    statements = walk_statements(node.body)
    return any(is_called_state(name) for each in statements for name, _ in list_set_values(each))


@answer_once
def _list_asked(node: Function) -> Collection[str]:
    """The steps that conditions ask before something else."""
    tests = (each.test for each in walk_statements(node.body) if isinstance(each, ast.If))
    firsts = (test.values[0] for test in tests if isinstance(test, ast.BoolOp))
    return {name for first in firsts if (name := _name_step(first))}


def _split(node: ast.stmt, steps: Collection[str]) -> Iterator[ast.stmt]:
    match node:
        case ast.If(test=ast.BoolOp(op=op, values=[first, *rest]), body=body, orelse=[]) if (
            _name_step(first) in steps
        ):
            is_negated = isinstance(first, ast.UnaryOp)
            after = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
            if isinstance(op, ast.And) and not is_negated:
                yield _make_if(node, first, [_make_if(node, after, body)])
                return
            if isinstance(op, ast.Or) and is_negated and isinstance(body[-1], _LEAVING):
                yield _make_if(node, first, [copy_tree(each) for each in body])
                yield _make_if(node, after, body)
                return
    yield node


def _make_if(node: ast.If, test: ast.expr, body: Sequence[ast.stmt]) -> ast.If:
    made = ast.copy_location(ast.If(test, [*body], []), node)
    return ast.fix_missing_locations(made)


def _name_step(node: ast.expr) -> str:
    """The step that a condition asks, or asks not to answer so; "" for anything else."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _name_step(operand) if not isinstance(operand, ast.UnaryOp) else ""
        case ast.Await(value=value):
            return _name_step(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name)):
            return name
    return ""
