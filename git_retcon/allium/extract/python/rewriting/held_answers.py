"""Conditions that ask what a step before them answered, and a variable held for them.

::

    done = self._finish()
    if not done:
        return

says what ``if not self._finish(): return`` says, and is read so.
"""

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes


class _Held(NamedTuple):
    """What a variable holds of a step of the object."""

    name: str
    call: ast.expr


def ask_steps(methods: Iterable[Function]) -> None:
    """Let conditions ask the steps themselves. The methods are changed."""
    for each in methods:
        if names := _list_asked(each):
            forget_text(each)
            for block in [*list_blocks(each)]:
                block[:] = _join(block, names)


@answer_once
def _list_asked(node: Function) -> Collection[str]:
    """The variables that hold what steps answer, and nothing else, for the next condition."""
    names = {
        held.name
        for block in list_blocks(node)
        for held, asking in zip(map(_read_held, block), block[1:], strict=False)
        if held is not None and asks_first(asking, held.name)
    }
    return {name for name in names if _is_only_asked(name, node)}


def _join(block: list[ast.stmt], names: Collection[str]) -> Iterator[ast.stmt]:
    held: _Held | None = None
    for number, each in enumerate(block):
        if held is not None and isinstance(each, ast.If):
            each.test = _Asked(held).visit(each.test)
        held = _read_held(each)
        after = block[number + 1] if number + 1 < len(block) else None
        if held is not None and held.name in names and after and asks_first(after, held.name):
            continue
        held = None
        yield each


def list_blocks(node: Function) -> Iterator[list[ast.stmt]]:
    """The blocks of a function."""
    yield node.body
    for each in walk_statements(node.body):
        for name in BLOCKS.get(each.__class__, ()):
            parts = getattr(each, name)
            is_listed = name in ("handlers", "cases")
            yield from [part.body for part in parts] if is_listed else [parts]


def _read_held(node: ast.stmt) -> _Held | None:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            call = value.value if isinstance(value, ast.Await) else value
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"))):
                    return _Held(name, value)
    return None


def asks_first(node: ast.stmt, name: str) -> bool:
    """Whether a condition asks a variable first, and once."""
    if not isinstance(node, ast.If):
        return False
    named = [e for e in walk_nodes(node.test) if isinstance(e, ast.Name) and e.id == name]
    return len(named) == 1 and _find_first(node.test) is named[0]


def _find_first(node: ast.expr) -> ast.expr:
    """What is computed first of a condition."""
    match node:
        case ast.UnaryOp(operand=first):
            return _find_first(first)
        case ast.Compare(left=first, ops=[op, *_]) if not isinstance(op, ast.Is | ast.IsNot):
            return _find_first(first)
        case ast.BoolOp(values=[first, *_]):
            return _find_first(first)
    return node


def _is_only_asked(name: str, node: Function) -> bool:
    """Whether a variable holds nothing but what steps answer, and is only asked or returned."""
    statements = [*walk_statements(node.body)]
    known = sum(1 for each in statements if (held := _read_held(each)) and held.name == name)
    for each in statements:
        match each:
            case ast.If(test=part) | ast.While(test=part) | ast.Return(value=ast.expr() as part):
                known += _count(part, name)
    given = any(isinstance(each, ast.arg) and each.arg == name for each in walk_nodes(node.args))
    return not given and known == _count(node, name)


def _count(node: ast.AST, name: str) -> int:
    return sum(isinstance(each, ast.Name) and each.id == name for each in walk_nodes(node))


class _Asked(ast.NodeTransformer):
    """The step for the variable that holds its answer."""

    def __init__(self, held: _Held) -> None:
        self._held = held

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._held.call if node.id == self._held.name else node
