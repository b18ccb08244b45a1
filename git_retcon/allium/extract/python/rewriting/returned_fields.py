"""Steps that return the field that they move: what they answer is no news of their own.

::

    def start(self):
        if self.status != NEW:
            return self.status
        self.status = RUNNING
        return self.status

    def run(self):
        self.status = self.start()

``start`` refuses, as by ``return`` alone, what is not new; ``run`` does what ``start`` does, and
sets nothing itself.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from git_retcon.allium.extract.python.flow.guards import is_quiet, open_blocks
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
    rewrite_text,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_KEPT = re.compile(rb"= ?(?:await )?self\.\w+\(")
_RETURNED = re.compile(rb"return self\.\w+(?![\w.(\[])")
# What makes something else of a method than a step that is called.
_OTHERS = frozenset({"property", "contextmanager", "asynccontextmanager", "staticmethod"})
_GIVING = ("get", "to_", "as_", "find", "list", "read", "is_", "has_", "can_")
_WAY = "returned fields"


def run_returned(classes: Iterable[ast.ClassDef]) -> None:
    """Let methods run such steps and keep nothing, and leave such steps with nothing where they
    have done nothing. They are changed.
    """
    for owner in classes:
        methods = {each.name: each for each in owner.body if isinstance(each, Function)}
        answering = [each for each in methods.values() if may_have(each, _RETURNED)]
        for each in methods.values() if answering else ():
            if may_have(each, _KEPT) and any(
                _gives_back(item, methods) for item in walk_statements(each.body)
            ):
                forget_text(each)
                for block in list_blocks(each):
                    block[:] = [_run(e) if _gives_back(e, methods) else e for e in block]
        for each in filter(_leaves_early, answering):
            left = [*_list_left(each)]
            rewrite_text(each, _WAY)
            for node in left:
                node.body[-1] = ast.copy_location(ast.Return(value=None), node.body[-1])


def _run(node: ast.stmt) -> ast.stmt:
    value = node.value if isinstance(node, ast.Assign) else None
    return ast.copy_location(ast.Expr(value=value), node) if value is not None else node


def _gives_back(node: ast.stmt, methods: Mapping[str, Function]) -> bool:
    """Whether a statement gives a field what a step returns of the same field."""
    match node:
        case ast.Assign(targets=[ast.Attribute() as target], value=value):
            called = value.value if isinstance(value, ast.Await) else value
        case _:
            return False
    match called:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name in methods:
            step = methods[name]
        case _:
            return False
    is_run = isinstance(value, ast.Await) is isinstance(step, ast.AsyncFunctionDef)
    returned = [*map(_read_field, _list_returned(step))]
    return is_run and _is_step(step) and {*returned} == {_read_field(target)} - {""}


def _is_step(method: Function) -> bool:
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    return marks.isdisjoint(_OTHERS)


def _list_returned(method: Function) -> Iterator[ast.expr]:
    """All that a method returns; no value at all is no state."""
    for each in walk_statements(method.body):
        if isinstance(each, ast.Return) and each.value is not None:
            yield from _split_choice(each.value)


def _split_choice(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.IfExp):
        yield from (*_split_choice(value.body), *_split_choice(value.orelse))
    else:
        yield value


def _read_field(node: ast.expr) -> str:
    """The field of the object that an expression is; "" for anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if not name.isupper():
            return name
    return ""


@answer_once
def _leaves_early(method: Function) -> bool:
    return any(_list_left(method))


def _list_left(method: Function) -> Iterator[ast.If]:
    """Where a method leaves with a field that it asks for, if it does something, and returns in any
    case no more than the field or a constant.
    """
    if not _is_step(method) or method.name.lstrip("_").startswith(_GIVING):
        return
    returned = [each for each in _list_returned(method) if not _is_constant(each)]
    fields = {*map(_read_field, returned)}
    if len(fields) == 1 and "" not in fields and any(map(_acts, walk_statements(method.body))):
        field = min(fields)
        yield from (each for each in open_blocks(method.body) if _leaves_with(each, field))


def _is_constant(node: ast.expr) -> bool:
    return get_last(spell_dotted(node)).isupper()


def _acts(node: ast.stmt) -> bool:
    """Whether a statement gives an object something, or runs something."""
    match node:
        case ast.Assign(targets=targets):
            return any(isinstance(each, ast.Attribute) for each in targets)
    return isinstance(node, ast.Expr) and not is_quiet(node)


def _leaves_with(node: ast.stmt, field: str) -> TypeGuard[ast.If]:
    match node:
        case ast.If(test=test, body=[*_, ast.Return(value=ast.Attribute() as value)], orelse=[]):
            is_asked = any(_asks_state(each, field) for each in walk_nodes(test))
            return is_asked and _read_field(value) == field
    return False


def _asks_state(node: ast.AST, field: str) -> bool:
    """Whether a condition asks a field for texts or named constants: what is there or not is made
    where it is not there yet, and given in any case.
    """
    match node:
        case ast.Compare(left=left, comparators=[asked]) if _read_field(left) == field:
            listed = asked.elts if isinstance(asked, ast.Tuple | ast.List | ast.Set) else [asked]
            return all(map(_is_state, listed))
    return False


def _is_state(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner)):
            return _is_constant(node) or owner[:1].isupper()
    return _is_constant(node)
