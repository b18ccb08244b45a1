"""What bodies have in Go alone: errors that are returned, and switches that do not fall through."""

import ast
import functools
import re
from collections.abc import Iterator

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import (
    Case,
    Statements,
    chain_cases,
    forget_assigned,
    make_unknown,
)
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_text,
)

_CASES = ("expression_case", "default_case")


class GoDialect:
    """Go's own statements and expressions."""

    def translate_statement(self, node: Node, bodies: Bodies) -> Statements | None:
        match node.type:
            case "return_statement":
                return _translate_return(node, bodies)
            case "expression_switch_statement":
                return _translate_switch(node, bodies)
            case "short_var_declaration":
                return _assign_each(node, bodies)
            case "assignment_statement" if len(list_inner(node, "left")) > 1:
                return _assign_each(node, bodies)
            case "expression_statement" if read_text(node).startswith("panic("):
                # The programmer's error: no demand on the caller.
                return [ast.Raise(exc=ast.Name("AssertionError"))]
            case "defer_statement" | "go_statement":
                return []
        return None

    def translate_expression(self, node: Node, bodies: Bodies) -> ast.expr | None:
        if node.type == "call_expression" and read_text(node) == "time.Now()":
            return ast.Call(func=ast.Name("now"), args=[], keywords=[])
        if node.type == "expression_list" and len(node.named_children) != 1:
            return make_unknown()
        return None


def _translate_return(node: Node, bodies: Bodies) -> Statements:
    """An error that is returned ends a method as an exception does elsewhere."""
    values = [each for part in node.named_children for each in list_children(part)]
    if values and _is_error(values[-1]):
        return [ast.Raise(exc=ast.Name("error"))]
    return [ast.Return(value=bodies.translate(values[0]) if len(values) == 1 else None)]


def _is_error(node: Node) -> bool:
    text = read_text(node).lstrip("&")
    if node.type == "identifier" and not _error_pattern().match(text):
        return _is_tested(node, text)
    return _error_pattern().match(text) is not None


def _is_tested(node: Node, name: str) -> bool:
    """Whether ``return err`` is what ``if err != nil`` does."""
    above = node.parent
    while above is not None and above.type not in ("if_statement", "func_literal"):
        above = above.parent
    condition = above.child_by_field_name("condition") if above is not None else None
    return read_text(condition) == f"{name} != nil"


def _translate_switch(node: Node, bodies: Bodies) -> Statements:
    cases: list[Case] = []
    value = node.child_by_field_name("value")
    for case in list_children(node, *_CASES):
        label = case.child_by_field_name("value")
        inner = [each for each in case.named_children if each != label]
        labels = bodies.translate_values(label) if label is not None else None
        statements = bodies.translate_block(inner)
        while statements and isinstance(statements[-1], ast.Break):
            statements.pop()
        cases.append((labels, statements))
    if "fallthrough" in read_text(node):
        return forget_assigned(each for _, inner in cases for each in inner)
    cases.sort(key=lambda case: case[0] is None)  # the default may stand anywhere
    return chain_cases(bodies.translate(value), cases) if value is not None else _chain_tests(cases)


def _chain_tests(cases: list[Case]) -> Statements:
    """``switch { case a > 1: ... }`` is a chain of conditions."""
    found: Statements = []
    for labels, statements in reversed(cases):
        if labels is None:
            found = statements
            continue
        test = labels[0] if len(labels) == 1 else ast.BoolOp(op=ast.Or(), values=[*labels])
        found = [ast.If(test=test, body=statements or [ast.Pass()], orelse=found)]
    return found


def _assign_each(node: Node, bodies: Bodies) -> Statements:
    """``a, b = b, a``: what a call returns several of is not known."""
    targets, values = ([*list_inner(node, part)] for part in ("left", "right"))
    is_paired = len(targets) == len(values)
    return [
        ast.Assign(
            targets=[bodies.translate_target(target)],
            value=bodies.translate(values[at]) if is_paired else make_unknown(),
        )
        for at, target in enumerate(targets)
    ]


def list_late_nodes(node: Node | None) -> Iterator[Node]:
    """The bodies of functions in ``defer`` and ``go`` statements."""
    for each in list_children(node):
        if each.type in ("defer_statement", "go_statement"):
            for call in list_children(each, "call_expression"):
                called = call.child_by_field_name("function")
                body = called.child_by_field_name("body") if called is not None else None
                if body is not None:
                    yield body
        else:
            yield from list_late_nodes(each)


@functools.cache
def _error_pattern() -> "re.Pattern[str]":
    # ErrLate, pkg.ErrLate, errors.New(...), fmt.Errorf(...), NewLateError(...), LateError{...}
    return re.compile(
        r"(?:\w+\.)?(?:[Ee]rr[A-Z]\w*|Errorf?\(|Wrapf?\(|New\w*Err(?:or)?\w*\(|[A-Z]\w*Err(?:or)?\{"
        r"|[A-Z]\w*Err(?:or)?\()|errors\.\w+\("
    )
