"""The words of a TypeScript file that may give something a state.

What declares types and constants names all states that there are, and what compares or switches
only asks for them.
"""

from collections.abc import Collection, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.spelling import name_value, spell_member

_LONGEST = 40  # of a text that may be a state
_TYPES = frozenset(
    {"enum_declaration", "type_alias_declaration", "interface_declaration", "type_annotation",
     "type_arguments", "import_statement", "comment"}
)  # fmt: skip
_NAMES = frozenset(
    {"identifier", "property_identifier", "private_property_identifier",
     "shorthand_property_identifier"}
)  # fmt: skip
# What a switch asks for, and how an operation is called.
_UNASKED = {"switch_case": "value", "method_definition": "name", "function_declaration": "name"}
_ASKING = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">="})
_DECLARATIONS = ("lexical_declaration", "variable_declaration")


def list_given_words(root: Node, constants: Collection[str]) -> frozenset[str]:
    """They, spelled as states are; ``constants`` are objects that hold one for each state."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in _TYPES or _holds_constants(node, constants):
            continue
        found.update(_list_words(node))
        waiting += _list_parts(node)
    return frozenset(found)


def _holds_constants(node: Node, constants: Collection[str]) -> bool:
    declared = (*list_children(node, "variable_declarator"),) if node.type in _DECLARATIONS else ()
    return bool(declared) and all(read_name(each) in constants for each in declared)


def _list_parts(node: Node) -> Iterator[Node]:
    """What is in a node besides what it only asks for."""
    part = _UNASKED.get(node.type)
    asked = node.child_by_field_name(part) if part is not None else None
    is_asking = node.type == "binary_expression" and _read_sign(node) in _ASKING
    for each in node.named_children:
        if each != asked and (
            not is_asking or each.type in ("call_expression", "await_expression")
        ):
            yield each


def _read_sign(node: Node) -> str:
    return read_text(node.child_by_field_name("operator"))


def _list_words(node: Node) -> Iterator[str]:
    text = read_text(node) if node.type in (*_NAMES, "string") else ""
    if node.type in _NAMES:
        yield spell_member(text.lstrip("#"))
    elif text and len(text) < _LONGEST:
        yield from filter(None, [name_value(text[1:-1])])
