"""Objects of constants that a type gives as an enum: ``typeof States[keyof typeof States]``."""

import functools
import re
from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.source_facts import Enumeration, Evidence
from git_retcon.allium.extract.spelling import name_values, spell_type_name, spell_variable


def list_constant_enums(path: bytes, nodes: Iterable[Node]) -> Iterator[Enumeration]:
    """The objects ``as const`` with a type of the same name that is any of their values."""
    objects: dict[str, list[str]] = {}
    typed: set[str] = set()
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "lexical_declaration" and read_text(declared).startswith("const"):
            objects |= {name: keys for name, keys in _list_objects(declared) if keys}
        elif declared.type == "type_alias_declaration":
            name = read_text(declared.child_by_field_name("name"))
            value = "".join(read_text(declared.child_by_field_name("value")).split())
            found = _pattern().fullmatch(value)
            if found is not None and {found[1] or found[2], found[3]} == {name}:
                typed.add(name)
    for name in sorted(objects.keys() & typed):
        spelled, values = spell_type_name(name), name_values(objects[name])
        if spelled is not None and len(values) > 1:
            yield Enumeration(spelled, (Evidence(path, name),), values)


def _list_objects(node: Node) -> Iterator[tuple[str, list[str]]]:
    for each in node.named_children:
        value = each.child_by_field_name("value")
        if value is None or value.type != "as_expression" or not value.named_children:
            continue
        if read_text(value).rstrip().endswith("const"):
            yield read_text(each.child_by_field_name("name")), _list_keys(value.named_children[0])


def _list_keys(node: Node) -> list[str]:
    """The keys of an object of different texts or numbers; none of any other."""
    keys: list[str] = []
    values: set[str] = set()
    for pair in node.named_children if node.type == "object" else ():
        if pair.type == "comment":
            continue
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is None or value is None or value.type not in ("string", "number"):
            return []
        keys.append(spell_variable(read_text(key).strip("'\"")).replace("-", "_").strip("_"))
        values.add(read_text(value))
    return keys if len(values) == len(keys) else []


@functools.cache
def _pattern() -> "re.Pattern[str]":
    # Without spaces: (typeof States)[keyof typeof States], with or without the brackets.
    return re.compile(r"(?:\(typeof(\w+)\)|typeof(\w+))\[keyoftypeof(\w+)\]")
