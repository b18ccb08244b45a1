"""What code does with the object in which a class keeps its fields, beside naming one of these.

``const props = this.props`` gives it another name; ``merge(this.props, changes)`` may change all
that it has, and so may whoever keeps it.
"""

import re
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_name, read_text

WRAPS = frozenset(
    {"non_null_expression", "parenthesized_expression", "as_expression", "satisfies_expression"}
)
# What only asks it, or copies what it has.
_ASKING = frozenset(
    {"spread_element", "return_statement", "arrow_function", "binary_expression",
     "unary_expression", "if_statement", "ternary_expression", "template_substitution",
     "member_expression"}
)  # fmt: skip
_QUIET = re.compile(
    r"JSON\.stringify|Object\.(?:freeze|isFrozen|keys|values|entries)|structuredClone"
    r"|console\.\w+|(?:\w+\.)?(?:cloneDeep|isEqual)"
)
_FUNCTIONS = ("function_expression", "function_declaration", "generator_function")
_WRITES = ("assignment_expression", "augmented_assignment_expression")


def may_change(place: Node) -> bool:
    """Whether what is done with the object where code names it, may change it."""
    while place.parent is not None and place.parent.type in WRAPS:
        place = place.parent
    outer = place.parent
    if outer is None or outer.type in _ASKING:
        return False
    if outer.type == "subscript_expression":
        return is_written(outer)
    call = outer.parent
    if outer.type != "arguments" or call is None:
        return True
    is_quiet = _QUIET.fullmatch(read_text(call.child_by_field_name("function"))) is not None
    return not (is_quiet or call.type == "new_expression")


def is_written(node: Node) -> bool:
    """Whether a place is given something, or is deleted."""
    outer = node.parent
    if outer is None or outer.type in WRAPS:
        return outer is not None and is_written(outer)
    if outer.type in _WRITES:
        return outer.child_by_field_name("left") == node
    return outer.type == "update_expression" or read_text(outer).startswith("delete ")


def find_block(place: Node) -> Node | None:
    """The block in which a method hands the object on; None for what is no block of a method."""
    outer = place.parent
    while outer is not None and outer.type not in ("statement_block", "class_body", *_FUNCTIONS):
        outer = outer.parent
    return outer if outer is not None and outer.type == "statement_block" else None


def list_named(declared: Node, name: str) -> Sequence[Node] | None:
    """Where the function of a declaration names a variable to name a part of it; None where it does
    anything else with it.
    """
    block = find_block(declared)
    if block is None:
        return None
    found: list[Node] = []
    for each in _list_uses(block, name):
        outer = each.parent
        if outer is None or (outer.type == "variable_declarator" and outer == declared):
            continue
        is_part = outer.type == "member_expression" and outer.child_by_field_name("object") == each
        if not is_part:
            return None
        found.append(outer)
    return found


def _list_uses(node: Node, name: str) -> Iterator[Node]:
    if name.encode() not in (node.text or b""):
        return
    if node.type in ("identifier", "shorthand_property_identifier"):
        if read_text(node) == name:
            yield node
        return
    if node.type == "shorthand_property_identifier_pattern" and read_text(node) == name:
        yield node  # something else has the name
    for each in node.named_children:
        yield from _list_uses(each, name)


def is_told_otherwise(name: str, text: str) -> bool:
    """Whether a class reaches the object by other ways, which are not followed."""
    place = re.escape(name)
    owners = re.findall(r"(?<![\w$.#])([A-Za-z_$][\w$]*)\s*=\s*this\s*(?=[;,\n}])", text)
    ways = [
        rf"\bthis\s*\[\s*['\"`]{place}['\"`]",
        rf"\{{[^{{}}]*(?<![\w$.]){place}(?![\w$])[^{{}}]*\}}\s*=\s*this\b",
        rf"\bReflect\.set\(|\bObject\.assign\(\s*this\s*,[^)]*\b{place}\b",
        # Another object of the class, or this one under another name.
        rf"(?<!\bthis)[.!?]\.?{place}[.!?]+[\w$]+\s*[^\s\w=!<>]?=(?![=>])",
        *(rf"\b{re.escape(each)}\.{place}\b" for each in owners),
    ]
    return any(re.search(each, text) for each in ways)


def is_made(block: Node) -> bool:
    """Whether a block is the body of a constructor, in which an object has no state before."""
    outer = block.parent
    is_method = outer is not None and outer.type == "method_definition"
    return outer is not None and is_method and read_name(outer) == "constructor"
