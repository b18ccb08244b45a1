"""What bodies have in C# alone: patterns, and switches that are values."""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.grammar.implied_members import translate_sections
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import (
    Case,
    Statements,
    chain_cases,
    make_unknown,
    negate,
)
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_text,
)

_CLOCKS = frozenset({"DateTime.Now", "DateTime.UtcNow", "DateTimeOffset.UtcNow",
                     "DateTimeOffset.Now"})  # fmt: skip


class CSharpDialect:
    """C#'s own statements and expressions."""

    def translate_statement(self, node: Node, bodies: Bodies) -> Statements | None:
        match node.type:
            case "switch_statement":
                return _translate_switch(node, bodies)
            case "assignment_expression":
                right = node.child_by_field_name("right")
                if right is not None and right.type == "switch_expression":
                    target = bodies.translate(node.child_by_field_name("left"))
                    return _translate_arms(right, target, bodies)
            case "local_declaration_statement":
                return _bind_names(node, bodies)
            case "arrow_expression_clause":
                return bodies.translate_block(node.named_children)
        return None

    def translate_expression(self, node: Node, bodies: Bodies) -> ast.expr | None:
        match node.type:
            case "is_pattern_expression":
                value = bodies.translate(node.child_by_field_name("expression"))
                return _make_comparison(value, node.child_by_field_name("pattern"), bodies)
            case "is_expression":
                return make_unknown()
            case "argument":
                return bodies.translate(node.named_children[-1] if node.named_children else None)
            case "member_access_expression" if read_text(node) in _CLOCKS:
                return ast.Call(func=ast.Name("now"), args=[], keywords=[])
            case "implicit_object_creation_expression" | "switch_expression":
                return make_unknown()
        return None


def _make_comparison(value: ast.expr, pattern: Node | None, bodies: Bodies) -> ast.expr:
    """``status is not (Status.New or Status.Open)``."""
    if pattern is not None and pattern.type == "parenthesized_pattern":
        return _make_comparison(value, next(list_children(pattern), None), bodies)
    if pattern is not None and pattern.type == "negated_pattern":
        return negate(_make_comparison(value, next(list_children(pattern), None), bodies))
    labels = _read_pattern(pattern, bodies)
    if not labels:
        return make_unknown()
    if len(labels) == 1 and isinstance(labels[0], ast.Constant) and labels[0].value is None:
        return ast.Compare(left=value, ops=[ast.Is()], comparators=[labels[0]])
    return ast.Compare(left=value, ops=[ast.In()], comparators=[ast.List(elts=[*labels])])


def _read_pattern(node: Node | None, bodies: Bodies) -> Sequence[ast.expr]:
    """The values that a pattern is, none for a pattern of another kind."""
    if node is None:
        return ()
    if node.type == "or_pattern":
        parts = [_read_pattern(each, bodies) for each in list_children(node)]
        return [each for part in parts for each in part] if all(parts) else ()
    if node.type == "constant_pattern":
        return [bodies.translate(next(list_children(node), None))]
    return ()


def _translate_switch(node: Node, bodies: Bodies) -> Statements:
    cases: list[Case] = []
    for section in list_inner(node, "body"):
        labels: list[ast.expr] = []
        inner: list[Node] = []
        for each in section.named_children:
            if each.type.endswith("_pattern"):
                labels += _read_pattern(each, bodies) or [make_unknown()]
            elif each.type != "comment":
                inner.append(each)
        is_default = any(each.type == "default" for each in section.children)
        cases.append((None if is_default else labels, bodies.translate_block(inner)))
    return translate_sections(node.child_by_field_name("value"), cases, bodies)


def _translate_arms(node: Node, target: ast.expr, bodies: Bodies) -> Statements:
    """``Status = Status switch { Status.New => Status.Open, _ => throw ... }``."""
    value, *arms = node.named_children
    cases: list[Case] = []
    for arm in arms:
        pattern, *_, result = arm.named_children
        if len(arm.named_children) > 2:  # a condition of its own
            return [ast.Assign(targets=[target], value=make_unknown())]
        statements: Statements = [ast.Assign(targets=[target], value=bodies.translate(result))]
        if result.type == "throw_expression":
            statements = bodies.translate_block([result])
        is_rest = pattern.type == "discard"
        labels = None if is_rest else [*_read_pattern(pattern, bodies)] or [make_unknown()]
        cases.append((labels, statements))
    return chain_cases(bodies.translate(value), cases)


def _bind_names(node: Node, bodies: Bodies) -> Statements:
    found: Statements = []
    for declaration in list_children(node, "variable_declaration"):
        for each in list_children(declaration, "variable_declarator"):
            name = read_text(each.child_by_field_name("name"))
            value = bodies.translate(each.named_children[-1])
            found.append(ast.Assign(targets=[ast.Name(name)], value=value))
    return found
