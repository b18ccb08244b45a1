"""What an object that is a state answers about itself, as functions of the state."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits

ASKING = re.compile(r"(?:is|can|has|may|allows?|should|permits?)(?![a-z])\w*")
SAME = frozenset({"equals", "equal", "eq", "is", "isEqual", "isEqualTo", "equalsTo", "sameAs"})
# What gives the value that a state is made of.
VALUES = frozenset(
    {"value", "getValue", "toString", "valueOf", "toPrimitive", "unpack", "toValue", "raw", "name",
     "getContent", "asString"}
)  # fmt: skip
# Before the name of a method: whether it refuses.
REFUSES = "refuses_"
_MAKES = ("create", "of", "from")
_STATE = "status"
_DEEPEST = 4  # questions that ask others
_LONGEST = 2_000  # characters of what a question comes to; what is longer is no question


class ValueAnswers:
    """The methods of the class ``owner`` that ask; ``names`` are its states by the sources of their
    values, ``aliases`` by the names that the class has for them.
    """

    def __init__(
        self,
        owner: str,
        body: Node | None,
        names: Mapping[str, str],
        aliases: Mapping[str, str],
        statements: Sequence[Node],
    ) -> None:
        self._owner, self._names, self._aliases = owner, names, aliases
        self._methods = {read_name(each): each for each in list_children(body, "method_definition")}
        self._tables = dict(_list_tables(owner, body, statements))
        self._kept = {each.lstrip("_#") for each in _list_kept(body)}
        self._depth = 0
        self._known: dict[tuple[str, int], str | None] = {}  # what questions say, by their depth

    def write_answers(self) -> str:
        """The functions, beside the enum."""
        written = (self._write_method(e) or self._write_move(e) for e in self._methods.values())
        asked = "\n".join(filter(None, written))
        tables = "\n".join(
            f"const {self._name_table(name)} = {self._write(node, '')};"
            for name, node in self._tables.items()
            if self._name_table(name) in asked
        )
        inner = f"export namespace {self._owner} {{\n{asked}\n}}\n" if asked else ""
        return f"{inner}{tables}\n"

    def _name_table(self, name: str) -> str:
        """What a table is called that lists the states, as no other constant is."""
        return f"{self._owner}_{name}".upper()

    def _write_method(self, node: Node) -> str:
        name, given = read_name(node), list_inner(node, "parameters")
        is_static = any(each.type == "static" for each in node.children)
        if ASKING.fullmatch(name) is None or name in SAME or is_static or len(given) > 1:
            return ""
        other = read_text(given[0].child_by_field_name("pattern")) if given else ""
        body = node.child_by_field_name("body")
        if body is None or other == _STATE:
            return ""
        parameters = ", ".join(filter(None, (_STATE, other)))
        return f"export function {name}({parameters}) {self._write(body, other)}"

    def _write_move(self, node: Node) -> str:
        """What a method refuses, and which state it gives then; "" where it does anything else."""
        name, given = read_name(node), list_inner(node, "parameters")
        kinds = {each.type for each in node.children}
        if kinds & {"static", "get", "set"} or ASKING.fullmatch(name) or len(given) > 1:
            return ""
        listed = list_inner(node, "body")
        guards = [*itertools.takewhile(_is_guard, listed)]
        rest, other = listed[len(guards) :], _read_pattern(given)
        is_plain = len(rest) <= 1 and all(each.type == "return_statement" for each in rest)
        if name in (*SAME, *VALUES, "constructor") or not is_plain or not listed:
            return ""
        tests = [self._write_test(each, other) for each in guards]
        refused = " || ".join(tests) or "false === true"
        parameters = ", ".join(filter(None, (_STATE, "next" if other else "")))
        text = f"export function {REFUSES}{name}({parameters}) {{ return {refused}; }}"
        told = self._write_told(rest, other)
        gives = f"\nexport function {name}({parameters}) {{ return {told}; }}" if told else ""
        return text + gives if told or not rest else ""

    def _write_test(self, node: Node, other: str) -> str:
        condition = node.child_by_field_name("condition")
        return _name_next(self._write(condition, other), other) if condition is not None else ""

    def _write_told(self, rest: Sequence[Node], other: str) -> str:
        """The state that a method gives, "" where that is none by name, or what it is given."""
        value = rest[0].named_children[0] if rest and rest[0].named_children else None
        text = _name_next(self._write(value, other), other) if value is not None else ""
        constant = text.removeprefix(f"{self._owner}.")
        return text if text == "next" or constant in self._names.values() else ""

    def _write(self, node: Node, other: str) -> str:
        edits = Edits()
        self._walk(node, other, edits)
        return write_edits(node, edits).decode("utf-8", "replace")

    def _walk(self, node: Node, other: str, edits: Edits) -> None:
        text = self._say(node, other)
        if text is not None:
            edits[node.start_byte, find_end(node)] = text.encode()
            return
        for each in node.named_children:
            self._walk(each, other, edits)

    def _say(self, node: Node, other: str) -> str | None:
        """What is said in place of a part of a method; None where its own parts are."""
        match node.type:
            case "this":
                return _STATE
            case "string" if (key := f"'{read_text(node)[1:-1]}'") in self._names:
                return f"{self._owner}.{self._names[key]}"
            case "member_expression":
                return self._say_member(node, other)
            case "identifier" if read_text(node) in self._tables:
                return self._name_table(read_text(node))
            case "call_expression":
                return self._say_call(node, other)
            case "new_expression":
                return self._say_made(node, node.child_by_field_name("constructor"), other)
            case "pair":
                return self._say_pair(node, other)
        return None

    def _say_pair(self, node: Node, other: str) -> str | None:
        """An entry of a table by a text: ``open: ['shut']``."""
        key, listed = (node.child_by_field_name(part) for part in ("key", "value"))
        name = self._names.get(f"'{read_text(key)}'", "")
        if key is None or key.type != "property_identifier" or not name or listed is None:
            return None
        return f"[{self._owner}.{name}]: {self._write(listed, other)}"

    def _say_member(self, node: Node, other: str) -> str | None:
        owner = read_text(node.child_by_field_name("object"))
        name = read_text(node.child_by_field_name("property")).lstrip("#")
        whole = f"{owner}.{name}"
        if whole in self._names:
            return f"{self._owner}.{self._names[whole]}"
        if owner in (self._owner, "this") and name in self._tables:
            return self._name_table(name)
        if owner == self._owner and name in self._aliases:
            return f"{self._owner}.{self._aliases[name]}"
        if name.lstrip("_") in {*VALUES, *self._kept}:
            if owner in ("this", "this.props"):
                return self._answer(name) or _STATE
            if other and owner in (other, f"{other}.props"):
                return other
        return self._answer(name) if owner == "this" else None

    def _say_call(self, node: Node, other: str) -> str | None:
        called, given = node.child_by_field_name("function"), list_inner(node, "arguments")
        owner = called.child_by_field_name("object") if called is not None else None
        if called is None or owner is None:
            return None
        name = read_text(called.child_by_field_name("property"))
        if name in SAME and len(given) == 1:
            return f"({self._write(owner, other)} === {self._write(given[0], other)})"
        if given:
            own = self._answer(name, given[0], other) if read_text(owner) == "this" else None
            return own or (self._say_made(node, owner, other) if name in _MAKES else None)
        if read_text(owner) == self._owner:
            made = next((e for e in self._aliases if e in (name, _spell(name))), None)
            return f"{self._owner}.{self._aliases[made]}" if made is not None else None
        return self._say_member(called, other)

    def _say_made(self, node: Node, made: Node | None, other: str) -> str | None:
        """The state that ``new OrderStatus({ value })`` and ``OrderStatus.create(value)`` are."""
        given = list_inner(node, "arguments")
        if read_text(made) not in (self._owner, "this.constructor") or len(given) != 1:
            return None
        inner = [*list_children(given[0], "pair")] if given[0].type == "object" else []
        value = inner[0].child_by_field_name("value") if len(inner) == 1 else given[0]
        return self._write(value, other) if value is not None else None

    def _answer(self, name: str, given: Node | None = None, other: str = "") -> str | None:
        """What another question of the state, or one about what it is given, answers in one
        sentence.
        """
        node = self._methods.get(name)
        inner = list_inner(node, "body") if node is not None else []
        parameter = _read_pattern(list_inner(node, "parameters"))
        is_alone = len(inner) == 1 and inner[0].type == "return_statement"
        is_asked = (
            is_alone and bool(inner[0].named_children) and bool(parameter) is (given is not None)
        )
        if not is_asked or self._depth >= _DEEPEST:
            return None
        self._depth += 1
        key = name, self._depth
        if key not in self._known:
            self._known[key] = _shorten(self._write(inner[0].named_children[0], parameter))
        text = self._known[key]
        asked = _shorten(self._write(given, other)) if given is not None else ""
        self._depth -= 1
        if text is None or asked is None:
            return None
        return _shorten(f"({_rename(text, parameter, asked)})")


def _shorten(text: str) -> str | None:
    return text if len(text) <= _LONGEST else None


def _read_pattern(given: Sequence[Node]) -> str:
    return read_text(given[0].child_by_field_name("pattern")) if given else ""


def _name_next(text: str, other: str) -> str:
    """Code with one name for what every such method is given."""
    return _rename(text, other, "next")


def _rename(text: str, name: str, new: str) -> str:
    place = rf"(?<![\w.]){re.escape(name)}(?!\w)"
    return re.sub(place, lambda _: new, text) if name else text


def _is_guard(node: Node) -> bool:
    """``if (…) { throw new Error(); }``."""
    inner = node.child_by_field_name("consequence")
    block = [*list_children(inner)] if inner is not None and inner.type != "throw_statement" else []
    is_thrown = inner is not None and inner.type == "throw_statement"
    is_alone = node.type == "if_statement" and node.child_by_field_name("alternative") is None
    return is_alone and (is_thrown or [each.type for each in block] == ["throw_statement"])


def _spell(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", name).upper()


def _list_kept(body: Node | None) -> Iterator[str]:
    """The names of what an object of the class keeps."""
    for item in list_children(body):
        if item.type == "public_field_definition":
            if not any(each.type == "static" for each in item.children):
                yield read_name(item)
        elif item.type == "method_definition" and read_name(item) == "constructor":
            for each in list_inner(item, "parameters"):
                if any(p.type in ("accessibility_modifier", "readonly") for p in each.children):
                    yield read_text(each.child_by_field_name("pattern"))


def _list_tables(
    owner: str, body: Node | None, statements: Sequence[Node]
) -> Iterator[tuple[str, Node]]:
    """The lists and tables of a class, and of its file, by name."""
    for node in statements:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "lexical_declaration":
            for each in list_children(declared, "variable_declarator"):
                yield from _read_table(each)
    for item in list_children(body, "public_field_definition"):
        if any(each.type == "static" for each in item.children):
            yield from _read_table(item)


def _read_table(node: Node) -> Iterator[tuple[str, Node]]:
    value, name = node.child_by_field_name("value"), read_name(node).lstrip("#")
    text = read_text(value)
    if value is not None and re.match(r"[\[{]|new (?:Map|Set)\b|Object\.freeze\(", text):
        yield name, value
