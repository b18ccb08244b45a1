"""Sources in which no variable of a method has the name of something of the file, and none of a
loop that of what the method is given.

``pay(requireOpen) { requireOpen(this.status); }`` runs what it is given, not the function
``requireOpen`` of the file: here it is called something else. So is the ``line`` of ``close(line) {
for (const line of this.lines) { … } }`` that the loop has.
"""

from collections.abc import Iterator, Sequence, Set

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.typescript.outer_statements import list_statements
from git_retcon.allium.extract.typescript.rewritten_sources import (
    Edits,
    find_end,
    rewrite_classes,
)

_MEMBERS = ("method_definition", "public_field_definition")
_TYPES = frozenset(
    {"type_annotation", "type_arguments", "type_parameters", "as_expression", "enum_declaration"}
)
_SHORT = ("shorthand_property_identifier", "shorthand_property_identifier_pattern")
_GIVING = frozenset(
    {"required_parameter", "optional_parameter", "rest_pattern", "array_pattern", "catch_clause",
     "assignment_pattern", "object_assignment_pattern"}
)  # fmt: skip
_FUNCTIONS = ("arrow_function", "function_expression")
_NAMING = frozenset({"variable_declarator", "function_declaration", "class_declaration"})


def name_hidden(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no variable hides anything."""
    if b"class" not in content:
        return content
    return rewrite_classes(content, grammar, language, _open_class)


def _open_class(node: Node) -> Edits:
    edits = Edits()
    outer = frozenset(_list_outer(node))
    for item in list_children(node.child_by_field_name("body"), *_MEMBERS):
        hidden = {name for name in _list_own(item) if name in outer}
        uses = [*_list_uses(item, hidden)] if hidden else []
        given = {name for part in _list_given(item) for name in _list_own(part)} - hidden
        uses += _list_hiding(item, given) if given else ()
        for each in uses:
            name = read_text(each)
            new = f"{name}: own_{name}" if each.type in _SHORT else f"own_{name}"
            edits[each.start_byte, find_end(each)] = new.encode()
    return edits


def _list_given(item: Node) -> Sequence[Node]:
    """The parameters of a method, or of the function that a field holds."""
    function = item.child_by_field_name("value") or item
    return [*filter(None, [function.child_by_field_name("parameters")])]


def _list_hiding(node: Node, given: Set[str]) -> Iterator[Node]:
    """Where loops and functions in a method name variables of their own as what it is given."""
    for each in node.named_children:
        if each.type == "for_in_statement":
            left, body = (each.child_by_field_name(part) for part in ("left", "body"))
            scope = [part for part in (left, body) if part is not None]
            is_own = each.child_by_field_name("kind") is not None
            names = {read_text(left)} & given if is_own else set[str]()
        elif each.type in _FUNCTIONS and each.parent is not None and node.type not in _MEMBERS:
            scope = [each]
            heads = (each.child_by_field_name(part) for part in ("parameters", "parameter"))
            own = {name for head in heads if head is not None for name in _list_declared(head)}
            names = own & given
        else:
            scope, names = [], set[str]()
        for part in scope if names else ():
            yield from [part] if part.type == "identifier" else _list_uses(part, names)
        yield from _list_hiding(each, given - names)


def _list_declared(head: Node) -> Iterator[str]:
    yield from [read_text(head)] if head.type == "identifier" else _list_own(head)


def _list_outer(node: Node) -> Iterator[str]:
    """The functions, constants and imports of the file that a class is in."""
    while node.parent is not None:
        node = node.parent
    for each in list_statements(node.named_children):
        declared = each.child_by_field_name("declaration") or each
        if declared.type == "import_statement":
            yield from _list_imported(declared)
        elif declared.type in ("lexical_declaration", "variable_declaration"):
            yield from map(read_name, list_children(declared, "variable_declarator"))
        elif declared.child_by_field_name("name") is not None:
            yield read_name(declared)


def _list_imported(node: Node) -> Iterator[str]:
    for each in node.named_children:
        if each.type == "import_specifier":
            yield read_text(each.child_by_field_name("alias")) or read_name(each)
        elif each.type == "identifier":
            yield read_text(each)
        else:
            yield from _list_imported(each)


def _list_own(node: Node) -> Iterator[str]:
    """The variables of a method, and of functions in it."""
    for each in node.named_children:
        outer = each.parent
        if each.type == "shorthand_property_identifier_pattern" or (
            each.type == "identifier" and outer is not None and _gives(each, outer)
        ):
            yield read_text(each)
        elif each.type not in _TYPES:
            yield from _list_own(each)


def _gives(node: Node, outer: Node) -> bool:
    """Whether a place gives a variable its name."""
    match outer.type:
        case kind if kind in _NAMING:
            return outer.child_by_field_name("name") == node
        case "for_in_statement":
            return outer.child_by_field_name("left") == node
        case "arrow_function":
            return outer.child_by_field_name("parameter") == node
        case "pair_pattern":
            return outer.child_by_field_name("value") == node
        case "required_parameter" | "optional_parameter":
            return outer.child_by_field_name("value") != node
        case "assignment_pattern" | "object_assignment_pattern":
            return outer.child_by_field_name("left") == node
    return outer.type in _GIVING


def _list_uses(node: Node, names: Set[str]) -> Iterator[Node]:
    for each in node.named_children:
        if each.type in ("identifier", *_SHORT):
            if read_text(each) in names:
                yield each
        else:
            yield from _list_uses(each, names)
