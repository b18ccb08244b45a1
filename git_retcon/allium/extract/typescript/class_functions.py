"""The functions of a TypeScript file, and the methods of its classes."""

from collections.abc import Iterator

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.services import Function
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.types import read_type

_FUNCTIONS = ("arrow_function", "function_expression", "function")


def list_functions(root: Node) -> Iterator[Function]:
    """Those at the top of a file and in its classes, exported or not."""
    for node in root.named_children:
        declared = node.child_by_field_name("declaration") or node
        match declared.type:
            case "function_declaration":
                yield Function(read_name(declared), declared, _translate_body)
            case "lexical_declaration":
                for each in list_children(declared, "variable_declarator"):
                    value = each.child_by_field_name("value")
                    if value is not None and value.type in _FUNCTIONS:
                        yield Function(read_name(each), value, _translate_body)
            case "class_declaration" | "abstract_class_declaration":
                body = declared.child_by_field_name("body")
                for each in list_children(body):
                    function, name = find_function(each), read_name(each).lstrip("#")
                    if function is not None:
                        yield Function(f"{read_name(declared)}.{name}", function, _translate_body)


def find_function(item: Node) -> Node | None:
    """What a member of a class runs when it is called: a method, or a function that a field
    holds; None for any other.
    """
    if item.type == "method_definition":
        return item
    value = item.child_by_field_name("value") if item.type == "public_field_definition" else None
    return value if value is not None and value.type in _FUNCTIONS else None


def name_type(node: Node) -> str:
    """The dotted name of a written type, "" for one that is no name."""
    kind = read_type(node)
    return "" if kind.arguments or kind.name else kind.source


def _translate_body(node: Node) -> Statements:
    bodies = Bodies(TypeScriptDialect(), Scope())
    return bodies.translate_block([node.child_by_field_name("body")])
