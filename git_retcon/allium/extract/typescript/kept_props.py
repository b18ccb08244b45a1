"""Which classes keep their fields in one object, and the fields that it has.

``class Order extends AggregateRoot<OrderProps>`` has what ``interface OrderProps`` declares, as
``this.props.status``; so does ``constructor(private props: OrderProps)``. Of a type that is
imported only those fields are known that the class itself gives a type.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.state_words import is_called_state

# How such an object is called, and its type.
NAMES = frozenset({"props", "state", "data", "attributes", "attrs", "fields", "properties"})
_BROUGHT = frozenset({"props", "_props"})  # what a base class has is called so
_TYPES = re.compile(r"\w*(?:Props|Properties|State|Data|Attributes|Attrs|Fields|Primitives|Params)")
_OPEN = frozenset({"Readonly", "Required", "DeepReadonly"})
_SCREENS = ("Component", "PureComponent", "Element")
_OWNED = r"\bthis\.{0}(?:\.|\?\.|!\.)([A-Za-z_$][\w$]*)"

_Types: TypeAlias = Mapping[str, Node]


class Kept(NamedTuple):
    """The member of a class that keeps its fields, and these, each with how a class declares it;
    ``declared`` is where the class has the member, None where it is a base class's.
    """

    name: str
    fields: Mapping[str, str]
    declared: Node | None


class _Members(NamedTuple):
    fields: Mapping[str, str]
    is_whole: bool = True


def list_types(root: Node) -> _Types:
    """What a file declares by ``interface`` and ``type``."""
    found: dict[str, Node] = {}
    for each in root.named_children:
        declared = each.child_by_field_name("declaration") or each
        if declared.type in ("interface_declaration", "type_alias_declaration"):
            found[read_name(declared)] = declared
    return found


def find_kept_props(node: Node, types: _Types) -> Kept | None:
    """Where a class keeps its fields; None where it has each by itself, or has two such objects."""
    body = node.child_by_field_name("body")
    text = read_text(body)
    found = [*_list_declared(body, types, text)]
    if not found and _find_extended(node):
        members = {read_name(each) for each in list_children(body)}
        used = [name for name in sorted(_BROUGHT - members) if re.search(_owned(name), text)]
        found = [_bring(node, name, types, text) for name in used]
    known = [each for each in found if each is not None]
    return known[0] if len(known) == 1 and len(found) == 1 and known[0].fields else None


def list_lent(node: Node) -> Iterator[Node]:
    """The members of a class in which its heirs keep their fields: ``protected props: TProps``."""
    own = _list_parameters(node)
    for item in _list_own(node.child_by_field_name("body")):
        name = read_text(item.child_by_field_name("name") or item.child_by_field_name("pattern"))
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        if name.lstrip("#_") in NAMES and kind is not None and _read_inner(kind) in own:
            yield item


def _list_parameters(node: Node) -> Collection[str]:
    """The names of the types that a class is given."""
    parts = (
        each for part in list_children(node, "type_parameters") for each in list_children(part)
    )
    return {read_name(each) for each in parts}


def _owned(name: str) -> str:
    return _OWNED.format(re.escape(name))


def _list_declared(body: Node | None, types: _Types, text: str) -> Iterator[Kept | None]:
    """The members of a class's own that keep others."""
    for item in _list_own(body):
        name = read_text(item.child_by_field_name("name") or item.child_by_field_name("pattern"))
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        if name.lstrip("#_") not in NAMES or kind is None or not re.search(_owned(name), text):
            continue
        if not (_is_kept(item, name) and _is_called(kind)):
            continue
        members = _read_members(kind, types, 5)
        # A type of the file that is no object's has others; of another file, a state may be, too.
        is_open = _read_inner(kind) in types or name.lstrip("#_") == "state"
        if members.is_whole or members.fields or not is_open:
            yield Kept(name, _complete(members, name, body, text), item)


def _list_own(body: Node | None) -> Iterator[Node]:
    for item in list_children(body):
        if item.type == "public_field_definition":
            yield item
        elif item.type == "method_definition" and read_name(item) == "constructor":
            for each in list_inner(item, "parameters"):
                if {part.type for part in each.children} & {"accessibility_modifier", "readonly"}:
                    yield each


def _is_kept(item: Node, name: str) -> bool:
    """Whether a class keeps a member for itself: what others reach into is an object by itself."""
    marks = {read_text(each) for each in list_children(item, "accessibility_modifier")}
    above = item.prev_named_sibling
    words = {each.type for each in (*item.children, *([above] if above is not None else []))}
    if words & {"static", "decorator"}:
        return False
    return bool(marks & {"private", "protected"}) or name[0] in "#_" or name in _BROUGHT


def _is_called(kind: Node) -> bool:
    """Whether a type is called as those of such objects, or has no name."""
    name = _read_inner(kind)
    return kind.type in ("object_type", "intersection_type") or _TYPES.fullmatch(name) is not None


def _read_inner(kind: Node) -> str:
    """The name of a type, of what it wraps where it only wraps it."""
    if kind.type != "generic_type":
        return read_text(kind)
    name, arguments = read_name(kind), list_children(kind, "type_arguments")
    inner = [each for part in arguments for each in part.named_children]
    return _read_inner(inner[0]) if name in _OPEN and len(inner) == 1 else name


def _find_extended(node: Node) -> str:
    """The name of what a class extends, "" for nothing and for what draws a screen."""
    for part in list_children(node, "class_heritage"):
        for each in list_children(part, "extends_clause"):
            name = read_text(each.child_by_field_name("value"))
            return "" if name.endswith(_SCREENS) else name
    return ""


def _bring(node: Node, name: str, types: _Types, text: str) -> Kept | None:
    """What a base class keeps under a name, by the type that it is given for it."""
    body = node.child_by_field_name("body")
    used = {*re.findall(_owned(name), text)}
    own = _list_parameters(node)
    kinds = [each for each in _list_arguments(node) if read_text(each) not in own]
    for kind in kinds:
        members = _read_members(kind, types, 5)
        if members.is_whole and used & members.fields.keys():
            return Kept(name, members.fields, None)
    known = [_read_members(each, types, 5) for each in kinds if _is_called(each)]
    members = known[0] if len(known) == 1 else _Members({}, is_whole=False)
    return Kept(name, _complete(members, name, body, text), None)


def _list_arguments(node: Node) -> Iterator[Node]:
    for part in list_children(node, "class_heritage"):
        for clause in list_children(part, "extends_clause"):
            for each in list_children(clause, "type_arguments"):
                yield from each.named_children


def _read_members(kind: Node | None, types: _Types, left: int) -> _Members:
    """The members of an object's type, each as a class would declare it."""
    if kind is None or not left:
        return _Members({}, is_whole=False)
    match kind.type:
        case "type_identifier" if (named := types.get(read_text(kind))) is not None:
            return _read_named(named, types, left - 1)
        case "generic_type" if read_name(kind) in _OPEN:
            arguments = [*list_children(kind, "type_arguments")]
            inner = arguments[0].named_children if arguments else ()
            return _read_members(inner[0] if len(inner) == 1 else None, types, left - 1)
        case "intersection_type":
            return _join([_read_members(e, types, left) for e in list_children(kind)])
        case "object_type" | "interface_body":
            return _Members(dict(_list_signatures(kind)))
    return _Members({}, is_whole=False)


def _read_named(declared: Node, types: _Types, left: int) -> _Members:
    if declared.type == "type_alias_declaration":
        return _read_members(declared.child_by_field_name("value"), types, left)
    bases = [each for part in list_children(declared, "extends_type_clause")
             for each in list_children(part)]  # fmt: skip
    parts = [_read_members(each, types, left) for each in bases]
    return _join([*parts, _read_members(declared.child_by_field_name("body"), types, left)])


def _join(parts: Sequence[_Members]) -> _Members:
    fields = {key: value for each in parts for key, value in each.fields.items()}
    return _Members(fields, all(each.is_whole for each in parts))


def _list_signatures(node: Node) -> Iterator[tuple[str, str]]:
    for each in list_children(node, "property_signature"):
        name = read_name(each)
        mark = "?" if any(part.type == "?" for part in each.children) else ""
        if name.isidentifier():
            yield name, mark + read_text(each.child_by_field_name("type"))


def _complete(members: _Members, name: str, body: Node | None, text: str) -> Mapping[str, str]:
    """All members that are known: of a type of another file, those that the class says."""
    if members.is_whole:
        return members.fields
    told = dict(_list_told(name, body))
    used: Collection[str] = dict.fromkeys(re.findall(_owned(name), text))
    found: dict[str, str] = {}
    for key in used:
        owners = {*re.findall(_given(name, key), text), *_list_made(name, key, text)}
        if len(owners) == 1:
            found[key] = f": {owners.pop()}"
        elif key in told:
            found[key] = told[key]
    return {**found, **members.fields}


def _given(name: str, key: str) -> str:
    """``this.props.status = Status.New`` and ``this.props.status === Status.New``."""
    place = rf"\bthis\.{re.escape(name)}\.{re.escape(key)}"
    return rf"{place}\s*[=!]?==?\s*([A-Z][\w$]*)\.[A-Z]\w*\b(?!\s*[.(])"


def _list_made(name: str, key: str, text: str) -> Iterator[str]:
    """The types of states that a class has make one, or is given one by: ``this.props.status =
    OrderStatus.paid()`` and ``pay(status: OrderStatus) { this.props.status = status; }``.
    """
    place = rf"\bthis\.{re.escape(name)}\.{re.escape(key)}"
    made = re.findall(rf"{place}\s*=\s*(?:new\s+)?([A-Z][\w$]*)(?:\.\w+)?\(", text)
    for given in re.findall(rf"{place}\s*=\s*([a-z]\w*)\s*[;\n}}]", text):
        made += re.findall(rf"\b{given}\??\s*:\s*([A-Z][\w$]*)\b(?!\s*[\[<|&.])", text)
    yield from (each for each in made if is_called_state(key) and is_named_for_states(each))


def _list_told(name: str, body: Node | None) -> Iterator[tuple[str, str]]:
    """The types that getters say of what they answer."""
    answer = re.compile(rf"\{{\s*return\s+this\.{re.escape(name)}\.([\w$]+)\s*;?\s*\}}")
    for item in list_children(body, "method_definition"):
        found = answer.fullmatch(read_text(item.child_by_field_name("body")))
        kind = read_text(item.child_by_field_name("return_type"))
        if found is not None and kind:
            yield found[1], kind
