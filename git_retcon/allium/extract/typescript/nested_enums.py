"""Enums of a TypeScript file, also those inside namespaces, and what else is in these.

``namespace Order { export enum State { New } }`` belongs to the class ``Order`` where there is one.
"""

from collections.abc import Iterable, Iterator, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import name_values, spell_variable

_NAMESPACES = frozenset({"internal_module", "module"})
_OUTER = frozenset({"export_statement", "ambient_declaration", "expression_statement"})


def list_nested(nodes: Iterable[Node], above: str = "") -> Iterator[tuple[str, Node]]:
    """Each declaration inside a namespace, with the namespaces' names and a dot before its own."""
    for node in nodes:
        inner = _open_statement(node)
        name = read_name(inner) if inner.type in _NAMESPACES else ""
        if not name.replace(".", "").isidentifier():
            continue  # a module of another package, by its path
        prefix = f"{above}{name}."
        body = list_inner(inner, "body")
        yield from ((prefix, _open_statement(each)) for each in body)
        yield from list_nested(body, prefix)


def is_ambient(node: Node) -> bool:
    """Whether something is only said to exist, as is all in it."""
    outer: Node | None = node
    while outer is not None and outer.type != "ambient_declaration":
        outer = outer.parent
    return outer is not None


def _open_statement(node: Node) -> Node:
    """What is exported, or said to exist."""
    while node.type in _OUTER and node.named_children:
        node = node.child_by_field_name("declaration") or node.named_children[0]
    return node


def list_members(body: Node | None) -> Iterator[str]:
    """The members of an enum, as the specification calls its values."""
    for item in list_children(body):
        named = item.child_by_field_name("name") or item
        if named.type in ("property_identifier", "string"):
            yield spell_variable(read_text(named).strip("'\"")).replace("-", "_").strip("_")


def list_numbers(nodes: Iterable[Node]) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """The enums whose values are numbers, with these, by their symbols."""
    listed = [*nodes]
    for above, node in (*(("", _open_statement(each)) for each in listed), *list_nested(listed)):
        if node.type == "enum_declaration":
            body = node.child_by_field_name("body")
            found = _number_values(body, name_values(list_members(body)))
            if found:
                yield f"{above}{read_name(node)}", found


def _number_values(body: Node | None, names: Sequence[str]) -> tuple[Choice, ...]:
    items = [each for each in list_children(body) if each.type != "comment"]
    found: list[Choice] = []
    number = 0
    for item, name in zip(items, names, strict=False):
        given = item.child_by_field_name("value")
        if given is not None and not read_text(given).isdecimal():
            return ()
        number = int(read_text(given)) if given is not None else number
        found.append(Choice(number, "", name))
        number += 1
    numbers = {each.stored for each in found}
    return tuple(found) if len(numbers) == len(items) == len(names) else ()
