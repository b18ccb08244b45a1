"""Statements of a translated body: a switch as conditions, and what nobody knows any more."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Statements: TypeAlias = list[ast.stmt]
# What a switch compares with and what it does then; None for all the rest.
Case: TypeAlias = tuple[Sequence[ast.expr] | None, Statements]

_BLOCKS = ("body", "orelse", "finalbody")


def chain_cases(value: ast.expr, cases: Sequence[Case]) -> Statements:
    """The cases of a switch as a chain of conditions, each tried where those before it fail. Those
    of ``switch (true)`` are conditions themselves.
    """
    is_asked = isinstance(value, ast.Constant) and value.value is True
    found: Statements = []
    for labels, statements in reversed(cases):
        if labels is None:
            found = statements
            continue
        test: ast.expr = ast.List(elts=[*labels])
        if is_asked:
            test = ast.BoolOp(op=ast.Or(), values=[*labels]) if len(labels) > 1 else labels[0]
        else:
            test = ast.Compare(left=value, ops=[ast.In()], comparators=[test])
        found = [ast.If(test=test, body=statements or [ast.Pass()], orelse=found)]
    return found


def forget_assigned(statements: Iterable[ast.stmt]) -> Statements:
    """Each place that these set, with what nobody knows."""
    return [
        ast.Assign(targets=each.targets, value=make_unknown())
        for statement in statements
        for each in ast.walk(statement)
        if isinstance(each, ast.Assign)
    ]


def list_set_fields(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Each field of the object itself that these set, with what it is set to."""
    for statement in statements:
        for each in ast.walk(statement):
            match each:
                case ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=value):
                    yield name, value
                case ast.AugAssign(target=ast.Attribute(ast.Name("self"), name), value=value):
                    yield name, value


def forget_field(statements: Iterable[ast.stmt], name: str) -> None:
    """Let all that sets a field of the object set it to what nobody knows."""
    for statement in statements:
        for each in ast.walk(statement):
            if isinstance(each, ast.Assign | ast.AugAssign) and name in (
                found for found, _ in list_set_fields([each])
            ):
                each.value = make_unknown()


def drop_results(statements: Statements) -> None:
    """Let all that leaves an operation leave it with nothing: ``return fail();`` of one that
    answers nothing runs ``fail`` and is over. What goes on later keeps what it returns.
    """
    for at in reversed(range(len(statements))):
        node = statements[at]
        if isinstance(node, ast.Return) and node.value is not None:
            is_run = isinstance(node.value, ast.Call | ast.Await)
            run = [ast.Expr(value=node.value)] if is_run else []
            statements[at : at + 1] = [*run, ast.Return(value=None)]
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parts = [node, *getattr(node, "handlers", ())]
            blocks = [
                b for e in parts for n in _BLOCKS if isinstance(b := getattr(e, n, None), list)
            ]
            for block in blocks:
                drop_results(block)


def run_once(body: Statements) -> Statements | None:
    """What a function does that is left early and whose call goes on: a loop that runs once; None
    where a loop of its own is left as well.
    """
    loop = ast.While(test=ast.Constant(value=True), body=[*body, ast.Break()], orelse=[])
    once = _Once()
    once.generic_visit(loop)
    return [loop] if not once.is_open else None


class _Once(ast.NodeTransformer):
    """Returns as what leaves the loop around; ``is_open`` where that is another one."""

    def __init__(self) -> None:
        self.is_open = False

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        is_run = isinstance(node.value, ast.Call | ast.Await)
        run = [ast.Expr(value=node.value)] if is_run and node.value is not None else []
        return [*run, make_break(names_loop=True)]

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.is_open |= any(isinstance(each, ast.Return) for each in ast.walk(node))
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.is_open |= any(isinstance(each, ast.Return) for each in ast.walk(node))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node


def make_break(*, names_loop: bool) -> ast.Break:
    """What leaves a loop or a switch: the nearest, or the one that it names."""
    node = ast.Break()
    vars(node)["names_loop"] = names_loop
    return node


def leaves_switch(node: ast.stmt) -> bool:
    """Whether it leaves a switch that it is in, and no loop around."""
    return isinstance(node, ast.Break) and not vars(node).get("names_loop")


def make_unknown() -> ast.expr:
    """What says nothing."""
    return ast.Call(func=ast.Name("_"), args=[ast.Constant(0)], keywords=[])


def negate(test: ast.expr) -> ast.expr:
    """The opposite of a condition."""
    return ast.UnaryOp(op=ast.Not(), operand=test)
