"""What a method that leaves early answers, as one condition.

::

    def may_send(self):
        if self.state != State.OPEN:
            return False
        if self.peer is None:
            return False
        return True

is ``self.state == State.OPEN and self.peer is not None``. What cannot be said of the object alone
is left open.
"""

import ast
from collections.abc import Iterator, Sequence, Set

from git_retcon.allium.extract.python.flow.allowed_states import read_returned
from git_retcon.allium.extract.python.flow.guards import is_docstring, is_quiet
from git_retcon.allium.extract.python.syntax.caught_errors import may_return
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_MOST = 6  # statements of what only answers


def read_answer(node: ast.FunctionDef) -> ast.expr | None:
    """What a method answers where it leaves early; None where nothing is known of it."""
    body = [each for each in node.body if not is_docstring(each)]
    if not 1 < len(body) <= _MOST or not isinstance(body[0], ast.If):
        return None
    return _join_answers(body, {*_list_given(node)} | list_local_names(node))


def read_question(node: ast.FunctionDef) -> ast.expr | None:
    """What a method answers, by the names of what it is given, where it sets none of these."""
    body = [each for each in node.body if not is_docstring(each)]
    given, local = node.args, list_local_names(node)
    is_open = given.posonlyargs or given.kwarg or not local.isdisjoint(_list_given(node))
    if is_open or node.decorator_list or not 0 < len(body) <= _MOST:
        return None
    return read_returned(body) or _join_answers(body, local)


def _list_given(node: ast.FunctionDef) -> Iterator[str]:
    given = node.args
    listed = [*given.args[1:], *given.kwonlyargs, given.vararg, given.kwarg]
    return (each.arg for each in listed if each is not None)


def _join_answers(body: Sequence[ast.stmt], local: Set[str]) -> ast.expr | None:
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            return _keep_known(value, local)
        case [ast.If(test=test, orelse=[]) as first, *rest] if rest:
            answers = {*_list_answers(first)}
            after = _join_answers(rest, local)
            if after is None or (not answers <= {True} and not answers <= {False}):
                return None
            if not answers or not all(map(_only_answers, walk_statements(first.body))):
                return after if is_quiet(first) else None
            is_whole = isinstance(first.body[-1], ast.Return)
            asked = _keep_known(test, local) if is_whole else _leave_open()
            if True in answers:
                return _join(ast.Or(), asked, after)
            return _join(ast.And(), ast.UnaryOp(ast.Not(), asked), after)
        case [first, *rest] if rest and is_quiet(first) and not may_return(first):
            return _join_answers(rest, local)
    return None


def _list_answers(node: ast.If) -> Sequence[object]:
    """What a block returns: true, false, or None for anything else."""
    returned = (each for each in walk_statements([node]) if isinstance(each, ast.Return))
    return [
        each.value.value
        if isinstance(each.value, ast.Constant) and isinstance(each.value.value, bool)
        else None
        for each in returned
    ]


def _only_answers(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return | ast.If | ast.Raise) or is_quiet(node)


def _join(word: ast.boolop, asked: ast.expr, after: ast.expr) -> ast.expr:
    is_plain = isinstance(after, ast.Constant) and after.value is isinstance(word, ast.And)
    return asked if is_plain else ast.BoolOp(word, [asked, after])


def _keep_known(node: ast.expr, local: Set[str]) -> ast.expr:
    """A condition without the names of its method."""
    names = {each.id for each in walk_nodes(node) if isinstance(each, ast.Name)}
    return node if names.isdisjoint(local) else _leave_open()


def _leave_open() -> ast.expr:
    return ast.Call(ast.Name("unknown", ast.Load()), [], [])
