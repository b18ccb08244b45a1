"""What conditions say of states: whether they ask nothing else, and what has to hold of them.

``if not items or not self.may_send(): return`` demands what ``may_send`` asks of the state.
"""

import ast
from collections.abc import Iterator

from git_retcon.allium.extract.python.flow.own_flags import is_setting
from git_retcon.allium.extract.python.syntax.conditions import (
    Subject,
    face_field,
    find_field,
    find_property,
    find_states,
    read_states,
    translate_condition,
)

_DEEPEST = 3  # properties that are made of properties


def list_required(
    test: ast.expr, subject: Subject, *, holds: bool, deep: int = _DEEPEST
) -> Iterator[str]:
    """What has to hold of states where a condition does, or does not, as far as that is known."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from list_required(operand, subject, holds=not holds, deep=deep)
            return
        case ast.BoolOp(op=word, values=values) if isinstance(word, ast.And) is holds:
            for each in values:
                yield from list_required(each, subject, holds=holds, deep=deep)
            return
        case ast.IfExp():
            opened = _open_choice(test)
            if opened is not None:
                yield from list_required(opened, subject, holds=holds, deep=deep)
            return
        case ast.Attribute() | ast.Call() if find_field(test, subject) is None and deep:
            returned = find_property(test, subject)
            if returned is not None:
                yield from list_required(returned, subject, holds=holds, deep=deep - 1)
                return
    text = (
        translate_condition(test, subject, negate=not holds) if asks_state(test, subject) else None
    )
    if text is not None:
        yield text


def _open_choice(node: ast.IfExp) -> ast.BoolOp | None:
    """A choice of which one side is true, or false, as what it means."""
    refused = ast.UnaryOp(ast.Not(), node.test)
    match node:
        case ast.IfExp(test=asked, body=ast.Constant(value=True), orelse=other):
            return ast.BoolOp(ast.Or(), [asked, other])
        case ast.IfExp(body=ast.Constant(value=False), orelse=other):
            return ast.BoolOp(ast.And(), [refused, other])
        case ast.IfExp(body=other, orelse=ast.Constant(value=True)):
            return ast.BoolOp(ast.Or(), [refused, other])
        case ast.IfExp(test=asked, body=other, orelse=ast.Constant(value=False)):
            return ast.BoolOp(ast.And(), [asked, other])
    return None


def asks_state(test: ast.expr, subject: Subject, deep: int = _DEEPEST) -> bool:
    """Whether a condition is about nothing but states: of a field with values, or a flag."""
    match test:
        case ast.BoolOp(values=values):
            return all(asks_state(each, subject, deep) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return asks_state(operand, subject, deep)
        case ast.Attribute() | ast.Call():
            field = find_field(test, subject)
            is_flag = (
                field is not None and field.type.name == "Boolean" and not is_setting(field.name)
            )
            returned = find_property(test, subject) if field is None and deep else None
            if returned is not None:
                return asks_state(returned, subject, deep - 1)
            return is_flag or _may_be_missing(test, subject)
        case ast.Compare(ops=[_]):
            left, _, right = face_field(test, subject)
            states = find_states(left, subject)
            if states is None:
                return _may_be_missing(left, subject) and _is_nothing(right)
            return bool(read_states(right, states, subject.constants))
    return False


def _may_be_missing(node: ast.expr, subject: Subject) -> bool:
    """Whether an expression is an object that the subject may not have yet, or no more."""
    field = find_field(node, subject)
    return field is not None and field.type.is_optional and field.type.name in ("", "Any")


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
