"""Values that say something of a field: a condition on it, or the answer of a step that goes by it.

::

    def _why_not(self):
        if self.state == State.DONE:
            return self.texts.find("over")
        return None

``why = self._why_not()`` says something of ``state``; what a step only logs, or checks before it
does its work, its answer does not say. What another object answers about the field's value, as
``why = self.disk.find_reason(self.state)``, says something of it, too.
"""

import ast
from collections.abc import Iterator

from git_retcon.allium.extract.python.flow.guards import is_quiet
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.function_texts import Function
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_set_names, reads_field

_CONDITIONS = ast.Compare | ast.BoolOp | ast.UnaryOp


def tells_field(value: ast.expr, symbol: str, subject: Subject) -> bool:
    """Whether what is given this tells of a field."""
    if isinstance(value, _CONDITIONS) and reads_field(value, symbol, subject):
        return True
    if any(reads_field(each, symbol, subject) for each in _list_handed(value)):
        return True
    # What a table has for a state.
    if isinstance(value, ast.Subscript) and reads_field(value.slice, symbol, subject):
        return True
    # What moves the field is followed.
    return f".{symbol}" not in list_set_names(value, subject) and any(
        _answers_by(step, symbol, subject) for step in _list_steps(value, subject)
    )


def _list_handed(value: ast.expr) -> Iterator[ast.AST]:
    """What the calls of an expression are given."""
    for each in walk_nodes(value):
        if isinstance(each, ast.Call):
            yield from each.args
            yield from each.keywords


def _list_steps(value: ast.expr, subject: Subject) -> Iterator[Function]:
    """The methods of the object whose answers an expression has."""
    for each in walk_nodes(value):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                if owner == subject.name and name in subject.methods:
                    yield subject.methods[name]


def _answers_by(method: Function, symbol: str, subject: Subject) -> bool:
    """Whether what a method returns may depend on a field."""
    asking = (part for each in walk_statements(method.body) for part in _list_deciding(each))
    return any(reads_field(each, symbol, subject) for each in asking)


def _list_deciding(node: ast.stmt) -> Iterator[ast.AST]:
    """What of a statement, without its blocks, may decide on an answer."""
    if isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and is_quiet(node)):
        return  # it is only logged, or an error otherwise
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Raise):
        return
    if node.__class__ not in BLOCKS:
        yield node
        return
    yield from (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
