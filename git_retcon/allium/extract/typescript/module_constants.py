"""Constants of a TypeScript file that list states: arrays, sets, and tables by a state.

``const NEXT: Record<State, State[]> = { [State.New]: [State.Paid] }``; a class may keep them as
static fields.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.changed_tables import list_changed
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.nested_enums import list_nested

_CLASSES = ("class_declaration", "abstract_class_declaration")
_FIELDS = "public_field_definition"
_CAST = ("as_expression", "satisfies_expression", "parenthesized_expression")
_MOST = 4_000  # characters: what is longer is data


def read_constants(nodes: Iterable[Node]) -> Mapping[str, ast.expr]:
    """The constants at the top of a file, in its classes and its namespaces, by name, as Python."""
    bodies = Bodies(TypeScriptDialect(), Scope())
    found: dict[str, ast.expr] = {}
    listed = [*nodes]
    above = [*_list_constants(listed)]
    inside = [*_list_constants(node for _, node in list_nested(listed))]
    names = [name for name, _ in (*above, *inside)]
    apart = (each for each in inside if names.count(each[0]) == 1)
    changed = list_changed(_read_file(listed)) if above or inside else ()
    for name, node in (*above, *apart):
        value = _unwrap(node)
        is_table = value.type in ("array", "object") and len(read_text(value)) <= _MOST
        if is_table and name not in changed:
            is_table = value.type == "array" and read_text(node).startswith("new Map")
            found[name] = _read_table(bodies.translate(value), is_table=is_table)
    return found


def _read_file(nodes: Sequence[Node]) -> str:
    """The source of the file that statements are in."""
    node = nodes[0] if nodes else None
    while node is not None and node.parent is not None:
        node = node.parent
    return read_text(node)


def _read_table(value: ast.expr, *, is_table: bool) -> ast.expr:
    """A constant; of a table, its pairs: ``new Map([[State.New, [State.Paid]]])``."""
    pairs = value.elts if is_table and isinstance(value, ast.List) else []
    entries = [each.elts for each in pairs if isinstance(each, ast.List) and len(each.elts) == 2]
    if not entries or len(entries) < len(pairs):
        return value
    return ast.Dict(keys=[key for key, _ in entries], values=[each for _, each in entries])


def _list_constants(nodes: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        listed: Iterable[Node] = ()
        if declared.type == "lexical_declaration" and read_text(declared).startswith("const"):
            listed = list_children(declared, "variable_declarator")
        elif declared.type in _CLASSES:
            fields = list_children(declared.child_by_field_name("body"), _FIELDS)
            listed = (each for each in fields if _is_fixed(each))
        for each in listed:
            value = each.child_by_field_name("value")
            if value is not None:
                yield read_name(each).lstrip("#"), value


def _is_fixed(field: Node) -> bool:
    words = {each.type for each in field.children}
    return "static" in words or "readonly" in words


def _unwrap(node: Node) -> Node:
    """``[A, B]`` of ``[A, B] as const``, ``new Set([A, B])`` and ``Object.freeze([A, B])``."""
    inner = node.named_children[0] if node.named_children else None
    if node.type in _CAST and inner is not None:
        return _unwrap(inner)
    if node.type not in ("new_expression", "call_expression"):
        return node
    made = node.child_by_field_name("constructor") or node.child_by_field_name("function")
    given = list_inner(node, "arguments")
    is_kept = read_text(made) in ("Set", "Map", "Object.freeze") and len(given) == 1
    return _unwrap(given[0]) if is_kept else node
