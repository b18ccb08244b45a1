"""Steps that say why they refuse, or nothing, read as the conditions that they are.

::

    def close(self):
        why = self._refuse()
        if why:
            raise ValueError(why)

    def _refuse(self):
        if self.state != State.OPEN:
            return "it is not open"
        return None

``close`` refuses where the state is not ``OPEN``.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.allium.extract.python.flow.guards import is_docstring, is_quiet
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree

_MOST = 8  # statements of a step that only says why


def open_reasons(classes: Iterable[ast.ClassDef]) -> None:
    """Let the conditions of methods ask what such steps of their class ask. They are changed."""
    for owner in classes:
        ask_reasons({each.name: each for each in owner.body if isinstance(each, Function)})


def ask_reasons(methods: Mapping[str, Function]) -> None:
    """The same for the methods of one class, by the names that calls have for them."""
    known = {name: found for name, each in methods.items() if (found := _read_reason(each))}
    for each in methods.values() if known else ():
        for block in [*list_blocks(each)]:
            _open_block(each, block, known)


def _read_reason(node: Function) -> ast.expr | None:
    """Where a step says why; None where it does something else, or says it in any case."""
    given = node.args
    others = (*given.posonlyargs, *given.args[1:], *given.kwonlyargs, given.vararg, given.kwarg)
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or any(others):
        return None
    body = [each for each in node.body if not is_docstring(each)]
    if not given.args or given.args[0].arg != "self" or not 0 < len(body) <= _MOST:
        return None
    found = _join(body)
    return None if isinstance(found, ast.Constant) else found


def _join(body: Sequence[ast.stmt]) -> ast.expr | None:
    match body:
        case []:
            return ast.Constant(False)
        case [ast.Return(value=value)]:
            said = _says(value)
            return ast.Constant(said) if said is not None else None
        case [ast.If(test=test, body=inner, orelse=orelse), *rest]:
            yes = _join(inner if _leaves(inner) else [*inner, *rest])
            no = _join(orelse if orelse and _leaves(orelse) else [*orelse, *rest])
            return _choose(test, yes, no) if yes is not None and no is not None else None
        case [first, *rest] if is_quiet(first):
            return _join(rest)
    return None


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return)


def _choose(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
    """One or the other, by a condition."""
    match yes, no:
        case ast.Constant(value=True), ast.Constant(value=False):
            return test
        case ast.Constant(value=False), ast.Constant(value=True):
            return ast.UnaryOp(ast.Not(), test)
        case ast.Constant(value=True), _:
            return ast.BoolOp(ast.Or(), [test, no])
        case ast.Constant(value=False), _:
            return ast.BoolOp(ast.And(), [ast.UnaryOp(ast.Not(), test), no])
        case _, ast.Constant(value=True):
            return ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), test), yes])
        case _, ast.Constant(value=False):
            return ast.BoolOp(ast.And(), [test, yes])
    return ast.IfExp(test, yes, no)


def _says(value: ast.expr | None) -> bool | None:
    """Whether what a step returns says why; None where that is open."""
    match value:
        case None | ast.Constant(value=None):
            return False
        case ast.Constant(value=str() as text):
            return True if text else None  # no reason, and yet not nothing
        case ast.JoinedStr(values=parts):
            return True if any(isinstance(each, ast.Constant) for each in parts) else None
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod() | ast.Add()):
            return True if text else None
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.Call(func=ast.Name(id=name)) if name.endswith(("Error", "Exception")):
            return True
    return None


def _open_block(method: Function, block: list[ast.stmt], known: Mapping[str, ast.expr]) -> None:
    held: dict[str, str] = {}  # the step whose answer a variable holds
    for each in block:
        if isinstance(each, ast.If):
            opened = _open_test(each.test, held, known)
            if opened is not None:
                forget_text(method)
                each.test = ast.fix_missing_locations(ast.copy_location(opened, each.test))
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _find(value, known):
                held = {name: _find(value, known)}
            case _ if not is_quiet(each):
                held = {}


def _find(value: ast.expr, known: Mapping[str, ast.expr]) -> str:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name), args=[], keywords=[]):
            return name if name in known else ""
        case ast.NamedExpr(value=inner):
            return _find(inner, known)
    return ""


def _open_test(
    test: ast.expr, held: Mapping[str, str], known: Mapping[str, ast.expr]
) -> ast.expr | None:
    """A condition with what a step asks in place of its answer; None where it has none."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = _open_test(operand, held, known)
            return ast.UnaryOp(ast.Not(), found) if found is not None else None
        case ast.BoolOp(op=op, values=values):
            parts = [_open_test(each, held, known) for each in values]
            if not any(parts):
                return None
            return ast.BoolOp(op, [new or old for new, old in zip(parts, values, strict=True)])
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=None)]):
            found = _open_test(left, held, known)
            if found is None or not isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
                return None
            return found if isinstance(op, ast.IsNot | ast.NotEq) else ast.UnaryOp(ast.Not(), found)
    name = held.get(test.id, "") if isinstance(test, ast.Name) else _find(test, known)
    return copy_tree(known[name]) if name else None
