"""What bodies have in Java alone: two kinds of switches, and ``equals``."""

import ast

from git_retcon.allium.extract.grammar.implied_members import translate_sections
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Case, Statements, chain_cases
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_text,
)

_CLOCKS = frozenset({"LocalDateTime.now()", "Instant.now()", "OffsetDateTime.now()", "new Date()",
                     "ZonedDateTime.now()", "LocalDate.now()"})  # fmt: skip


class JavaDialect:
    """Java's own statements and expressions."""

    def translate_statement(self, node: Node, bodies: Bodies) -> Statements | None:
        match node.type:
            case "switch_expression" | "switch_statement":
                return _translate_switch(node, bodies)
            case "local_variable_declaration":
                return [
                    ast.Assign(
                        targets=[ast.Name(read_text(each.child_by_field_name("name")))],
                        value=bodies.translate(each.child_by_field_name("value")),
                    )
                    for each in list_children(node, "variable_declarator")
                ]
            case "try_with_resources_statement":
                return bodies.translate_block([node.child_by_field_name("body")])
        return None

    def translate_expression(self, node: Node, bodies: Bodies) -> ast.expr | None:
        if read_text(node) in _CLOCKS:
            return ast.Call(func=ast.Name("now"), args=[], keywords=[])
        name = read_text(node.child_by_field_name("name"))
        if node.type != "method_invocation" or name not in ("equals", "contains"):
            return None
        arguments = list_inner(node, "arguments")
        owner = node.child_by_field_name("object")
        if len(arguments) != 1 or owner is None:
            return None
        one, two = bodies.translate(owner), bodies.translate(arguments[0])
        if name == "equals":
            return ast.Compare(left=one, ops=[ast.Eq()], comparators=[two])
        # List.of(A, B).contains(status), EnumSet.of(A, B).contains(status)
        listed = one.args if isinstance(one, ast.Call) else []
        among = ast.List(elts=listed) if listed else one
        return ast.Compare(left=two, ops=[ast.In()], comparators=[among])


def _translate_switch(node: Node, bodies: Bodies) -> Statements:
    value = node.child_by_field_name("condition")
    cases: list[Case] = []
    is_ended = False
    for part in list_inner(node, "body"):
        is_ended |= part.type == "switch_rule"
        labels = [
            each
            for label in list_children(part, "switch_label")
            for each in bodies.translate_values(label)
        ]
        is_default = any(
            read_text(each) == "default" for each in list_children(part, "switch_label")
        )
        inner = [each for each in part.named_children if each.type != "switch_label"]
        cases.append((None if is_default else labels, bodies.translate_block(inner)))
    if is_ended:
        return chain_cases(bodies.translate(value), cases)
    return translate_sections(value, cases, bodies)
