"""Variables that every way of a condition decides, for the condition right behind it.

::

    is_last = False
    with self.lock:
        if self.state == "open":
            self.state = "closing"
            is_last = True
    if is_last:
        self._finish()

runs ``_finish`` where it sets ``is_last``, and is read so.
"""

import ast
from collections.abc import Iterable, Sequence

from git_retcon.allium.extract.grammar.calls import copy_written
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_DECIDING = (ast.If, ast.With, ast.AsyncWith, ast.Try)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_OPEN = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_LONGEST = 80  # nodes of what is asked for such a variable: each way gets it


def decide_variables(methods: Iterable[Function]) -> None:
    """Let each way do itself what the condition behind it asks for. The methods are changed."""
    for each in methods:
        if _asks_any(each):
            forget_text(each)
            # What is inside first: a block may be copied.
            for block in reversed([*list_blocks(each)]):
                _decide_block(block)


@answer_once
def _asks_any(node: Function) -> bool:
    return any(
        _find_asked(block, at) for block in list_blocks(node) for at in range(len(block) - 1)
    )


def _find_asked(block: Sequence[ast.stmt], at: int) -> str:
    """The variable that a statement of a block may decide, and the next one asks; "" for none."""
    asking = _open_asking(block, at + 1) if isinstance(block[at], _DECIDING) else None
    name = _name_asked(asking) if asking is not None else ""
    if asking is None or not name or not _sets(block[at], name):
        return ""
    parts = [each for part in (*asking.body, *asking.orelse) for each in walk_nodes(part)]
    return name if len(parts) <= _LONGEST and any(map(_acts, parts)) else ""


def _acts(node: ast.AST) -> bool:
    """Whether a piece of syntax sets what the object has, or runs a step of it."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
            return True
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"))]):  # without a context
            return True
    return False


def _open_asking(block: Sequence[ast.stmt], at: int) -> ast.If | None:
    """A condition with what is done where it does not hold: all that follows, where it leaves."""
    match block[at]:
        case ast.If(test=test, body=[*_, ast.Return() | ast.Raise()] as body, orelse=[]) as node:
            return ast.copy_location(ast.If(test, body, [*block[at + 1 :]]), node)
        case ast.If() as node:
            return node
    return None


def _name_asked(node: ast.If) -> str:
    """The variable that a condition asks, or asks not to be true; "" for anything else."""
    match node.test:
        case ast.Name(id=name) | ast.UnaryOp(ast.Not(), ast.Name(id=name)):
            return name
    return ""


def _sets(node: ast.stmt, name: str) -> bool:
    return any(_is_set(each, name) for each in walk_statements([node]))


def _is_set(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(
                isinstance(part, ast.Name) and part.id == name
                for each in targets
                for part in walk_nodes(each)
            )
        case ast.AnnAssign(target=ast.Name(id=target)) | ast.AugAssign(target=ast.Name(id=target)):
            return target == name
    return False


def _decide_block(block: list[ast.stmt]) -> None:
    for at in reversed(range(len(block) - 1)):
        name = _find_asked(block, at)
        asking = _open_asking(block, at + 1) if name else None
        if asking is not None:
            decided = _Deciding(name, asking).decide(block[at], _find_value(block[:at], name))
            if decided is not None:
                end = len(block) if asking is not block[at + 1] else at + 2
                block[at:end] = [decided]


def _find_value(block: Sequence[ast.stmt], name: str) -> ast.expr | None:
    """The constant that a variable is behind some statements; None for anything else."""
    last = next((each for each in reversed(block) if _sets(each, name)), None)
    value = _read_value(last) if last is not None else None
    return value if isinstance(value, ast.Constant) else None


def _read_value(node: ast.stmt) -> ast.expr | None:
    """What a statement gives a variable that does nothing to compute it."""
    match node:
        case (
            ast.Assign(targets=[ast.Name()], value=value)
            | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
        ) if not any(isinstance(each, _OPEN) for each in walk_nodes(value)):
            return value
    return None


class _Deciding:
    """Puts a condition that asks a variable behind each way that decides it."""

    def __init__(self, name: str, asking: ast.If) -> None:
        self._name = name
        self._asking = asking

    def decide(self, node: ast.stmt, before: ast.expr | None) -> ast.stmt | None:
        """A statement that does so, where the variable was something ``before``; None where not
        every way decides it.
        """
        found = copy_node(node)
        match found:
            case ast.If(body=body, orelse=orelse):
                done, other = self._decide_way(body, before), self._decide_way(orelse, before)
                if done is None or other is None:
                    return None
                found.body, found.orelse = done or [ast.Pass()], other
                return found
            case ast.With(body=body) | ast.AsyncWith(body=body):
                done = self._decide_way(body, before)
                if done is None:
                    return None
                found.body = done
                return found
            case ast.Try(finalbody=[]):
                return self._decide_try(found, before)
        return None

    def _decide_try(self, node: ast.Try, before: ast.expr | None) -> ast.stmt | None:
        # What fails behind the body is not caught here.
        last = node.body[-1]
        given = _read_value(last) if _sets(last, self._name) else _find_value(node.body, self._name)
        is_set = any(_sets(each, self._name) for each in node.body)
        done = self._decide_way(node.orelse, given if is_set else before)
        handlers = [copy_node(each) for each in node.handlers]
        caught = [self._decide_way(each.body, None if is_set else before) for each in handlers]
        if done is None:
            return None
        for handler, body in zip(handlers, caught, strict=True):
            if body is None:
                return None
            handler.body = body
        node.orelse, node.handlers = done, handlers
        return node

    def _decide_way(
        self, block: Sequence[ast.stmt], before: ast.expr | None
    ) -> list[ast.stmt] | None:
        if block and isinstance(block[-1], _LEAVING):
            return [*block]
        setting = [at for at, each in enumerate(block) if _sets(each, self._name)]
        last = setting[-1] if setting else -1
        if setting and isinstance(block[last], _DECIDING):
            known = _find_value(block[:last], self._name) if len(setting) > 1 else before
            found = self.decide(block[last], known) if last == len(block) - 1 else None
            return [*block[:last], found] if found is not None else None
        value = _read_value(block[last]) if setting else before
        if value is None or not (isinstance(value, ast.Constant) or last == len(block) - 1):
            return None
        return [*block, *self._ask(value)]

    def _ask(self, value: ast.expr) -> list[ast.stmt]:
        (asking,) = copy_written([self._asking])
        assert isinstance(asking, ast.If)
        is_negated = isinstance(asking.test, ast.UnaryOp)
        if isinstance(value, ast.Constant):
            return asking.body if bool(value.value) is not is_negated else asking.orelse
        test = copy_tree(value)
        asking.test = ast.UnaryOp(ast.Not(), test) if is_negated else test
        return [ast.fix_missing_locations(ast.copy_location(asking, self._asking))]
