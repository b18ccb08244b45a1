"""Objects that a TypeScript file writes out: their members and texts, by constants of the file too.

``{ ...common, [State.Open]: { on: CLOSE }, shut }`` has the members of ``common``, the enum's value
for ``Open``, and the constant ``shut``. What comes from another file has the name that it has here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.types import read_string

_WRAPPERS: Final = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression",
     "computed_property_name"}
)  # fmt: skip
_NAMES: Final = ("identifier", "shorthand_property_identifier")
_FUNCTIONS: Final = ("arrow_function", "function_expression", "function_declaration")
_DEEPEST = 12


class Members(NamedTuple):
    """The members of an object by their names; it has others where it ``is_open``."""

    known: Mapping[str, Node]
    is_open: bool = False


class PlainObjects:
    """The objects and texts of one file. ``imports`` are the names that come from others."""

    def __init__(self, nodes: Iterable[Node], imports: Collection[str]) -> None:
        self._values: dict[str, Node] = {}
        self._enums: dict[str, Mapping[str, str]] = {}
        self._members: dict[int, Members] = {}
        self._imports = imports
        for node in nodes:
            self._add(node.child_by_field_name("declaration") or node)

    def _add(self, node: Node) -> None:
        if node.type == "function_declaration":
            self._values[read_name(node)] = node
        elif node.type == "enum_declaration":
            self._enums[read_name(node)] = dict(_list_values(node))
        elif node.type == "lexical_declaration" and read_text(node).startswith("const"):
            for each in list_children(node, "variable_declarator"):
                value = each.child_by_field_name("value")
                if value is not None:
                    self._values[read_name(each)] = value

    def open(self, node: Node | None, depth: int = 0) -> Node | None:
        """What a node is, behind names of the file, casts, and functions that only return it."""
        if node is None or depth > _DEEPEST:
            return None
        if node.type in _WRAPPERS:
            return self.open(node.named_children[0], depth + 1)
        if node.type in _NAMES:
            found = self._values.get(read_text(node))
            return self.open(found, depth + 1) if found is not None else node
        if node.type == "member_expression":
            owner = self.open(node.child_by_field_name("object"), depth + 1)
            if owner is None or owner.type != "object":
                return node
            known = self.list_members(owner, depth + 1).known
            found = known.get(read_text(node.child_by_field_name("property")))
            return self.open(found, depth + 1) if found is not None else node
        if node.type == "call_expression":
            found = self._find_returned(node)
            return self.open(found, depth + 1) if found is not None else node
        return node

    def _find_returned(self, node: Node) -> Node | None:
        """What a call of a function of the file returns, that does nothing else."""
        made = node.child_by_field_name("function")
        given = list_inner(node, "arguments")
        if read_text(made) == "Object.freeze" and len(given) == 1:
            return given[0]
        function = self._values.get(read_text(made))
        if function is None or function.type not in _FUNCTIONS:
            return None
        body = function.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return body
        said = [*list_children(body)]
        is_plain = len(said) == 1 and said[0].type == "return_statement"
        return said[0].named_children[0] if is_plain and said[0].named_children else None

    def list_members(self, node: Node | None, depth: int = 0) -> Members:
        """The members of an object; of anything else nobody knows here which."""
        found = self.open(node, depth)
        if found is None or found.type != "object":
            return Members({}, is_open=True)
        if found.id not in self._members:
            # What is spread into itself is not known while it is read.
            self._members[found.id] = Members({}, is_open=True)
            self._members[found.id] = self._read_members(found, depth)
        return self._members[found.id]

    def _read_members(self, found: Node, depth: int) -> Members:
        known: dict[str, Node] = {}
        is_open = False
        for each in list_children(found):
            if each.type == "spread_element":
                inner = self.list_members(each.named_children[0], depth + 1)
                known |= inner.known
                is_open |= inner.is_open
            elif each.type == "pair":
                name = self.read_text(each.child_by_field_name("key"))
                value = each.child_by_field_name("value")
                is_open |= name is None
                known |= {name: value} if name is not None and value is not None else {}
            elif each.type == "shorthand_property_identifier":
                known[read_text(each)] = each
            elif each.type == "method_definition":
                known[read_name(each)] = each
        return Members(known, is_open)

    def list_items(self, node: Node | None) -> Sequence[Node] | None:
        """The items of a list; None of anything else, and where another list is spread in it."""
        found = self.open(node)
        if found is None or found.type != "array":
            return None
        items = [each for each in list_children(found) if each.type != "comment"]
        return items if all(each.type != "spread_element" for each in items) else None

    def read_text(self, node: Node | None) -> str | None:
        """A text, or the name of a constant that has it; None of anything else."""
        if node is None:
            return None
        if node.type in ("property_identifier", "number"):
            return read_text(node)
        if node.type in _WRAPPERS:
            return self.read_text(node.named_children[0])
        found = self.open(node)
        if found is None:
            return None
        if found.type == "template_string":
            return self._read_template(found)
        return read_string(found) if found.type == "string" else self._read_name(found)

    def _read_name(self, node: Node) -> str | None:
        """A member of an enum, or what another file has: by the last part of its name."""
        owner, _, name = read_text(node).rpartition(".")
        if node.type == "member_expression" and owner in self._enums:
            return self._enums[owner].get(name)
        first = owner.partition(".")[0] or name
        is_named = node.type == "member_expression" or node.type in _NAMES
        is_constant = (owner or name)[:1].isupper()
        return name if is_named and is_constant and first in self._imports else None

    def _read_template(self, node: Node) -> str | None:
        parts = [
            self.read_text(each.named_children[0])
            if each.type == "template_substitution"
            else read_text(each)
            for each in node.named_children
        ]
        known = [each for each in parts if each is not None]
        return "".join(known) if len(known) == len(parts) else None


def _list_values(node: Node) -> Iterator[tuple[str, str]]:
    """The members of an enum, each with its text, or its name where it has none."""
    for item in list_children(node.child_by_field_name("body")):
        name = read_text(item.child_by_field_name("name") or item).strip("'\"")
        if item.type != "comment":
            yield name, read_string(item.child_by_field_name("value")) or name
