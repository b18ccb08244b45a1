"""Other names that a method has for its object: ``const self = this``."""

import re
from collections.abc import Collection, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text

_NAMED = re.compile(r"(?<![\w$.#])([A-Za-z_$][\w$]*)\s*=\s*this\s*(?=[;,\n}])")
# What may give a name another meaning.
_GIVING = frozenset(
    {"assignment_expression", "augmented_assignment_expression", "update_expression",
     "formal_parameters", "required_parameter", "optional_parameter", "rest_pattern",
     "assignment_pattern", "array_pattern", "pair_pattern", "for_in_statement",
     "function_declaration", "catch_clause"}
)  # fmt: skip


def list_own_names(function: Node) -> Collection[str]:
    """The names that mean the object itself wherever a method has them."""
    named = {*_NAMED.findall(read_text(function))}
    return {name for name in named if _is_own(name, function)}


def match_owner(text: str) -> str:
    """The pattern of an object in the code of its class, also under other names."""
    names = sorted({*_NAMED.findall(text)})
    return rf"(?<![\w$.])(?:{'|'.join(map(re.escape, ('this', *names)))})"


def _is_own(name: str, function: Node) -> bool:
    given = [use for use in _list_uses(name, function) if _gives(use)]
    return len(given) == 1 and _names_object(given[0], function)


def _list_uses(name: str, function: Node) -> Iterator[Node]:
    code, waiting = name.encode(), [function]
    while waiting:
        node = waiting.pop()
        kinds = ("identifier", "shorthand_property_identifier_pattern")
        if node.type in kinds and node.text == code:
            yield node
        elif code in (node.text or b""):
            waiting += node.named_children


def _gives(use: Node) -> bool:
    outer = use.parent
    if outer is None or use.type != "identifier":
        return True
    if outer.type == "variable_declarator" or outer.type == "arrow_function":
        part = "name" if outer.type == "variable_declarator" else "parameter"
        return outer.child_by_field_name(part) == use
    if outer.type.endswith("assignment_expression") or outer.type == "for_in_statement":
        return outer.child_by_field_name("left") == use
    return outer.type in _GIVING


def _names_object(use: Node, function: Node) -> bool:
    """Whether a declaration gives a name the object: in a function inside, ``this`` is another."""
    outer = use.parent
    value = outer.child_by_field_name("value") if outer is not None else None
    if value is None or value.type != "this":
        return False
    while outer is not None and outer != function:
        if outer.type in ("function_expression", "function_declaration", "method_definition"):
            return False
        outer = outer.parent
    return True
