"""Values that say something of a field: a condition on it, or the answer of a step that goes by it.

::

    def _why_not(self):
        if self.state == State.DONE:
            return self.texts.find("over")
        return None

``why = self._why_not()`` says something of ``state``; what a step only logs, or checks before it
does its work, its answer does not say.
"""

import ast
from collections.abc import Iterable

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.function_texts import Function
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.python.touched_names import list_set_names, reads_field

_CONDITIONS = ast.Compare | ast.BoolOp | ast.UnaryOp
_DEEPEST = 3  # steps whose answer is that of others


def tells_field(value: ast.expr, symbol: str, subject: Subject) -> bool:
    """Whether what is given this tells of a field."""
    if isinstance(value, _CONDITIONS):
        return reads_field(value, symbol, subject)
    step = _find_step(value, subject)
    if step is None or f".{symbol}" in list_set_names(value, subject):
        return False  # what moves the field is followed
    return _answers_by(step, symbol, subject, _DEEPEST)


def _find_step(value: ast.expr | None, subject: Subject) -> Function | None:
    """The method of the object whose answer an expression is."""
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            return subject.methods.get(name) if owner == subject.name else None
    return None


def _answers_by(method: Function, symbol: str, subject: Subject, left: int) -> bool:
    """Whether what a method returns depends on a field."""
    statements = [*walk_statements(method.body)]
    for each in statements:
        match each:
            case ast.If(test=asked) | ast.While(test=asked) | ast.Match(subject=asked):
                if _may_return([each]) and reads_field(asked, symbol, subject):
                    return True
            case ast.Return(value=ast.expr() as value):
                if any(_says(e, symbol, subject, left) for e in _list_values(value, statements)):
                    return True
    return False


def _may_return(body: Iterable[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Return) for each in walk_statements(body))


def _list_values(value: ast.expr, statements: Iterable[ast.stmt]) -> Iterable[ast.expr]:
    """A value, or all that the variable gets which it is."""
    if not isinstance(value, ast.Name):
        return [value]
    return [
        each.value
        for each in statements
        if isinstance(each, ast.Assign)
        if any(isinstance(e, ast.Name) and e.id == value.id for e in each.targets)
    ]


def _says(value: ast.expr, symbol: str, subject: Subject, left: int) -> bool:
    if isinstance(value, _CONDITIONS | ast.IfExp | ast.Attribute):
        return reads_field(value, symbol, subject)
    step = _find_step(value, subject) if left else None
    return step is not None and _answers_by(step, symbol, subject, left - 1)
