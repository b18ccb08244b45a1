"""Fields of TypeScript that are texts by their type, and states by what their class sets them to.

``state: string`` goes through the texts that the class gives it, where it gives it no other, begins
with one of them, and asks for some: ``if (this.state === 'open')``. What a private method is given
for it, its calls say.
"""

import re
from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Field
from git_retcon.allium.extract.spelling import is_value, name_values

_TEXT = re.compile(r"""(['"])([\w-]+)\1$""")
_WHOLE = re.compile(r"Object\.assign\(\s*this\b")
_Found = frozenset[str]


def find_text_states(field: Field, body: Node | None) -> Field:
    """The field with the texts that it may be, if its class tells all of them."""
    if body is None or field.type.name != "String" or field.type.is_optional:
        return field
    text = read_text(body)
    place = rf"\bthis\s*\.\s*#?{re.escape(field.symbol)}\b"
    asked = _list_asked(place, text)
    if not asked or _WHOLE.search(text):
        return field
    found = _list_set(field.symbol, place, body)
    if found is None or len(found) < 2 or not asked <= {*found} or not all(map(is_value, found)):
        return field
    kind = field.type._replace(name="", values=name_values(found))
    return field._replace(type=kind)


def _list_asked(place: str, text: str) -> _Found:
    """The texts that the field is compared with."""
    compared = re.findall(rf"{place}\s*[!=]==?\s*(['\"])([\w-]+)\1", text)
    return frozenset(value for _, value in compared)


def _list_set(symbol: str, place: str, body: Node) -> list[str] | None:
    """The texts that the class gives the field, in their order; None where one is not known, or the
    class does not begin with one.
    """
    found: dict[str, None] = {}
    is_begun = False
    for item in list_children(body, "public_field_definition", "method_definition"):
        name, value = read_name(item).lstrip("#"), item.child_by_field_name("value")
        if item.type == "public_field_definition" and name == symbol and value is not None:
            given: list[str] | None = _read_text(read_text(value))
            is_begun = True
        else:
            given = _list_given(item, place, body)
            is_begun |= name == "constructor" and bool(given)
        if given is None:
            return None
        found |= dict.fromkeys(given)
    return [*found] if is_begun else None


def _list_given(item: Node, place: str, body: Node) -> list[str] | None:
    """The texts that one member of a class gives the field."""
    found: list[str] = []
    text = read_text(item)
    if re.search(rf"{place}\s*(?:[-+*/|&?]{{1,2}}=|\+\+|--)|[\[,]\s*{place}[^\]]*\]\s*=", text):
        return None
    for each in re.finditer(rf"{place}\s*=(?![=>])\s*([^;\n]+)", text):
        value = each[1].strip().rstrip(",)} ")
        given = _read_text(value)
        if given is None and value.isidentifier():
            given = _list_called(item, value, body)
        if given is None:
            return None
        found += given
    return found


def _read_text(value: str) -> list[str] | None:
    one = _TEXT.match(value.strip())
    return [one[2]] if one is not None else None


def _list_called(item: Node, parameter: str, body: Node) -> list[str] | None:
    """The texts that the calls of a private method give its first parameter."""
    given = list_inner(item, "parameters")
    name = read_name(item).lstrip("#")
    is_private = name.startswith("_") or is_marked_private(item)
    if not is_private or not given:
        return None
    if read_text(given[0].child_by_field_name("pattern")) != parameter:
        return None
    text = read_text(body)
    called = re.findall(rf"\bthis\s*\.\s*#?{re.escape(name)}\b(?:\s*\(\s*([^,()]*))?", text)
    values = [_read_text(each) for each in called]
    if None in values or re.search(
        rf"(?<!\bthis\.)\b{re.escape(parameter)}\s*=(?!=)", read_text(item)
    ):
        return None
    return [one for each in values if each for one in each]


def is_marked_private(item: Node) -> bool:
    """Whether a member is ``private`` or has a name that begins with ``#``."""
    return "private" in [*_list_marks(item)]


def _list_marks(item: Node) -> Iterator[str]:
    for each in item.children:
        if each.type == "accessibility_modifier" or read_text(each).startswith("#"):
            yield "private" if read_text(each)[0] == "#" else read_text(each)
