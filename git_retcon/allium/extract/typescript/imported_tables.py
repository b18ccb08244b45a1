"""Sources that ask tables of other files as functions, which those files have for them.

``NEXT[this.status].includes(next)``, where ``NEXT`` is imported, asks ``NEXT.allows(this.status,
next)``: what a table lists is known where it is.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    parse_source,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.changed_tables import list_changed
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits

ALLOWS = "allows"
_IMPORTED = re.compile(rb"^import\s+(?:type\s+)?\{([^{}]*)\}", re.MULTILINE)
_NAME = re.compile(rb"([A-Za-z_$][\w$]*)\s*(?:,|$)")
_WRAPPERS = ("parenthesized_expression", "non_null_expression")


def ask_imported(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where it asks no such table."""
    if b"class" not in content or b".includes(" not in content:
        return content
    listed = [name for each in _IMPORTED.findall(content) for name in _NAME.findall(each)]
    names = {each.decode() for each in listed if re.search(rb"\b%s(?:\[|\.get\()" % each, content)}
    names -= list_changed(content.decode("utf-8", "replace")) if names else set()
    root = parse_source(grammar, content, language) if names else None
    edits = Edits()
    try:
        for each in _list_methods(root) if root is not None else ():
            body = each.child_by_field_name("body")
            _ask(body, names, dict(_list_held(body, names)), edits)
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


def _list_methods(root: Node) -> Iterator[Node]:
    for node in root.named_children:
        declared = node.child_by_field_name("declaration") or node
        if "class" in declared.type:
            yield from list_children(declared.child_by_field_name("body"), "method_definition")


def _list_held(body: Node | None, names: Collection[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The variables that hold what a table has for something: the table, and what it is asked."""
    for statement in list_children(body, "lexical_declaration"):
        for each in list_children(statement, "variable_declarator"):
            entry = _read_entry(each.child_by_field_name("value"), names, {})
            if entry is not None and read_text(statement).startswith("const"):
                yield read_name(each), entry


def _ask(
    node: Node | None, names: Collection[str], held: Mapping[str, tuple[str, str]], edits: Edits
) -> None:
    if node is None or b".includes(" not in (node.text or b""):
        return
    called = node.child_by_field_name("function")
    if node.type == "call_expression" and called is not None:
        given = list_inner(node, "arguments")
        if read_text(called.child_by_field_name("property")) == "includes" and len(given) == 1:
            entry = _read_entry(called.child_by_field_name("object"), names, held)
            if entry is not None:
                text = f"{entry[0]}.{ALLOWS}({entry[1]}, {read_text(given[0])})"
                edits[node.start_byte, find_end(node)] = text.encode()
                return
    for each in node.named_children:
        _ask(each, names, held, edits)


def _read_entry(
    node: Node | None, names: Collection[str], held: Mapping[str, tuple[str, str]]
) -> tuple[str, str] | None:
    """The table and what it is asked: ``NEXT[state]``, ``NEXT.get(state) ?? []``."""
    if node is None:
        return None
    match node.type:
        case kind if kind in _WRAPPERS:
            return _read_entry(node.named_children[0], names, held)
        case "identifier":
            return held.get(read_text(node))
        case "binary_expression" if read_text(node.child_by_field_name("right")) == "[]":
            return _read_entry(node.child_by_field_name("left"), names, held)
        case "subscript_expression":
            table, asked = (node.child_by_field_name(each) for each in ("object", "index"))
        case "call_expression":
            called, given = node.child_by_field_name("function"), list_inner(node, "arguments")
            if read_text(called.child_by_field_name("property") if called else None) != "get":
                return None
            table = called.child_by_field_name("object") if called is not None else None
            asked = given[0] if len(given) == 1 else None
        case _:
            return None
    is_known = table is not None and asked is not None and read_text(table) in names
    return (read_text(table), read_text(asked)) if is_known else None
