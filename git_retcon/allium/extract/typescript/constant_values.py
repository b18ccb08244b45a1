"""Constants of a TypeScript file: each is one text, number or symbol, as their code names them.

``const STATE_OPEN = 'open'``, ``const State = { Open: 'open' }`` as ``State.Open``, and
``static readonly OPEN = 1`` of a class as ``Door.OPEN``, as is what ``Door.OPEN = 1`` gives it.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.state_words import is_called_state

# The sources of values by the names of their constants: "'open'", "1".
Values: TypeAlias = Mapping[str, str]
_HEX = re.compile(r"0[xX][0-9a-fA-F]+")
_SYMBOLS = ("Symbol", "Symbol.for")  # each call makes another value, or asks for one by its name
# What calls something, or takes a part of it.
_USED = frozenset({"call_expression", "member_expression", "subscript_expression"})
_CLASSES = ("class_declaration", "abstract_class_declaration")
_VARIABLES = ("lexical_declaration", "variable_declaration")


def list_values(nodes: Iterable[Node]) -> Values:
    """Those at the top of a file, in its objects and in its classes."""
    listed = [*nodes]
    found = dict(pair for node in listed for pair in _list_pairs(node))
    return {**found, **dict(_list_renamed(listed, found))}


def _list_renamed(nodes: Iterable[Node], found: Values) -> Iterator[tuple[str, str]]:
    """The members of an object that a class is given: ``Door.STATE = STATE;``."""
    for node in nodes:
        put = node.named_children[0] if node.type == "expression_statement" else None
        if put is not None and put.type == "assignment_expression":
            left, right = (read_text(put.child_by_field_name(e)) for e in ("left", "right"))
            owner, _, name = left.rpartition(".")
            if owner.isidentifier() and owner[0].isupper() and name.isupper():
                members = ((each.rpartition("."), text) for each, text in found.items())
                yield from ((f"{left}.{e[2]}", text) for e, text in members if e[0] == right)


def _list_pairs(node: Node) -> Iterator[tuple[str, str]]:
    declared = node.child_by_field_name("declaration") or node
    if declared.type in _VARIABLES:
        for each in list_kept(declared):
            value, name = each.child_by_field_name("value"), read_name(each)
            alone = read_alone(value, name)
            if alone:
                yield name, alone
            else:
                found = list_members(value) or _list_grouped(name, value)
                # What is written small holds options for the most part, but for texts alone.
                is_named = is_called_constant(name, found) or is_called_state(name.rstrip("s"))
                is_named |= not any(map(_is_number, found.values()))
                yield from ((f"{name}.{k}", text) for k, text in found.items() if is_named)
    elif declared.type in _CLASSES:
        for each in list_children(declared.child_by_field_name("body")):
            for name, text in _list_fixed(each):
                yield f"{read_name(declared)}.{name}", text
    elif declared.type == "expression_statement":
        yield from _list_put(declared.named_children[0])
    elif declared.type == "export_statement":
        yield from _list_exported(declared.child_by_field_name("value"))


def list_kept(declared: Node) -> Iterator[Node]:
    """The constants that a statement declares, and the objects that its file never changes, though
    ``let`` or ``var`` declares them.
    """
    is_constant = read_text(declared).startswith("const")
    for each in list_children(declared, "variable_declarator"):
        value = each.child_by_field_name("value")
        is_object = value is not None and value.type in ("object", "call_expression")
        if is_constant or (is_object and _is_kept(declared, read_name(each))):
            yield each


def list_bound(declared: Node) -> Iterator[Node]:
    """The declarations of a statement whose names keep what something else makes or has."""
    is_constant = read_text(declared).startswith("const")
    for each in list_children(declared, "variable_declarator"):
        value = each.child_by_field_name("value")
        is_made = value is not None and value.type in ("member_expression", "call_expression")
        is_open = is_made and open_object(value) is None
        if is_open and (is_constant or _is_kept(declared, read_name(each))):
            yield each


def _is_kept(declared: Node, name: str) -> bool:
    root = declared
    while root.parent is not None:
        root = root.parent
    return len(_match_change(name).findall(read_text(root))) == 1  # where it is declared


@functools.cache
def _match_change(name: str) -> "re.Pattern[str]":
    place = rf"(?<![\w.$]){re.escape(name)}(?![\w$])(?:\s*\.\s*[\w$]+|\s*\[[^\]]*\])?"
    return re.compile(rf"{place}\s*(?:(?:[-+*/%|&?^]|\|\||&&|\?\?)?=(?![=>])|\+\+|--)")


def is_called_constant(name: str, members: Iterable[str]) -> bool:
    """Whether an object holds constants by its name, or by those of all its members."""
    return name[:1].isupper() or all(each.isupper() for each in members)


def _list_fixed(item: Node) -> Iterator[tuple[str, str]]:
    """What a member of a class has for good: ``static OPEN = 1``, ``static get OPEN() { … }``."""
    words, name = {part.type for part in item.children}, read_name(item).lstrip("#")
    is_fixed = "readonly" in words or name.isupper()
    value = item.child_by_field_name("value")
    if item.type == "method_definition" and "get" in words:
        value = _find_returned(item.child_by_field_name("body"))
    if "static" in words and is_fixed and value is not None:
        yield from _name_values(name, value)


def _find_returned(body: Node | None) -> Node | None:
    """What a function returns that does nothing else."""
    inner = [*list_children(body)]
    is_return = len(inner) == 1 and inner[0].type == "return_statement"
    return next(iter(inner[0].named_children), None) if is_return else None


def _list_put(node: Node) -> Iterator[tuple[str, str]]:
    """What ``Door.OPEN = 1;`` beside a class gives it."""
    left, right = (node.child_by_field_name(part) for part in ("left", "right"))
    owner, _, name = read_text(left).rpartition(".")
    if node.type != "assignment_expression" or right is None:
        return
    if owner in ("exports", "module.exports"):
        yield from _name_values(name, right)
    elif (owner, name) == ("module", "exports"):
        yield from _list_exported(right)
    elif owner.isidentifier():
        is_fixed = owner[:1].isupper() and name.isupper()
        yield from _name_values(f"{owner}.{name}", right) if is_fixed else ()


def _list_exported(value: Node | None) -> Iterator[tuple[str, str]]:
    """What others find in an object that a file exports: what else is in it may be anything."""
    inner = open_object(value)
    for pair in list_children(inner, "pair"):
        name = read_text(pair.child_by_field_name("key")).strip("'\"")
        held = pair.child_by_field_name("value")
        yield from _name_values(name, held) if held is not None else ()


def list_alone(values: Values) -> Mapping[str, tuple[Choice, ...]]:
    """The constants that other files may take alone, each with its value."""
    return {
        name: (Choice(read_stored(text), name, name.lower()),)
        for name, text in values.items()
        if "." not in name and name.isupper()
    }


def _name_values(name: str, value: Node) -> Iterator[tuple[str, str]]:
    alone = read_alone(value, name)
    if alone:
        yield name, alone
    else:
        yield from ((f"{name}.{key}", text) for key, text in list_members(value).items())


def read_alone(value: Node | None, name: str) -> str:
    """The source of a text, a number as people count, or what says that a symbol of this name is
    no other value; "" for all else.
    """
    text = read_text(value)
    match value.type if value is not None else "":
        case "string":
            return text
        case "number":
            return f"{int(text, 16)}" if _HEX.fullmatch(text) else text
        case "unary_expression" if text[:1] == "-" and text[1:].isdecimal():
            return text
        case "call_expression" if text.partition("(")[0].strip() in _SYMBOLS:
            return f"Symbol({name})"
    return ""


def _is_number(text: str) -> bool:
    return text[0] not in "'\"S"


def list_members(value: Node | None) -> Values:
    """The members of an object of different texts, numbers or symbols; none of any other."""
    pairs = _list_held(value)
    return dict(pairs) if len({text for _, text in pairs}) == len(pairs) else {}


def _list_grouped(name: str, value: Node | None) -> Values:
    """The constants of an object that holds several kinds of them, each numbered for itself, or
    other things as well: ``const C = { STATE_NEW: 0, STATE_DONE: 1, ERROR_LOST: 0, waits: {} }``.
    """
    pairs = list_children(open_object(value), "pair") if name[:1].isupper() else ()
    named = [(read_text(each.child_by_field_name("key")), each) for each in pairs]
    found = {
        key: read_alone(pair.child_by_field_name("value"), key)
        for key, pair in named
        if key.isupper()
    }
    return {key: text for key, text in found.items() if text}


def _list_held(value: Node | None) -> Sequence[tuple[str, str]]:
    """The members of an object, each with the source of its constant; none where one has none."""
    found: list[tuple[str, str]] = []
    for pair in list_children(open_object(value)):
        if pair.type != "comment":
            name = read_text(pair.child_by_field_name("key")).strip("'\"")
            found.append((name, read_alone(pair.child_by_field_name("value"), name)))
            if not found[-1][1]:
                return []
    return found


def open_object(value: Node | None, kind: str = "object") -> Node | None:
    """The object of ``{ … } as const`` and ``Object.freeze({ … })``, or the ``array``; None for
    anything else.
    """
    if value is None or value.type == kind:
        return value
    if value.type == "satisfies_expression":
        return open_object(value.named_children[0], kind)
    if value.type == "as_expression" and read_text(value).rstrip().endswith("const"):
        return open_object(value.named_children[0], kind)
    given = list_inner(value, "arguments")
    is_frozen = read_text(value.child_by_field_name("function")) == "Object.freeze"
    return open_object(given[0], kind) if is_frozen and len(given) == 1 else None


def spell_symbol(symbol: str) -> str:
    """The name of a constant as bodies have it: of ``State.HalfOpen``, ``HALF_OPEN``."""
    owner, _, name = symbol.rpartition(".")
    is_member = owner.rpartition(".")[2][:1].isupper() and not name.islower()
    return spell_words(name).upper() if is_member else name


def read_stored(value: str) -> object:
    """The value that the source of a constant means."""
    if value[0] in "'\"":
        return value[1:-1]
    if re.fullmatch(r"0[xX][\da-fA-F]+", value):
        return int(value, 16)
    return int(value) if value.removeprefix("-").isdecimal() else value


def is_small_member(node: Node, name: str) -> bool:
    """``Phase.inTest``, which may be a member of an enum, and is nothing that is called or has
    members itself.
    """
    owner, outer = read_text(node.child_by_field_name("object")).rpartition(".")[2], node.parent
    is_used = outer is not None and outer.type in _USED and outer.named_children[0] == node
    return owner[:1].isupper() and name[:1].islower() and not (name.islower() or is_used)


def spell_taken(owner: str, name: str) -> str:
    """The name of what code takes out of something, as bodies have it: see `is_small_member`."""
    is_member = owner.rpartition(".")[2][:1].isupper() and name[:1].islower()
    return spell_words(name).upper() if is_member and not name.islower() else name
