"""Questions of a class that refuse before they answer.

::

    def _may_settle(self):
        if self.state not in RECEIVED:
            raise ValueError
        return self.settler is not None

``if self._may_settle():`` refuses what the question refuses, and then asks what it answers: it is
read as if it had this code.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.allowed_states import read_returned
from git_retcon.allium.extract.python.flow.answered_conditions import read_answer
from git_retcon.allium.extract.python.flow.guards import is_docstring, is_quiet
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree


class _Question(NamedTuple):
    """What a question refuses, and what it answers then, of its object of this name."""

    owner: str
    refusals: Sequence[ast.If]
    answer: ast.expr


def open_refusals(classes: Iterable[ast.ClassDef]) -> None:
    """Let the methods of classes refuse what their questions refuse. The methods are changed."""
    for owner in classes:
        methods = [each for each in owner.body if isinstance(each, Function)]
        known = {each.name: found for each in methods if (found := _read_question(each))}
        for each in methods if known else ():
            if any(isinstance(s, ast.If) and _find(s, known) for s in walk_statements(each.body)):
                forget_text(each)
                _Opened(known).visit(each)


def _read_question(node: Function) -> _Question | None:
    """The question that a method is which asks its object alone."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or not _may_refuse(node):
        return None
    body = [each for each in node.body if not is_docstring(each)]
    count = next((n for n, each in enumerate(body) if not _refuses(each)), len(body))
    rest = copy_node(node)
    rest.body = body[count:]
    answer = read_returned(rest.body) or read_answer(rest) if rest.body else None
    refusals = [each for each in body[:count] if isinstance(each, ast.If)]
    return _Question(node.args.args[0].arg, refusals, answer) if refusals and answer else None


@answer_once
def _may_refuse(node: Function) -> bool:
    """Whether a method begins with a refusal, and is given nothing."""
    given = node.args
    others = (*given.posonlyargs, *given.args[1:], *given.kwonlyargs, given.vararg, given.kwarg)
    body = [each for each in node.body if not is_docstring(each)]
    return bool(given.args) and not any(others) and bool(body) and _refuses(body[0])


def _refuses(node: ast.stmt) -> bool:
    match node:
        case ast.If(body=[*others, ast.Raise(exc=ast.expr())], orelse=[]):
            return all(map(is_quiet, others))
    return False


def _find(node: ast.If, known: Mapping[str, _Question]) -> _Question | None:
    """The question that a condition asks first."""
    match _find_first(node.test):
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[], keywords=[]
        ):
            found = known.get(name)
            return found if found is not None and found.owner == owner else None
    return None


def _find_first(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=first) | ast.BoolOp(values=[first, *_]):
            return _find_first(first)
    return test


class _Opened(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, _Question]) -> None:
        self._known = known

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        question = _find(node, self._known)
        if question is None:
            return node
        node.test = _answer_first(node.test, copy_tree(question.answer))
        found = [*map(copy_tree, question.refusals), node]
        return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in found]


def _answer_first(test: ast.expr, answer: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(operand=first):
            return ast.UnaryOp(ast.Not(), _answer_first(first, answer))
        case ast.BoolOp(op=word, values=[first, *others]):
            return ast.BoolOp(word, [_answer_first(first, answer), *others])
    return answer
