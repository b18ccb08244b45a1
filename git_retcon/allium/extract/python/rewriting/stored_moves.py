"""Updates of an object's own row that ask for its state, read as what the object does itself.

::

    updated = Order.objects.filter(pk=self.pk, status=Status.NEW).update(status=Status.PAID)
    if not updated:
        raise ValueError

refuses an order that is not new, and pays it.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.rewriting.unread_conditions import doubt_rest, leave_open
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_MAY_FIND = re.compile(rb"\.(?:objects|filter|exclude|query|_default_manager|_base_manager)\b")
_MAY_UPDATE = re.compile(rb"\.a?update\(")
_MANAGERS = (".objects", "._default_manager", "._base_manager")
_OWN_KEYS = frozenset({"self.pk", "self.id"})
_LEAVING = ast.Raise | ast.Return


class _Update(NamedTuple):
    """What is asked of the object, and what it gets then."""

    asked: Sequence[ast.expr]
    given: Sequence[ast.keyword]


def open_updates_of_own(classes: Iterable[ast.ClassDef]) -> None:
    """Write the updates of a class's own rows so. The methods are changed."""
    for owner in classes:
        for each in owner.body:
            if isinstance(each, Function) and _may_update(each):
                for block in [*list_blocks(each)]:
                    opened = _open_block(block, owner.name)
                    if opened is not None:
                        forget_text(each)
                        block[:] = opened


@answer_once
def _may_update(node: Function) -> bool:
    return may_have(node, _MAY_UPDATE) and may_have(node, _MAY_FIND)


def _open_block(block: Sequence[ast.stmt], owner: str) -> list[ast.stmt] | None:
    found: list[ast.stmt] = []
    at, is_changed = 0, False
    while at < len(block):
        node, after = block[at], block[at + 1] if at + 1 < len(block) else None
        opened, count = _open(node, after, owner)
        is_changed |= opened is not None
        found = [*_ask_first(found, opened)] if opened is not None else found
        for one in [node] if opened is None else opened:
            found.append(ast.fix_missing_locations(ast.copy_location(one, node)))
        at += count
    return found if is_changed else None


def _open(
    node: ast.stmt, after: ast.stmt | None, owner: str
) -> tuple[Sequence[ast.stmt] | None, int]:
    """What a statement means, and how many are read with it."""
    match node:
        case ast.Expr(value=value):
            update = _read(value, owner)
            return (_move(update) if update is not None else None), 1
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            update = _read(value, owner)
            if update is None or not isinstance(after, ast.If):
                return None, 1
            is_asked = _asks_none(after.test) == name
            return (_refuse(update, after), 2) if is_asked and _leaves(after) else (None, 1)
        case ast.If(test=test) if _leaves(node):
            update = _read(_find_asked(test), owner)
            return (_refuse(update, node) if update is not None else None), 1
    return None, 1


def _ask_first(before: Sequence[ast.stmt], opened: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """What is done before an update, without what gives the object the same before the row is
    asked. Where it gets something else, nobody can say what the row is then.
    """
    tests = [each.test for each in opened if isinstance(each, ast.If)]
    asked = {_name_own(part) for test in tests for part in walk_nodes(test)} - {""}
    inner = (part for each in opened for part in walk_nodes(each) if isinstance(part, ast.Assign))
    given = {_name_own(each.targets[0]): ast.dump(each.value) for each in inner}
    found: list[ast.stmt] = []
    for each in before:
        match each:
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if _name_own(
                target
            ) in asked and given.get(_name_own(target)) == ast.dump(value):
                found.append(ast.copy_location(ast.Pass(), each))
            case _:
                found.append(each)
    parts = (part for each in found for part in walk_nodes(each) if _is_stored(part))
    if any(_name_own(each) in asked for each in parts):
        doubt = ast.copy_location(doubt_rest(), found[0])
        yield ast.fix_missing_locations(doubt)
    yield from found


def _name_own(node: ast.AST) -> str:
    """The attribute of the object that an expression is; "" for anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def _is_stored(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _leaves(node: ast.If) -> bool:
    return not node.orelse and isinstance(node.body[-1], _LEAVING)


def _asks_none(test: ast.expr) -> str:
    """The variable that a condition asks whether it is no number of rows."""
    asked = _find_asked(test)
    return asked.id if isinstance(asked, ast.Name) else ""


def _find_asked(test: ast.expr) -> ast.expr:
    """What holds where a number of rows is none: ``not updated``, ``updated == 0``."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            return asked
        case ast.Compare(left=asked, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return asked
        case ast.Compare(
            left=asked, ops=[ast.NotEq() | ast.Lt()], comparators=[ast.Constant(value=1)]
        ):
            return asked
    return ast.Constant(None)


def _read(node: ast.expr, owner: str) -> _Update | None:
    call = node.value if isinstance(node, ast.Await) else node
    match call:
        case ast.Call(
            func=ast.Attribute(value=rows, attr="update" | "aupdate"), args=[], keywords=given
        ) if given and all(each.arg for each in given):
            asked = _list_asked(rows, owner)
            return _Update(asked, given) if asked is not None else None
    return None


def _list_asked(rows: ast.expr, owner: str) -> list[ast.expr] | None:
    """What is asked of the object whose row alone is meant; None for other rows."""
    asked: list[ast.expr] = []
    is_own = False
    while isinstance(rows, ast.Call):
        match rows:
            case ast.Call(
                func=ast.Attribute(value=inner, attr="filter" | "exclude" as way), args=others
            ):
                asked += [leave_open() for _ in others]
                words = rows.keywords
                if way == "filter":
                    is_own |= any(map(_is_own, words))
                    asked += [_ask(each) for each in words if not _is_own(each)]
                elif words:  # what is all of it together
                    asked.append(ast.UnaryOp(ast.Not(), _join([*map(_ask, words)])))
                rows = inner
            case ast.Call(func=ast.Attribute(value=inner, attr="select_for_update")):
                rows = inner
            case _:
                return None
    names = {f"{owner}{each}" for each in _MANAGERS}
    names |= {f"{one}{each}" for each in _MANAGERS for one in ("type", "self.__class__")}
    return asked[::-1] if is_own and spell_dotted(rows) in names else None


def _is_own(word: ast.keyword) -> bool:
    return word.arg in ("pk", "id") and spell_dotted(word.value) in _OWN_KEYS


def _ask(word: ast.keyword) -> ast.expr:
    name, _, way = (word.arg or "").partition("__")
    ops: dict[str, ast.cmpop] = {"": ast.Eq(), "exact": ast.Eq(), "in": ast.In()}
    if not name.isidentifier() or way not in ops:
        return leave_open()
    field = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())
    return ast.Compare(field, [ops[way]], [word.value])


def _join(asked: Sequence[ast.expr]) -> ast.expr:
    return asked[0] if len(asked) == 1 else ast.BoolOp(ast.And(), [*asked])


def _list_set(update: _Update) -> list[ast.stmt]:
    return [
        ast.Assign([ast.Attribute(ast.Name("self", ast.Load()), each.arg, ast.Store())], each.value)
        for each in update.given
        if each.arg
    ]


def _move(update: _Update) -> list[ast.stmt]:
    if not update.asked:
        return _list_set(update)
    return [ast.If(_join(update.asked), _list_set(update), [])]


def _refuse(update: _Update, node: ast.If) -> list[ast.stmt]:
    if not update.asked:
        return [*_list_set(update)]
    refused = ast.If(ast.UnaryOp(ast.Not(), _join(update.asked)), node.body, [])
    return [refused, *_list_set(update)]
