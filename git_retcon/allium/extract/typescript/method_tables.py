"""Sources in which a table that a method writes out is one of the file.

``const allowed = { [State.Open]: [State.Shut] }; if (!allowed[this.state].includes(next)) …`` asks
what ``const ALLOWED = …`` at the top of the file says.
"""

import re
from collections.abc import Iterator

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

_MAY_LIST = re.compile(rb"^[ \t]+const\s+\w+[^=\n]*=\s*(?:\{|new Map\b|\[)", re.MULTILINE)
_CONSTANTS = frozenset({"string", "number", "null", "undefined"})
_CASTS = ("as_expression", "satisfies_expression", "parenthesized_expression")


def lift_tables(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no method of it has such a table."""
    if b"class" not in content or _MAY_LIST.search(content) is None:
        return content
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        for top in root.named_children if root is not None else ():
            declared = top.child_by_field_name("declaration") or top
            if declared.type in ("class_declaration", "abstract_class_declaration"):
                lifted = [*_lift(declared, edits)]
                if lifted:
                    edits[top.start_byte, top.start_byte] = "".join(lifted).encode()
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


def _lift(node: Node, edits: Edits) -> Iterator[str]:
    """The tables of the methods of a class, as constants; ``edits`` gets what is left."""
    for method in list_children(node.child_by_field_name("body"), "method_definition"):
        body = method.child_by_field_name("body")
        for statement in [*list_children(body, "lexical_declaration")]:
            declared = [*list_children(statement, "variable_declarator")]
            value = declared[0].child_by_field_name("value") if len(declared) == 1 else None
            if value is None or body is None or not read_text(statement).startswith("const"):
                continue
            name, table = read_name(declared[0]), _open(value)
            is_changed = name in list_changed(read_text(body))
            uses = [] if is_changed else [*_list_uses(body, name)]
            if name.isidentifier() and _is_table(table) and uses:
                lifted = f"{read_name(node)}_{read_name(method)}_{name}".lstrip("#").upper()
                yield f"const {lifted} = {read_text(value)};\n"
                edits[statement.start_byte, find_end(statement)] = b""
                for each in uses:
                    edits[each.start_byte, find_end(each)] = lifted.encode()


def _open(value: Node) -> Node:
    """What is in ``{ … } as const`` and ``new Map([…])``."""
    if value.type in _CASTS:
        return _open(value.named_children[0])
    given = list_inner(value, "arguments")
    made = read_text(value.child_by_field_name("constructor"))
    is_map = value.type == "new_expression" and made == "Map" and len(given) == 1
    return _open(given[0]) if is_map else value


def _is_table(value: Node) -> bool:
    """Whether an object has a list of constants for each key, or pairs of these are listed."""
    inner = [each for each in value.named_children if each.type != "comment"]
    if value.type == "object":
        held = [each.child_by_field_name("value") for each in inner if each.type == "pair"]
        return len(held) == len(inner) > 1 and all(e is not None and _is_list(e) for e in held)
    if value.type == "array":
        pairs = [[*list_children(each)] for each in inner if each.type == "array"]
        is_whole = len(pairs) == len(inner) > 1
        return is_whole and all(len(e) == 2 and _is_list(e[1]) for e in pairs)
    return False


def _is_list(node: Node) -> bool:
    node = _open(node)
    inner = [each for each in list_children(node) if each.type != "comment"]
    return node.type == "array" and all(map(_is_constant, inner))


def _is_constant(node: Node) -> bool:
    is_member = node.type == "member_expression"
    return read_text(node)[:1].isupper() if is_member else node.type in _CONSTANTS


def _list_uses(node: Node, name: str) -> Iterator[Node]:
    """Where a function names a variable to ask it; nothing where it does something else with it."""
    named = [*_list_names(node, name)]
    found = [each for each in named if not _is_declared(each)]
    if len(named) - len(found) == 1 and all(_is_asked(each) for each in found):
        yield from found


def _list_names(node: Node, name: str) -> Iterator[Node]:
    if name.encode() in (node.text or b""):
        if node.type == "identifier" and read_text(node) == name:
            yield node
        for each in node.named_children:
            yield from _list_names(each, name)


def _is_declared(node: Node) -> bool:
    outer = node.parent
    return (
        outer is not None
        and outer.type == "variable_declarator"
        and (outer.child_by_field_name("name") == node)
    )


def _is_asked(node: Node) -> bool:
    """``allowed[state]`` and ``allowed.get(state)``, where nothing is put in."""
    outer = node.parent
    if outer is None or outer.child_by_field_name("object") != node:
        return False
    above = outer.parent
    is_set = (
        above is not None
        and above.type == "assignment_expression"
        and (above.child_by_field_name("left") == outer)
    )
    name = read_text(outer.child_by_field_name("property"))
    return not is_set and (outer.type == "subscript_expression" or name in ("get", "has"))
