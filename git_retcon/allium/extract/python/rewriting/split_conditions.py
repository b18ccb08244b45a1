"""Conditions that ask a step beside something else, read as one condition for each.

``if self._finish() and self.is_quick: ...`` asks the second in the states that the step leads to,
as ``if self._finish():`` with ``if self.is_quick: ...`` in it does; ``if not self._finish() or
self.is_slow: return`` is two conditions that leave, one behind the other. ``self.is_open and
self._finish()`` runs the step in a condition, as ``return self.is_open and self._finish()`` does.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.calls import copy_written
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.own_attributes import list_set_values
from git_retcon.allium.extract.state_words import is_called_state

_MOST_COPIED = 32  # statements: what is copied is copied again with all around it
_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break


def split_conditions(classes: Iterable[ast.ClassDef]) -> None:
    """Write conditions of methods so that ask a step which sets a state. The methods are
    changed.
    """
    for each in classes:
        split_asked({item.name: item for item in each.body if isinstance(item, Function)})


def split_asked(methods: Mapping[str, Function]) -> None:
    """The same for the methods of one class, by the names that calls have for them."""
    steps = {name for name, each in methods.items() if _sets_state(each)}
    for method in methods.values() if steps else ():
        if not steps.isdisjoint(_list_asked(method)):
            forget_text(method)
            # What is inside first: a block may be copied.
            for block in reversed([*list_blocks(method)]):
                block[:] = [part for item in block for part in _split(item, steps)]


@answer_once
def _sets_state(node: Function) -> bool:
    """Whether a method sets what is called a state."""
    statements = walk_statements(node.body)
    return any(is_called_state(name) for each in statements for name, _ in list_set_values(each))


@answer_once
def _list_asked(node: Function) -> Collection[str]:
    """The steps that are asked beside something else."""
    chosen = (_read_choice(each) for each in walk_statements(node.body))
    values = (value for each in chosen if each is not None for value in _flatten(each))
    return {name for each in values if (name := _name_step(each))}


def _read_choice(node: ast.stmt) -> ast.BoolOp | None:
    match node:
        case (
            ast.If(test=ast.BoolOp() as asked)
            | ast.Return(value=ast.BoolOp() as asked)
            | ast.Expr(value=ast.BoolOp() as asked)
        ):
            return asked
    return None


def _flatten(node: ast.BoolOp) -> Iterator[ast.expr]:
    """The values of a condition, as if ``(a and b) and c`` were ``a and b and c``."""
    for each in node.values:
        if isinstance(each, ast.BoolOp) and each.op.__class__ is node.op.__class__:
            yield from _flatten(each)
        else:
            yield each


def _split(node: ast.stmt, steps: Collection[str]) -> Iterator[ast.stmt]:
    asked = _read_choice(node)
    parts = _part(asked, steps) if asked is not None else []
    if asked is None or len(parts) < 2 or _count_copied(node, asked, len(parts)) > _MOST_COPIED:
        yield node
        return
    is_both = isinstance(asked.op, ast.And)
    match node:
        case ast.If(body=body, orelse=orelse):
            if is_both:
                yield _ask_all(node, parts, body, orelse)
            elif not orelse and isinstance(body[-1], _LEAVING):
                yield from (_make_if(node, each, copy_written(body), []) for each in parts)
            else:
                yield _ask_any(node, parts, body, orelse)
        case ast.Return():
            last: ast.stmt = ast.copy_location(ast.Return(parts[-1]), node)
            other: ast.stmt = ast.copy_location(ast.Return(ast.Constant(not is_both)), node)
            make, first, then = (_ask_all, last, other) if is_both else (_ask_any, other, last)
            yield make(node, parts[:-1], [first], [])
            yield then
        case _:
            run: ast.stmt = ast.copy_location(ast.Expr(parts[-1]), node)
            found = [part if is_both else ast.UnaryOp(ast.Not(), part) for part in parts[:-1]]
            yield _ask_all(node, found, [run], [])


def _count_copied(node: ast.stmt, asked: ast.BoolOp, parts: int) -> int:
    """How many statements `_split` copies to ask the parts one by one."""
    if not isinstance(node, ast.If):
        return 0
    copied = node.orelse if isinstance(asked.op, ast.And) else node.body
    return (parts - 1) * sum(1 for _ in walk_statements(copied))


def _part(asked: ast.BoolOp, steps: Collection[str]) -> list[ast.expr]:
    """The values of a condition, those in a row that ask no such step as one."""
    parts: list[list[ast.expr]] = []
    is_open = False
    for each in _flatten(asked):
        is_step = _name_step(each) in steps
        if is_open and not is_step:
            parts[-1].append(each)
        else:
            parts.append([each])
        is_open = not is_step
    is_asked = any(_name_step(each) in steps for part in parts for each in part)
    if not is_asked:
        return []
    return [part[0] if len(part) == 1 else ast.BoolOp(asked.op, part) for part in parts]


def _ask_all(
    node: ast.stmt, tests: Sequence[ast.expr], body: list[ast.stmt], orelse: list[ast.stmt]
) -> ast.stmt:
    """A condition inside of the one before it."""
    first, *rest = tests
    inner = [_ask_all(node, rest, body, copy_written(orelse))] if rest else body
    return _make_if(node, first, inner, orelse)


def _ask_any(
    node: ast.stmt, tests: Sequence[ast.expr], body: list[ast.stmt], orelse: list[ast.stmt]
) -> ast.stmt:
    """A condition where the one before it does not hold."""
    first, *rest = tests
    other = [_ask_any(node, rest, copy_written(body), orelse)] if rest else orelse
    return _make_if(node, first, body, other)


def _make_if(
    node: ast.stmt, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]
) -> ast.If:
    made = ast.copy_location(ast.If(test, body, orelse), node)
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
