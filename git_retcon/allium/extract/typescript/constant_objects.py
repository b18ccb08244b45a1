"""Objects of constants that a type gives as an enum: ``typeof States[keyof typeof States]``."""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_name, read_text
from git_retcon.allium.extract.source_facts import Enumeration, Evidence, Type
from git_retcon.allium.extract.spelling import name_values, spell_type_name, spell_variable
from git_retcon.allium.extract.typescript.constant_values import list_members

# "{ … } as const" and "Object.freeze({ … })": what nobody changes.
_FIXED = ("as_expression", "call_expression")


def list_constant_enums(path: bytes, nodes: Iterable[Node]) -> Iterator[Enumeration]:
    """The objects of constants with a type of the same name that is any of their values."""
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


def list_constant_types(nodes: Iterable[Node]) -> Mapping[str, Type]:
    """What the values of objects of constants are, by the names of these."""
    found: dict[str, Type] = {}
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "lexical_declaration" and read_text(declared).startswith("const"):
            for name, keys in _list_objects(declared):
                if name[:1].isupper() and len(values := name_values(keys)) > 1:
                    found[name] = Type("", values=values)
    return found


def _list_objects(node: Node) -> Iterator[tuple[str, list[str]]]:
    for each in node.named_children:
        value = each.child_by_field_name("value")
        if value is not None and value.type in _FIXED:
            keys = (spell_variable(key) for key in list_members(value))
            yield read_name(each), [key.replace("-", "_").strip("_") for key in keys]


@functools.cache
def _pattern() -> "re.Pattern[str]":
    # Without spaces: (typeof States)[keyof typeof States], with or without the brackets.
    return re.compile(r"(?:\(typeof(\w+)\)|typeof(\w+))\[keyoftypeof(\w+)\]")
