"""Sources in which a class has each field by itself that it keeps in one object.

What the class says of ``this.props.status`` it says of ``this._status`` then, which it declares;
``this.props = { ...this.props, status }`` sets that alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    parse_source,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.handed_props import (
    WRAPS,
    find_block,
    is_made,
    is_told_otherwise,
    list_named,
    may_change,
)
from git_retcon.allium.extract.typescript.kept_props import (
    Kept,
    find_kept_props,
    list_lent,
    list_types,
)
from git_retcon.allium.extract.typescript.outer_statements import list_statements
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits

_MAY_KEEP = re.compile(
    rb"\bthis\.[#_]?(?:props|state|data|attributes|attrs|fields|properties)(?:[.!]|\?\.)"
    rb"|\bclass\s+\w+\s*<"
)
_PLAIN = frozenset({"identifier", "member_expression"})


def open_props(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no class of it keeps its fields so."""
    if b"class" not in content or _MAY_KEEP.search(content) is None:
        return content
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        types = list_types(root) if root is not None else {}
        for each in list_statements(root.named_children if root is not None else ()):
            declared = each.child_by_field_name("declaration") or each
            if declared.type in ("class_declaration", "abstract_class_declaration"):
                kept = find_kept_props(declared, types)
                opened = _Class(declared, kept).open() if kept is not None else None
                edits |= opened or {}
                for item in list_lent(declared) if opened is None else ():
                    edits |= _forget(item)
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


def _forget(item: Node) -> Edits:
    """No field where a class declares one, and a plain parameter in place of a field."""
    if item.type == "public_field_definition":
        return Edits({(item.start_byte, find_end(item)): b""})
    words = ("accessibility_modifier", "readonly", "override_modifier")
    marks = [each for each in item.children if each.type in words]
    return Edits({(each.start_byte, find_end(each)): b"" for each in marks})


class _Class:
    def __init__(self, node: Node, kept: Kept) -> None:
        self._node, self._kept = node, kept
        self._body = node.child_by_field_name("body")
        self._place = f"this.{kept.name}"
        self._names = dict(self._name_fields())
        self._edits = Edits()
        self._opened = Edits()  # blocks that hand the object on
        self._is_readable = True

    def _name_fields(self) -> Iterator[tuple[str, str]]:
        """How the class has each field by itself: by no name that something else has."""
        taken = {read_name(each).lstrip("#") for each in list_children(self._body)}
        taken |= {read_text(each.child_by_field_name("pattern")) for each in self._list_given()}
        taken |= {*re.findall(r"\bthis\.(\w+)", read_text(self._body))}
        for each in self._kept.fields:
            for name in (f"_{each.lstrip('_')}", f"__{each.lstrip('_')}"):
                if name not in taken:
                    yield each, name
                    break

    def _list_given(self) -> Sequence[Node]:
        methods = list_children(self._body, "method_definition")
        made = [each for each in methods if read_name(each) == "constructor"]
        return [each for part in made for each in list_inner(part, "parameters")]

    def open(self) -> Edits | None:
        """What is written instead; None where a part of the class cannot be."""
        body = self._body
        if body is None or len(self._names) < len(self._kept.fields):
            return None
        if is_told_otherwise(self._kept.name, read_text(body)):
            return None
        self._walk(body)
        if not self._is_readable:
            return None
        item = self._kept.declared
        value = item.child_by_field_name("value") if item is not None else None
        begun = self._read_values(value) if value is not None and value.type == "object" else {}
        declared = "".join(
            f" {name}{self._kept.fields[each] or ': any'}"
            + (f" = {begun[each]};" if each in begun else ";")
            for each, name in self._names.items()
        )
        start = body.start_byte
        self._edits[start, start + 1] = f"{{{declared}".encode()
        self._forget_declared()
        return self._edits | self._opened

    def _forget_declared(self) -> None:
        item = self._kept.declared
        if item is None:
            return
        self._edits |= _forget(item)
        if item.type == "public_field_definition":
            return
        made = item.parent.parent if item.parent is not None else None
        block = made.child_by_field_name("body") if made is not None else None
        if block is not None:
            name = read_text(item.child_by_field_name("pattern"))
            given = "".join(f" this.{own} = {name}.{each};" for each, own in self._names.items())
            start = block.start_byte
            self._edits[start, start + 1] = f"{{{given}".encode()

    def _is_place(self, node: Node | None) -> bool:
        """``this.props``, also ``this.props!`` and ``(this.props as any)``."""
        if node is not None and node.type in WRAPS:
            return self._is_place(node.named_children[0])
        return node is not None and read_text(node) == self._place

    def _walk(self, node: Node) -> None:
        if self._place.encode() not in (node.text or b""):
            return
        match node.type:
            case "member_expression" if self._is_place(node.child_by_field_name("object")):
                name = self._names.get(read_text(node.child_by_field_name("property")))
                if name is not None:
                    self._edits[node.start_byte, find_end(node)] = f"this.{name}".encode()
                return
            case "expression_statement" if (given := self._read_given(node)) is not None:
                self._set_whole(node, given)
                return
            case "assignment_expression" if self._is_place(node.child_by_field_name("left")):
                self._is_readable = False
            case "variable_declarator" if self._is_place(node.child_by_field_name("value")):
                self._take(node)
                return
            case "new_expression" | "call_expression" if self._is_same(node):
                self._copy(node)
            case "member_expression" if self._is_place(node):
                self._hand(node)
                return
        for each in node.named_children:
            self._walk(each)

    def _hand(self, node: Node) -> None:
        """``merge(this.props, changes)``: any field may have anything then."""
        if not may_change(node):
            return
        block, outer = find_block(node), node.parent
        self._is_readable &= outer is not None and outer.type == "arguments" and block is not None
        if block is not None and not is_made(block):
            text = "".join(f" this.{own} = unknownProps.{e};" for e, own in self._names.items())
            self._opened[block.start_byte, block.start_byte + 1] = f"{{{text}".encode()

    def _read_given(self, node: Node) -> Sequence[Node] | None:
        """What the fields are taken from that a statement sets, the last over the others."""
        inner = node.named_children[0]
        if inner.type == "assignment_expression" and self._is_place(
            inner.child_by_field_name("left")
        ):
            right = inner.child_by_field_name("right")
            return [right] if right is not None else None
        if inner.type != "call_expression":
            return None
        given = list_inner(inner, "arguments")
        is_mixed = read_text(inner.child_by_field_name("function")) == "Object.assign"
        return given if is_mixed and given and self._is_place(given[0]) else None

    def _set_whole(self, node: Node, given: Sequence[Node]) -> None:
        """``this.props = given``, or ``Object.assign(this.props, given)``."""
        values: dict[str, str] = {}
        for each in given:
            values |= self._read_values(each)
        text = "".join(f" this.{self._names[each]} = {value};" for each, value in values.items())
        self._edits[node.start_byte, find_end(node)] = f"{{{text} }}".encode()

    def _read_values(self, node: Node) -> Mapping[str, str]:
        """What an object has for each field; nothing for one that it keeps."""
        if self._is_place(node):
            return {}
        if node.type in ("as_expression", "satisfies_expression", "parenthesized_expression"):
            return self._read_values(node.named_children[0])
        if read_text(node).startswith("Object.freeze("):
            inner = list_inner(node, "arguments")
            return self._read_values(inner[0]) if len(inner) == 1 else self._take_all(node)
        if node.type != "object":
            return self._take_all(node)
        values: dict[str, str] = {}
        for each in list_children(node):
            match each.type:
                case "spread_element":
                    if self._is_place(each.named_children[0]):
                        values.clear()  # what comes behind counts
                    values |= self._read_values(each.named_children[0])
                case "shorthand_property_identifier":
                    values[read_text(each)] = read_text(each)
                case "pair":
                    value = each.child_by_field_name("value")
                    key = read_text(each.child_by_field_name("key")).strip("'\"")
                    values[key] = self._write(value)
        return {key: value for key, value in values.items() if key in self._names}

    def _take_all(self, node: Node) -> Mapping[str, str]:
        """An object that is not written out has any of them."""
        owner = read_text(node) if node.type in _PLAIN else "unknownProps"
        return {each: f"{owner}.{each}" for each in self._names}

    def _write(self, node: Node | None) -> str:
        """A value as the class has it then."""
        if node is None:
            return "undefined"
        around, self._edits = self._edits, Edits()
        self._walk(node)
        inner, self._edits = self._edits, around
        return write_edits(node, inner).decode("utf-8", "replace")

    def _take(self, node: Node) -> None:
        """``const { status } = this.props``; another name for all of it hides what is set."""
        pattern, value = (node.child_by_field_name(each) for each in ("name", "value"))
        if pattern is None or value is None:
            return
        if pattern.type != "object_pattern":
            self._rename(node, read_text(pattern))
            return
        parts: list[str] = []
        for each in list_children(pattern):
            text = read_text(each)
            key = re.match(r"[\w$]+", text)
            if key is None or key[0] not in self._names:
                return  # the rest of them, which the object still has
            rest = f": {text}" if each.type != "pair_pattern" else text[key.end() :]
            parts.append(self._names[key[0]] + rest)
        self._edits[pattern.start_byte, find_end(pattern)] = f"{{ {', '.join(parts)} }}".encode()
        self._edits[value.start_byte, find_end(value)] = b"this"

    def _rename(self, node: Node, name: str) -> None:
        """``const props = this.props``, where the object stays the same."""
        used, block = list_named(node, name), find_block(node)
        is_set = re.search(rf"{re.escape(self._place)}\s*=(?![=>])|\bfunction\b", read_text(block))
        self._is_readable &= used is not None and is_set is None
        for each in used or ():
            own = self._names.get(read_text(each.child_by_field_name("property")))
            if own is not None:
                self._edits[each.start_byte, find_end(each)] = f"this.{own}".encode()

    def _copy(self, node: Node) -> None:
        """``new Order({ ...this.props, status })`` has all others of this one."""
        for each in list_inner(node, "arguments"):
            for part in list_children(each, "spread_element"):
                if self._is_place(part.named_children[0]):
                    self._edits[part.start_byte, find_end(part)] = b"...this"

    def _is_same(self, node: Node) -> bool:
        """Whether a call makes an object of the class, or has the class or an object make it."""
        made = node.child_by_field_name("constructor") or node.child_by_field_name("function")
        owner = made.child_by_field_name("object") if made is not None else None
        names = (read_name(self._node), "this") if owner is not None else (read_name(self._node),)
        return read_text(owner or made) in names
