"""Steps of a service that set something of an object that they are given.

``this.updateState(order, State.Paid)`` moves the order where the method of the same class sets
``order.state`` to what it gets.
"""

import ast
from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.grammar.statements import Statements, forget_assigned, make_unknown
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_own

_PLAIN = ast.Name | ast.Attribute | ast.Constant
_LONGEST = 40  # statements; what is longer is no step


def find_steps(methods: Mapping[str, Function]) -> Mapping[str, Function]:
    """The methods of a class that set a field of an object that they are given, by the names that
    calls have for them.
    """
    return {name: node for name, node in methods.items() if _sets_handed(node)}


def _sets_handed(node: Function) -> bool:
    names = {each.arg for each in node.args.args[1:]}
    listed = [*walk_statements(node.body)] if names else []
    return len(listed) <= _LONGEST and any(
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id in names
        for each in listed
        if isinstance(each, ast.Assign)
        for target in each.targets
    )


def run_steps(node: Function, steps: Mapping[str, Function]) -> Function:
    """A function with what such steps of its class do, before each call of one."""
    others = {name: each for name, each in steps.items() if each is not node}
    if not any(_find_call(each, others) for each in walk_statements(node.body)):
        return node
    found: Function = _Run(others).visit(copy_tree(node))
    return found


def _find_call(node: ast.stmt, steps: Mapping[str, Function]) -> ast.Call | None:
    """The call of a step that a statement is, or whose outcome it keeps or gives."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign | ast.Return) else None
    call = value.value if isinstance(value, ast.Await) else value
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name in steps:
            return call
    return None


class _Run(ast.NodeTransformer):
    def __init__(self, steps: Mapping[str, Function]) -> None:
        self._steps = steps

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        return [*self._open(node), node]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [*self._open(node), node]

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return [*self._open(node), node]

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        # What was set before the error may never have been stored.
        return node

    def _open(self, node: ast.stmt) -> Statements:
        call = _find_call(node, self._steps)
        if call is None or not isinstance(call.func, ast.Attribute):
            return []
        step = self._steps[call.func.attr]
        given = {
            name: value if isinstance(value, _PLAIN | ast.List) else make_unknown()
            for name, value in bind_arguments(step, call).items()
        }
        own = {*_list_local(step)} - given.keys()
        if not given.keys().isdisjoint(_list_local(step)):
            return []  # what it makes of a parameter is no longer what it was given
        names = {name: ast.Name(f"{name}_in_{step.name}") for name in sorted(own)}
        inner = [_Given({**names, **given}).visit(copy_tree(each)) for each in step.body]
        return _go_on(inner)


def _list_local(node: Function) -> Iterator[str]:
    for each in walk_statements(node.body):
        targets = each.targets if isinstance(each, ast.Assign) else []
        targets += [each.target] if isinstance(each, ast.For) else []
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _go_on(body: Statements) -> Statements:
    if body and isinstance(body[-1], ast.Return):
        body = body[:-1]
    leaves = any(isinstance(each, ast.Return) for part in body for each in walk_own(part))
    return forget_assigned(body) if leaves else body


class _Given(ast.NodeTransformer):
    """Arguments for parameters, and other names for what is local."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy_tree(self._given[node.id]) if node.id in self._given else node
