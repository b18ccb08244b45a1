"""Sources in which an object moves where its class gives a copy of it with another state.

``return new Order({ ...this, status: Status.Paid })`` gives the object as it is from now on, and so
does ``new Order(this.id, Status.Paid, this.total)``: both say ``this.status = Status.Paid``. What
has an identity of its own, or nothing of this object, is another one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.rewritten_sources import (
    Edits,
    find_end,
    rewrite_classes,
)

_MAY_COPY = re.compile(rb"\breturn\b[^;{}]*\bnew\s|=\s*new\s|\breturn\s+this\.\w+\(\s*\{")
_IDENTITY = re.compile(r"_?(?:id|uuid|_id)")
_NAMING = frozenset({"id", "uuid", "key", "number", "no", "code", "ref", "sku", "slug"})
_OWN = re.compile(r"this\.#?([\w$]+)(?:\(\))?")
# What only says that all is well: "return ok(new Order(…))".
_WELL = re.compile(r"(?:\w+\.)?(?:ok|Ok|success|succeed|right|Right|okay)")


class _Member(NamedTuple):
    """A field, and how others say what it is."""

    name: str
    words: frozenset[str]


def move_copied(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no class of it gives copies."""
    if b"class" not in content or b"this" not in content or not _MAY_COPY.search(content):
        return content
    return rewrite_classes(content, grammar, language, lambda node: _Copies(node).open())


class _Copies:
    """Reads what the methods of one class give."""

    def __init__(self, node: Node) -> None:
        self._name = read_name(node)
        self._body = node.child_by_field_name("body")
        methods = [*list_children(self._body, "method_definition")]
        made = [each for each in methods if read_name(each) == "constructor"]
        self._given = list_inner(made[0], "parameters") if made else []
        self._made = read_text(made[0].child_by_field_name("body")) if made else ""
        self._methods = [each for each in methods if each not in made and not _is_static(each)]
        self._fields = {each.name.lstrip("_#"): each for each in self._list_members()}
        self._making = {read_name(each) for each in methods if self._makes_given(each)}
        self._copying = {read_name(each) for each in self._methods if self._copies_given(each)}

    def open(self) -> Edits:
        edits = Edits()
        for each in self._methods:
            if read_name(each) not in self._copying:
                for statement in _list_returns(each.child_by_field_name("body")):
                    edits |= self._open_return(statement)
        return edits

    def _list_members(self) -> Iterator[_Member]:
        names = [read_name(each) for each in list_children(self._body, "public_field_definition")]
        for each in self._given:
            if {part.type for part in each.children} & {"accessibility_modifier", "readonly"}:
                names.append(read_text(each.child_by_field_name("pattern")))
        for name in names:
            answer = re.compile(rf"\{{\s*return\s+this\.{re.escape(name)}\s*;?\s*\}}")
            words = {
                read_name(each)
                for each in self._methods
                if answer.fullmatch(read_text(each.child_by_field_name("body")))
            }
            yield _Member(name, frozenset({name.lstrip("#"), *words}))

    def _open_return(self, statement: Node) -> Edits:
        value = _open_well(statement.named_children[0]) if statement.named_children else None
        changed = self._read_copy(value) if value is not None else None
        if changed is None:
            return Edits()
        # What reads a field that is set here reads it as it was.
        places = {f"this.{name}" for name in changed}
        fixed = {name: each for name, each in changed.items()
                 if not any(re.search(rf"{re.escape(p)}\b", each) for p in places)}  # fmt: skip
        told = "".join(f" this.{name} = {each};" for name, each in fixed.items())
        text = f"{{{told} return this; }}"
        return Edits({(statement.start_byte, find_end(statement)): text.encode()})

    def _read_copy(self, node: Node) -> Mapping[str, str] | None:
        """What a copy of this object has instead; None for what is no copy."""
        if node.type == "call_expression":
            function, given = (
                read_text(node.child_by_field_name("function")),
                list_inner(node, "arguments"),
            )
            owner, _, name = function.partition(".")
            if owner == self._name and name in self._making and given[0].type == "object":
                pairs = dict(_list_pairs(given[0]))
                return self._name_changed(pairs, is_copy="...this" in pairs)
            called = _OWN.fullmatch(function)
            if called is None or called[1] not in self._copying or len(given) != 1:
                return None
            return self._name_changed(dict(_list_pairs(given[0])), is_copy=True)
        if node.type != "new_expression":
            return None
        made = read_text(node.child_by_field_name("constructor"))
        given = list_inner(node, "arguments")
        if made != self._name or not given:
            return None
        for each in given:
            if each.type == "object":
                pairs = dict(_list_pairs(each))
                is_copy = "...this" in pairs
                is_same = self._keeps_identity([e for e in given if e != each], len(given))
                return self._name_changed(pairs, is_copy=is_copy) if is_same else None
        return self._name_changed(dict(self._place(given)), is_copy=False)

    def _keeps_identity(self, others: Sequence[Node], number: int) -> bool:
        """Whether what a constructor gets beside all fields is this object's, and all that says
        which one it is.
        """
        names = [read_text(each.child_by_field_name("pattern")) for each in self._given[number:]]
        is_left = any(map(_IDENTITY.fullmatch, names)) and "id" not in self._fields
        return not is_left and all(read_text(each).startswith("this.") for each in others)

    def _place(self, given: Sequence[Node]) -> Iterator[tuple[str, str]]:
        """What a constructor is given by its place, by the field that keeps it."""
        for parameter, each in zip(self._given, given, strict=False):
            name = read_text(parameter.child_by_field_name("pattern"))
            kept = re.search(rf"\bthis\.#?([\w$]+)\s*=\s*{re.escape(name)}\s*[;\n}}]", self._made)
            yield (kept[1] if kept is not None else name).lstrip("_"), read_text(each)

    def _name_changed(self, given: Mapping[str, str], *, is_copy: bool) -> Mapping[str, str] | None:
        """The fields that get something else, where all others are this object's."""
        changed: dict[str, str] = {}
        for key, value in given.items():
            if key.startswith("..."):
                if key != "...this":
                    return None  # this may have any of them
                changed.clear()  # what comes behind counts
                continue
            member = self._fields.get(key.lstrip("_#"))
            own = _OWN.fullmatch(value)
            if member is not None and own is not None and own[1] in member.words:
                is_copy = True
            elif self._is_identity(key):
                return None
            elif member is not None:
                changed[member.name] = value
        return changed if is_copy and changed else None

    def _is_identity(self, key: str) -> bool:
        """Whether a field says which object it is: ``number``, ``orderNumber`` of an order."""
        words = key.lstrip("_#").lower().removeprefix(self._name.lower()).lstrip("_")
        return _IDENTITY.fullmatch(key) is not None or words in _NAMING

    def _makes_given(self, node: Node) -> bool:
        """Whether a method of the class itself does nothing but make an object of what it gets."""
        given, inner = list_inner(node, "parameters"), list_inner(node, "body")
        name = read_text(given[0].child_by_field_name("pattern")) if len(given) == 1 else ""
        if not name or len(inner) != 1 or not any(e.type == "static" for e in node.children):
            return False
        return read_text(inner[0]).rstrip(";") == f"return new {self._name}({name})"

    def _copies_given(self, node: Node) -> bool:
        """Whether a method does nothing but give a copy with all that it is given instead."""
        given = list_inner(node, "parameters")
        name = read_text(given[0].child_by_field_name("pattern")) if len(given) == 1 else ""
        inner = list_inner(node, "body")
        if not name or len(inner) != 1 or inner[0].type != "return_statement":
            return False
        spread = rf"\.\.\.this,(?:[^{{}}]*,)?\s*\.\.\.{re.escape(name)},?\s*\}}"
        text = read_text(inner[0])
        made = re.search(rf"\bnew\s+{re.escape(self._name)}\(\s*\{{\s*{spread}", text)
        mixed = rf"Object\.assign\(.*\bthis,\s*{re.escape(name)}\s*\)"
        is_new = "Object.create(" in text or f"new {self._name}(" in text
        return made is not None or (is_new and re.search(mixed, text, re.DOTALL) is not None)


def _is_static(node: Node) -> bool:
    return any(each.type in ("static", "get", "set") for each in node.children)


def _list_returns(node: Node | None) -> Iterator[Node]:
    """The statements by which a function itself gives something."""
    for each in list_children(node):
        if each.type == "return_statement":
            yield each
        elif "function" not in each.type and not each.type.startswith("class"):
            yield from _list_returns(each)


def _open_well(node: Node) -> Node:
    given = list_inner(node, "arguments") if node.type == "call_expression" else []
    is_well = _WELL.fullmatch(read_text(node.child_by_field_name("function"))) is not None
    return _open_well(given[0]) if len(given) == 1 and is_well else node


def _list_pairs(node: Node) -> Iterator[tuple[str, str]]:
    for each in list_children(node):
        match each.type:
            case "pair":
                key = read_text(each.child_by_field_name("key")).strip("'\"")
                yield key, read_text(each.child_by_field_name("value"))
            case "shorthand_property_identifier":
                yield read_text(each), read_text(each)
            case "spread_element":
                yield read_text(each), ""
