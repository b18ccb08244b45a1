"""Sources in which an operation does what the event does that it applies.

``place() { this.apply(new OrderPlaced(this.id)); }`` sets what ``onOrderPlaced(event)`` sets, or
the part of ``when(event)`` that is for such an event. Neither is an operation by itself: it also
runs where an object is made again of its events.
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
from git_retcon.allium.extract.typescript.event_branches import (
    find_branch,
    is_dispatching,
    names_event,
)
from git_retcon.allium.extract.typescript.rewritten_sources import (
    Edits,
    find_end,
    rewrite_classes,
)

_MAY_APPLY = re.compile(
    rb"\bthis\.#?\w+(?:<\w+>)?\(\s*(?:new\s+[A-Z]|\w+[,)]|\{\s*(?:type|kind|name|eventType)\b)"
)
_HANDLER = re.compile(r"[_#]*(?:on|apply|when|handle)_?([A-Z]\w*)")
_DISPATCHER = re.compile(
    r"[_#]*(?:apply|when|mutate|on|handle|evolve|dispatch|process|transition|project)\w*"
)
_APPLYING = re.compile(
    r"[_#]*(?:apply|raise|record|emit|cause|trigger|when|handle"
    r"|produce|add\w*[Ee]vent)\w*"
)
# What a class extends that is made again of its events.
_AGGREGATE = re.compile(r"(?i)\bextends\s+\w*(?:aggregate|entity|event_?sourc|root)")
_NAMED = re.compile(r"(?:type|kind|name|eventType|eventName|event)")
_MADE = r"\b(?:const|let)\s+{0}\b[^=;]*=\s*(?:new\s+(\w+)|(\w+)\.create)\("


class _Applied(NamedTuple):
    """A statement that applies an event, the method that it runs, and the names of the event, none
    where something else has made it.
    """

    statement: Node
    runs: str
    names: frozenset[str]


def apply_events(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no class of it has such events."""
    if b"class" not in content or _MAY_APPLY.search(content) is None:
        return content
    return rewrite_classes(content, grammar, language, lambda node: _Sourced(node).open())


class _Sourced:
    """A class with what its events do."""

    def __init__(self, node: Node) -> None:
        methods = list_children(node.child_by_field_name("body"), "method_definition")
        extended = " ".join(map(read_text, list_children(node, "class_heritage")))
        self._is_heir = _AGGREGATE.search(extended) is not None
        self._methods = {
            read_name(each): each
            for each in methods
            if not any(part.type in ("static", "get", "set") for part in each.children)
        }
        body = read_text(node.child_by_field_name("body"))
        fields = dict.fromkeys(re.findall(r"\bthis\.(#?\w+)\s*=(?![=>])", body))
        # What is done for an event that is not known may give each of them anything.
        self._unknown = "".join(
            f" this.{each} = unknownEvent.{each.lstrip('#')};" for each in fields
        )
        self._dispatchers = {
            name: each for name, each in self._methods.items()
            if _DISPATCHER.fullmatch(name) and is_dispatching(each)
        }  # fmt: skip

    def open(self) -> Edits:
        edits = Edits()
        is_sourced = False
        used: set[str] = set()
        for name, method in self._methods.items():
            if name in self._dispatchers or name == "constructor" or self._is_handler(name):
                continue
            for each in _list_applied(method):
                if not self._leads_on(each.runs):
                    continue
                is_sourced |= bool(self._dispatchers)
                found = self._find_done(each.names, used) if each.names else self._unknown
                if found is not None:
                    is_sourced |= bool(each.names)
                    place = each.statement.start_byte, find_end(each.statement)
                    kept = "" if each.runs in self._methods else read_text(each.statement)
                    edits[place] = f"{{ {found} }} {kept}".encode()
        if not is_sourced:
            return Edits()
        for name, method in self._methods.items():
            if name in used or name in self._dispatchers or self._is_handler(name):
                edits[_find_start(method), find_end(method)] = b""
        return edits

    def _is_handler(self, name: str) -> bool:
        """Whether a method is there for one event by its name, and by what it is given."""
        found, given = _HANDLER.fullmatch(name), list_inner(self._methods[name], "parameters")
        if found is None or len(given) != 1:
            return False
        kind = read_text(given[0].child_by_field_name("type")).lstrip(": ")
        word = read_text(given[0].child_by_field_name("pattern"))
        return _cut(kind) == _cut(found[1]) or kind.endswith("Event") or word.endswith("vent")

    def _leads_on(self, name: str) -> bool:
        """Whether a method that is given an event has what is there for it run."""
        own = self._methods.get(name)
        if own is None:
            return self._is_heir and _APPLYING.fullmatch(name) is not None
        text = read_text(own.child_by_field_name("body"))
        runs = {*re.findall(r"\bthis\.#?(\w+)\(", text)}
        is_open = re.search(r"\bthis(?: as \w+\))?\[", text) is not None
        return name in self._dispatchers or is_open or bool(runs & self._dispatchers.keys())

    def _find_done(self, names: frozenset[str], used: set[str]) -> str | None:
        """What is done for an event, None where nothing is; ``used`` gets the methods."""
        for name, method in self._methods.items():
            found = _HANDLER.fullmatch(name)
            if found is not None and _cut(found[1]) in {*map(_cut, names)}:
                used.add(name)
                return self._read_body(method, used)
        for name, method in self._dispatchers.items():
            branch = find_branch(method, names)
            if branch is not None:
                used.add(name)
                return self._read_branch(branch, used)
            if names_event(method, names):
                return self._unknown
        return None

    def _read_body(self, method: Node, used: set[str]) -> str:
        return self._read_branch(list_inner(method, "body"), used)

    def _read_branch(self, branch: Sequence[Node], used: set[str]) -> str:
        """The statements of a branch, those of the step that it runs if it does nothing else."""
        listed = [each for each in branch if not _is_end(each)]
        if len(listed) == 1:
            called = re.fullmatch(r"(?:return )?this\.#?(\w+)\([^()]*\);?", read_text(listed[0]))
            step = self._methods.get(called[1]) if called is not None else None
            if called is not None and step is not None and called[1] not in used:
                used.add(called[1])
                return self._read_body(step, used)
        text = " ".join(map(read_text, listed))
        return self._unknown if re.search(r"\breturn\b|\bawait\b|\bbreak\b", text) else text


def _find_start(method: Node) -> int:
    """Where a method begins, with its decorators."""
    first, above = method, method.prev_named_sibling
    while above is not None and above.type in ("decorator", "comment"):
        first, above = above, above.prev_named_sibling
    return first.start_byte


def _is_end(node: Node) -> bool:
    return node.type in ("break_statement", "comment") or read_text(node) in ("return;", "return")


def _cut(name: str) -> str:
    """The name of an event without what says that it is one."""
    return re.sub(r"(?:Domain)?Event(?:V\d+)?$|^on", "", name)


def _list_applied(method: Node) -> Iterator[_Applied]:
    """The statements of a method that apply an event which is told."""
    text = read_text(method.child_by_field_name("body"))
    for each in _list_statements(method.child_by_field_name("body")):
        value = each.named_children[0] if each.named_children else None
        if value is not None and value.type == "await_expression":
            value = value.named_children[0]
        given = list_inner(value, "arguments")
        called = value.child_by_field_name("function") if value is not None else None
        owner = called.child_by_field_name("object") if called is not None else None
        if called is None or owner is None or owner.type != "this" or not given:
            continue
        names = frozenset(_list_names(given[0], text))
        if names or _is_made(given[0], text):
            name = read_text(called.child_by_field_name("property"))
            yield _Applied(each, name, names)


def _is_made(node: Node, text: str) -> bool:
    """Whether what a method is given is something that a function has made, not what the caller
    gives it: an event that nobody can name.
    """
    if node.type in ("call_expression", "await_expression"):
        return True
    made = rf"\b(?:const|let)\s+{re.escape(read_text(node))}\s*(?::[^=;]*)?=\s*(?!new\b)[^;]*\("
    return node.type == "identifier" and re.search(made, text) is not None


def _list_statements(node: Node | None) -> Iterator[Node]:
    for each in list_children(node):
        if each.type in ("expression_statement", "return_statement"):
            yield each
        elif "function" not in each.type and not each.type.startswith("class"):
            yield from _list_statements(each)


def _list_names(node: Node, text: str) -> Iterator[str]:
    """How an event may be called where it is applied: by its class, or by what its type is."""
    match node.type:
        case "new_expression":
            yield read_text(node.child_by_field_name("constructor"))
        case "call_expression":
            called = re.fullmatch(
                r"([A-Z]\w*)\.create", read_text(node.child_by_field_name("function"))
            )
            yield from [called[1]] if called is not None else []
        case "identifier":
            made = re.findall(_MADE.format(re.escape(read_text(node))), text)
            yield from filter(None, made[0]) if len(made) == 1 else ()
        case "object":
            for key, value in _list_pairs(node).items():
                if _NAMED.fullmatch(key):
                    yield value.strip("'\"").removesuffix(".name")


def _list_pairs(node: Node) -> Mapping[str, str]:
    return {
        read_text(each.child_by_field_name("key")): read_text(each.child_by_field_name("value"))
        for each in list_children(node, "pair")
    }
