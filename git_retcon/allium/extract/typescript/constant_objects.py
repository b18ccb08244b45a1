"""Constants that a type gives as an enum.

``(typeof STATES)[keyof typeof STATES]`` is any value of an object, under its own name or another;
``keyof typeof STATES`` is any of its names, and ``(typeof KINDS)[number]`` any of a list.
"""

import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Choice, Enumeration, Evidence, Field, Type, refer
from git_retcon.allium.extract.spelling import (
    is_value,
    name_values,
    spell_type_name,
    spell_variable,
)
from git_retcon.allium.extract.typescript.constant_values import (
    Values,
    is_called_constant,
    list_kept,
    list_members,
    open_object,
    read_stored,
    spell_symbol,
)
from git_retcon.allium.extract.typescript.nested_enums import list_nested, list_numbers
from git_retcon.allium.extract.typescript.types import read_string

# "{ … } as const" and "Object.freeze({ … })": what nobody changes.
_FIXED = ("as_expression", "satisfies_expression", "call_expression")
_CONSTANT = "typeof "
_VALUES = ("Value", "Values", "ValueOf", "ValuesOf")
_MOST = 4_000  # characters: what is longer is data
_FEW = 20  # members: what has more lists something else than states


class ConstantObjects(NamedTuple):
    """The enums that a file has as constants, other names for them, and how their values are
    written and stored, by the names of the objects.
    """

    enums: Sequence[Enumeration]
    aliases: Mapping[str, Type]
    choices: Mapping[str, tuple[Choice, ...]]
    imports: Collection[str] = ()

    def name_type(self, field: Field, body: Node | None) -> Field:
        """A field with the constants that its type is any of, where that is written beside it."""
        is_open = field.type.name == "Any" or field.type.source.endswith(_VALUES)
        if not is_open or _CONSTANT not in read_text(body):
            return field
        for item in list_children(body, "public_field_definition"):
            if read_name(item).lstrip("#") == field.symbol:
                written = "".join(read_text(item.child_by_field_name("type")).split())
                found = _pattern().fullmatch(written.lstrip(":"))
                source = found[4] or found[5] if found is not None else ""
                if source in self.aliases or source in self.imports:
                    return field._replace(type=refer(source, is_optional=field.type.is_optional))
        return field


def read_constant_objects(
    path: bytes, nodes: Sequence[Node], imports: Collection[str]
) -> ConstantObjects:
    """Those at the top of a file and in its namespaces, which may name constants of others."""
    placed = [*(("", each) for each in nodes), *list_nested(nodes)]
    constants = [*_list_constants(placed)]
    members = {name: found for name, value in constants if (found := list_members(value))}
    values = {name: _name_members(each) for name, each in members.items()}
    fixed = {name: value for name, value in constants if value.type in _FIXED}
    lists = dict(_list_lists(fixed.items()))
    # A type that is any value of an object says that the object stays as it is.
    fixed |= {name: value for name, value in constants if _has_texts(members.get(name, {}))}
    aliases = {
        name: Type("", values=each)
        for name, each in values.items()
        if is_called_constant(name, members[name]) and len(each) > 1
    }
    enums: dict[str, Enumeration] = {}
    for name, source, is_list in _list_types(placed):
        listed = lists if is_list else values
        if source in imports or (source in fixed and source in values and name != source):
            aliases |= {} if is_list else {name: refer(source)}
        place, spelled = name if is_list else source, spell_type_name(name)
        is_first = name == source or place not in enums
        if source in fixed and len(listed.get(source, ())) > 1 and spelled and is_first:
            enums[place] = Enumeration(spelled, (Evidence(path, place),), listed[source])
    choices = {
        name: tuple(_list_choices(name, each, values[name]))
        for name, each in members.items()
        if len(each) == len(values[name])
    }
    choices = {**dict(list_numbers(nodes)), **choices}
    return ConstantObjects([*enums.values()], aliases, choices, imports)


def read_exported(value: Node) -> tuple[Choice, ...]:
    """The states that an object may be which is the one export of a file; none of any other."""
    members = list_members(value) if value.type in (*_FIXED, "object") else {}
    names = _name_members(members)
    is_few = 1 < len(members) <= _FEW and is_called_constant("", members)
    is_apart = is_few and len(names) == len(members)
    return tuple(_list_choices("", members, names)) if is_apart else ()


def _list_constants(nodes: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, Node]]:
    for above, node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type in ("lexical_declaration", "variable_declaration"):
            for each in list_kept(declared):
                value = each.child_by_field_name("value")
                is_constant = value is not None and value.type in (*_FIXED, "object")
                if value is not None and is_constant and len(value.text or b"") <= _MOST:
                    yield f"{above}{read_name(each)}", value


def _list_lists(constants: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lists of texts, by their names."""
    for name, value in constants:
        inner = open_object(value, "array")
        parts = [each for each in list_children(inner) if each.type != "comment"]
        texts = [text for each in parts if (text := read_string(each)) is not None]
        if parts and len(texts) == len(parts) and all(map(is_value, texts)):
            yield name, name_values(texts)


def _list_types(nodes: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, str, bool]]:
    """The types that are any value of a constant: the name of each, the constant, and whether that
    is a list.
    """
    for above, node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "type_alias_declaration":
            value = "".join(read_text(declared.child_by_field_name("value")).split())
            if "typeof" in value:
                found = _pattern().fullmatch(value)
                source = next(filter(None, found.group(1, 2, 5, 6))) if found is not None else ""
                if found is not None and found[4] in (None, source):
                    yield f"{above}{read_name(declared)}", f"{above}{source}", found[3] == "number"


def _has_texts(members: Values) -> bool:
    return bool(members) and all(each[0] in "'\"" for each in members.values())


def _name_members(members: Values) -> tuple[str, ...]:
    keys = (spell_variable(each).replace("-", "_").strip("_") for each in members)
    return name_values(keys)


def _list_choices(owner: str, members: Values, names: Sequence[str]) -> Iterator[Choice]:
    for (key, value), name in zip(members.items(), names, strict=True):
        yield Choice(read_stored(value), spell_symbol(f"{owner}.{key}"), name)


@functools.cache
def _pattern() -> "re.Pattern[str]":
    # Without spaces: (typeof States)[keyof typeof States], with or without the brackets, and types
    # of a project's own that say the same: ValueOf<typeof States>.
    return re.compile(
        r"(?:\(typeof(\w+)\)|typeof(\w+))\[(number|keyoftypeof(\w+))\]"
        r"|\w*Values?(?:Of)?<typeof(\w+)>|keyoftypeof(\w+)"
    )
