"""Fields whose states are objects, asked and set as an enum is.

``this.status = OrderStatus.paid()`` sets what ``OrderStatus.PAID`` is, where the field is declared
so; ``this.status.equals(OrderStatus.paid())`` compares it, and ``this.status.isPaid()`` asks
``OrderStatus.isPaid(this.status)``.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    parse_source,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.typescript.outer_statements import list_statements
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits
from git_retcon.allium.extract.typescript.value_answers import (
    ASKING,
    REFUSES,
    SAME,
    VALUES,
)
from git_retcon.allium.extract.typescript.value_classes import name_constant, read_key

_MAY_VALUE = re.compile(rb"\b\w*(?:[Ss]tatus|[Ss]tate|[Ss]tage|[Pp]hase)\w*\.\w")
_CHECKS = re.compile(r"(?:ensure|assert|check|guard|validate|verify|must|require)(?![a-z])")
_MAKES = re.compile(r"create|of|from\w*|make|parse|new")
_OTHERS = ("type_alias_declaration", "interface_declaration")  # objects of these are no values
_OPENED = frozenset({"value", "getValue", "unwrap", "_unsafeUnwrap", "getOrThrow"})


def ask_valued(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no class of it has such a field."""
    if b"class" not in content or _MAY_VALUE.search(content) is None:
        return content
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        nodes = [*list_statements(root.named_children if root is not None else ())]
        listed = [each.child_by_field_name("declaration") or each for each in nodes]
        types = {read_name(each) for each in listed if each.type in _OTHERS}
        for declared in listed:
            if declared.type in ("class_declaration", "abstract_class_declaration"):
                body = declared.child_by_field_name("body")
                found = _Valued(body, types, content)
                if body is not None and found.kinds:
                    found.walk(body, edits)
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


class _Valued:
    """The fields of one class that hold states, by what the class calls them: the type of each."""

    def __init__(self, body: Node | None, types: Collection[str], content: bytes) -> None:
        fields = {name: kind for name, kind in _list_fields(body) if kind not in types}
        self.kinds = {*fields.values()}
        # An object of another sort may have a value, too: of these the class makes none.
        made = rb"\b(?:new )?%s(?:\.\w+)?\(|\b%s\.\w"
        names = {each: each.encode() for each in self.kinds}
        self._made = {e for e, name in names.items() if re.search(made % (name, name), content)}
        self._places = {f"this.{name}": kind for name, kind in fields.items()}
        for each in list_children(body, "method_definition"):
            answer = re.fullmatch(
                r"\{\s*return\s+(this\.#?\w+)\s*;?\s*\}",
                read_text(each.child_by_field_name("body")),
            )
            if answer is not None and answer[1] in self._places:
                self._places[f"this.{read_name(each)}"] = self._places[answer[1]]

    def walk(self, node: Node, edits: Edits) -> None:
        text = self._say(node)
        if text is not None:
            edits[node.start_byte, find_end(node)] = text.encode()
            return
        for each in node.named_children:
            self.walk(each, edits)

    def _write(self, node: Node) -> str:
        edits = Edits()
        self.walk(node, edits)
        return write_edits(node, edits).decode("utf-8", "replace")

    def _say(self, node: Node) -> str | None:
        match node.type:
            case "expression_statement":
                return self._say_moved(node)
            case "call_expression" | "new_expression":
                return self._say_made(node) or self._say_asked(node)
            case "binary_expression":
                return self._say_compared(node)
            case "member_expression":
                owner, name = _divide(node)
                kind = self._find_kind(owner)
                if kind and ASKING.fullmatch(name):
                    return f"{kind}.{name}({self._write_place(owner)})"
                return self._say_made(owner) if owner is not None and name in _OPENED else None
        return None

    def _say_moved(self, node: Node) -> str | None:
        """``this.status.ensureOpen();`` and ``this.status = this.status.close();``."""
        call = place = node.named_children[0]
        if call.type == "assignment_expression":
            place = call.child_by_field_name("left") or call
            call = call.child_by_field_name("right") or call
        called, given = call.child_by_field_name("function"), list_inner(call, "arguments")
        owner, name = _divide(called) if called is not None else (None, "")
        kind = self._find_kind(owner)
        is_set = place is not call and kind == self._find_kind(place)
        if call.type != "call_expression" or not kind or len(given) > 1 or ASKING.fullmatch(name):
            return None
        if not is_set and not (place is call and _CHECKS.match(name)):
            return None
        parts = [self._write_place(owner), *(self._write_given(each, kind) for each in given)]
        asked = ", ".join(parts)
        moved = f" {read_text(place)} = {kind}.{name}({asked});" if is_set else ""
        return f"if ({kind}.{REFUSES}{name}({asked})) {{ throw new Error(); }}{moved}"

    def _find_kind(self, node: Node | None) -> str:
        """The type of the field that an expression is, "" for any other."""
        text = read_text(node).removesuffix("()").removesuffix("!")
        return self._places.get(text, "")

    def _find_value(self, node: Node | None) -> Node | None:
        """The field of which an expression is the value: ``this.status.value``."""
        if node is None:
            return None
        if node.type == "call_expression":
            is_bare = not list_inner(node, "arguments")
            return self._find_value(node.child_by_field_name("function")) if is_bare else None
        owner, name = _divide(node)
        if node.type == "member_expression" and name.lstrip("_") in VALUES and owner is not None:
            if self._find_kind(owner):
                return owner
            outer, between = _divide(owner)
            return outer if between == "props" and self._find_kind(outer) else None
        return None

    def _write_place(self, node: Node | None) -> str:
        return read_text(node).removesuffix("!")

    def _say_made(self, node: Node) -> str | None:
        """The constant for ``OrderStatus.paid()``, ``OrderStatus.create('paid')`` and the like."""
        given = list_inner(node, "arguments")
        if node.type == "new_expression":
            kind = read_text(node.child_by_field_name("constructor"))
            return self._name(kind, given[0]) if kind in self.kinds and len(given) == 1 else None
        if node.type != "call_expression":
            return None
        called = node.child_by_field_name("function")
        owner, name = _divide(called) if called is not None else (None, "")
        kind = read_text(owner)
        if kind not in self.kinds:
            inner = self._say_made(owner) if owner is not None and name in _OPENED else None
            return inner if not given else None
        if not given:
            return f"{kind}.{name_constant(name)}"
        is_made = len(given) == 1 and _MAKES.fullmatch(name) is not None
        return self._name(kind, given[0]) if is_made else None

    def _name(self, kind: str, node: Node) -> str | None:
        key = read_key(node)
        return f"{kind}.{_name_key(key)}" if key else None

    def _say_asked(self, node: Node) -> str | None:
        """``this.status.equals(…)``, ``this.status.isPaid()`` and ``[…].includes(…)``."""
        called, given = node.child_by_field_name("function"), list_inner(node, "arguments")
        if node.type != "call_expression" or called is None:
            return None
        owner, name = _divide(called)
        kind = self._find_kind(owner)
        if kind and name in SAME and len(given) == 1:
            return f"({self._write_place(owner)} === {self._write_given(given[0], kind)})"
        if kind and ASKING.fullmatch(name) and len(given) < 2:
            parts = [self._write_place(owner), *(self._write_given(e, kind) for e in given)]
            return f"{kind}.{name}({', '.join(parts)})"
        place = self._find_value(given[0]) if name == "includes" and len(given) == 1 else None
        is_listed = owner is not None and owner.type == "array"
        if place is not None and is_listed and self._find_kind(place) in self._made:
            parts = [
                self._write_given(each, self._find_kind(place)) for each in list_children(owner)
            ]
            return f"[{', '.join(parts)}].includes({self._write_place(place)})"
        if given and kind == "" and name in SAME and owner is not None:
            made, asked = self._say_made(owner), self._find_kind(given[0])
            return f"({self._write_place(given[0])} === {made})" if made and asked else None
        return None

    def _write_given(self, node: Node, kind: str) -> str:
        """An argument as a state: a constant of the same kind, or what it is already."""
        key = read_key(node)
        if key and not key.startswith(f"{kind}."):
            return f"{kind}.{_name_key(key)}"
        place = self._find_value(node)
        if place is not None:
            return self._write_place(place)
        alone = re.fullmatch(r"(\w+)(?:\.(?:value|getValue\(\)))?", read_text(node))
        return alone[1] if alone is not None else self._write(node)

    def _say_compared(self, node: Node) -> str | None:
        """``this.status.value === 'paid'``."""
        left, right = (node.child_by_field_name(each) for each in ("left", "right"))
        sign = read_text(node.child_by_field_name("operator"))
        if left is None or right is None or sign not in ("===", "!==", "==", "!="):
            return None
        for one, other in ((left, right), (right, left)):
            place = self._find_value(one)
            if place is not None and self._find_kind(place) in self._made:
                asked = self._write_given(other, self._find_kind(place))
                return f"{self._write_place(place)} {sign} {asked}"
        return None


def _divide(node: Node) -> tuple[Node | None, str]:
    """The owner of a member, and the member."""
    name = read_text(node.child_by_field_name("property")).lstrip("#")
    return node.child_by_field_name("object"), name


def _name_key(key: str) -> str:
    return name_constant(key[1:-1]) if key[0] == "'" else key.rpartition(".")[2]


def _list_fields(body: Node | None) -> Iterator[tuple[str, str]]:
    """The fields of a class that are called states, with the names of their types."""
    for item in list_children(body):
        listed: Mapping[str, Node] = {}
        if item.type == "public_field_definition":
            listed = {read_name(item): item}
        elif item.type == "method_definition" and read_name(item) == "constructor":
            listed = {
                read_text(each.child_by_field_name("pattern")): each
                for each in list_inner(item, "parameters")
                if any(p.type in ("accessibility_modifier", "readonly") for p in each.children)
            }
        for name, each in listed.items():
            told = read_text(each.child_by_field_name("type")).lstrip(": ")
            kind = told or read_text(each.child_by_field_name("value")).partition(".")[0]
            if is_called_state(name) and is_named_for_states(kind) and kind.isidentifier():
                yield name, kind
