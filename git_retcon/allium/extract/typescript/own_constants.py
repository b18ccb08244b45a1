"""Constants that a class keeps of its own, and the fields that have one of them.

``this.STATE = { NONE: -1, ROTATE: 0 }`` in a constructor is what an enum says elsewhere:
``this._state = this.STATE.NONE`` begins in one of its states, and has no others.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import ANY, DECIMAL, STRING, Choice, Field
from git_retcon.allium.extract.spelling import name_values, spell_variable
from git_retcon.allium.extract.typescript.constant_values import (
    Values,
    is_called_constant,
    list_members,
    read_alone,
    read_stored,
)
from git_retcon.allium.extract.typescript.constructors import (
    CONSTRUCTOR,
    find_constructor,
    name_member,
)

_OBJECT = re.compile(r"\bthis\s*\.\s*#?([A-Za-z_$][\w$]*)\s*\.\s*[A-Z]")


def find_own_states(field: Field, body: Node | None) -> States | None:
    """The states of a field that begins with a constant of such an object, and gets others."""
    text = read_text(body)
    is_open = field.type in (ANY, DECIMAL, STRING) or field.type.source.startswith("this.")
    if field.type.is_optional or not is_open:
        return None
    if body is None or _OBJECT.search(text) is None:
        return None
    place = rf"\bthis\s*\.\s*#?{re.escape(field.symbol)}\b"
    owner = _find_owner(field, place, body)
    members = _list_objects(body).get(owner, {})
    constant = rf"this\s*\.\s*#?{re.escape(owner)}\s*\.\s*(\w+)\b"
    given = {*re.findall(rf"{place}\s*=\s*{constant}", text)}
    asked = re.search(rf"{place}\s*[!=]==?\s*{constant}|switch\s*\(\s*{place}\s*\)", text)
    if asked is None or len(given & members.keys()) < 2 or not given <= members.keys():
        return None
    names = name_values([spell_variable(each).strip("_") for each in members])
    if len(names) != len(members):
        return None
    pairs = zip(members.items(), names, strict=True)
    return States(owner, tuple(Choice(read_stored(v), key, name) for (key, v), name in pairs))


def list_own_values(body: Node | None) -> Values:
    """The constants that each object has, and that its class never changes, as its code names them:
    ``private ERROR = -1`` as ``this.ERROR``.
    """
    found: dict[str, tuple[str, int]] = {}
    for item in list_children(body, "public_field_definition"):
        name, value = read_name(item).lstrip("#"), item.child_by_field_name("value")
        if name.isupper() and not any(each.type == "static" for each in item.children):
            found[name] = (read_alone(value, name), 0)
    for left, right in _list_made(body) if body is not None else ():
        owner, _, name = read_text(left).rpartition(".")
        if owner == "this" and name.isupper():
            found.setdefault(name.lstrip("#"), (read_alone(right, name), 1))
    text = read_text(body) if found else ""
    return {
        f"this.{name}": value
        for name, (value, times) in found.items()
        if value and len(_list_set(name, text)) == times
    }


def _find_owner(field: Field, place: str, body: Node) -> str:
    """The object whose constant a field begins with; "" for none."""
    constructor = find_constructor(body)
    for item in list_children(body, "public_field_definition", "method_definition"):
        name = name_member(item, constructor)
        if name in (field.symbol, CONSTRUCTOR):
            start = rf"{place}\s*=" if name == CONSTRUCTOR else rf"\b{re.escape(name)}\b[^=]*="
            begun = re.search(rf"{start}\s*this\s*\.\s*#?([\w$]+)\s*\.", read_text(item))
            if begun is not None:
                return begun[1]
    return ""


def _list_objects(body: Node) -> Mapping[str, Values]:
    """The members of objects that fields get once: in their declaration, or in the constructor."""
    found: dict[str, Values] = {}
    for item in list_children(body, "public_field_definition"):
        found |= _read_object(read_name(item).lstrip("#"), item.child_by_field_name("value"))
    for left, right in _list_made(body):
        owner, _, name = read_text(left).rpartition(".")
        found |= _read_object(name.lstrip("#"), right) if owner == "this" else {}
    text = read_text(body)
    return {name: each for name, each in found.items() if len(_list_set(name, text)) < 2}


def _list_made(body: Node) -> Iterator[tuple[Node | None, Node | None]]:
    """What a constructor gives to what, always."""
    yield from _list_given(list_inner(find_constructor(body), "body"))


def _list_given(statements: Sequence[Node]) -> Sequence[tuple[Node | None, Node | None]]:
    assigned = (e.named_children[0] for e in statements if e.type == "expression_statement")
    return [
        (each.child_by_field_name("left"), each.child_by_field_name("right"))
        for each in assigned
        if each.type == "assignment_expression"
    ]


def _read_object(name: str, value: Node | None) -> Mapping[str, Values]:
    members = list_members(value)
    is_named = len(members) > 1 and name[:1].isupper() and is_called_constant(name, members)
    return {name: members} if is_named else {}


def _list_set(name: str, text: str) -> Sequence[str]:
    """Where a class gives such an object, or one of its members, a value."""
    return re.findall(rf"\bthis\s*\.\s*#?{re.escape(name)}(?:\s*\.\s*\w+)?\s*=(?![=>])", text)
