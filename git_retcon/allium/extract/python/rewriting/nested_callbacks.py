"""Functions inside an operation that it hands to others, or answers, to be run when it is over.

::

    def connect(self):
        def on_ok(future):
            self.state = State.UP
        self.loop.create_future().add_done_callback(on_ok)

What ``on_ok`` does happens in a state that ``connect`` may leave its object in. A lambda that gives
an own method a constant, ``lambda: self._move(State.UP)``, is such a function, too.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.waiting_steps import make_waiting
from git_retcon.allium.extract.python.syntax.function_texts import (
    answer_once,
    may_have,
    rewrite_text,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MAY_HAVE = re.compile(rb"\n[^\n]*\bdef\b|\blambda\b")
# A function in a method; most files have none.
_INNER = re.compile(rb"\n(?: {8,}|\t\t+)(?:async )?def |lambda: self\.\w")


def open_callbacks(content: bytes, methods: Iterable[_Function]) -> None:
    """Write the bodies of functions that set something where they are handed on, or decorated."""
    found = [*filter(_has_inner, methods)]
    for node in found if found and _INNER.search(content) is not None else ():
        inner = {
            each.name: each
            for each in walk_statements(node.body)
            if isinstance(each, _Function) and _sets_any(each)
        }
        if inner or any(_list_lambdas(each) for each in walk_statements(node.body)):
            rewrite_text(node, "callbacks")
            node.body = _open_block(node.body, inner)


@answer_once
def _has_inner(node: _Function) -> bool:
    return may_have(node, _MAY_HAVE) and any(
        (isinstance(each, _Function) and _sets_any(each)) or _list_lambdas(each)
        for each in walk_statements(node.body)
    )


def _sets_any(node: _Function) -> bool:
    """Whether a function sets an attribute, or gives an own method a constant, and is none of
    another object's own.
    """
    names = {each.arg for each in node.args.args}
    return "self" not in names and any(map(_acts, walk_statements(node.body)))


def _acts(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(isinstance(target, ast.Attribute) for target in targets)
        case ast.Expr(value=value):
            return _gives_constant(value)
    return False


def _gives_constant(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self")), args=given):
            return any(get_last(spell_dotted(each)).isupper() for each in given)
    return False


def _open_block(body: Sequence[ast.stmt], inner: Mapping[str, _Function]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, _Function):
            # "@client.event" hands on what it decorates.
            is_handed = node.name in inner and node.decorator_list
            found += [node, _place(make_waiting(node.body), node)] if is_handed else [node]
            continue
        handed = [*_list_handed(node, inner)]
        for block in _list_blocks(node):
            block[:] = _open_block(block, inner)
        bodies = [inner[name].body for name in dict.fromkeys(handed)] + _list_lambdas(node)
        waiting = [_place(make_waiting(body), node) for body in bodies]
        found += [*waiting, node] if isinstance(node, ast.Return) else [node, *waiting]
    return found


def _place(waiting: ast.FunctionDef, node: ast.stmt) -> ast.FunctionDef:
    return ast.copy_location(waiting, node)


def _list_handed(node: ast.stmt, inner: Mapping[str, _Function]) -> Iterator[str]:
    """The functions that a call of a statement gets, or that the operation answers."""
    given = (*_list_given(node), *_list_answered(node)) if inner else ()
    yield from (each.id for each in given if isinstance(each, ast.Name) and each.id in inner)


def _list_lambdas(node: ast.stmt) -> list[list[ast.stmt]]:
    """What the lambdas do that a call of a statement gets, where they give own methods a
    constant.
    """
    lambdas = (each for each in _list_given(node) if isinstance(each, ast.Lambda))
    return [
        [ast.copy_location(ast.Expr(value=each.body), each)]
        for each in lambdas
        if not each.args.args and _gives_constant(each.body)
    ]


def _list_given(node: ast.stmt) -> Iterator[ast.expr]:
    match node:
        case (
            ast.Expr(value=value) | ast.Assign(value=value) | ast.Return(value=ast.expr() as value)
        ):
            pass
        case _:
            return
    for call in walk_nodes(value):
        if isinstance(call, ast.Call):
            yield from (*call.args, *(each.value for each in call.keywords))


def _list_answered(node: ast.stmt) -> Sequence[ast.expr]:
    """What an operation hands to those who run it, alone or beside other things."""
    match node:
        case ast.Return(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
            return parts
        case ast.Return(value=ast.Dict(values=parts)):
            return parts
        case ast.Return(value=ast.Name() as name):
            return [name]
    return ()


def _list_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and not isinstance(node, ast.ClassDef):
            yield block
    for name in ("handlers", "cases"):
        yield from (part.body for part in getattr(node, name, ()))
