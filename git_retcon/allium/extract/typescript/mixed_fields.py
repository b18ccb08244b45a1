"""Sources that name each field that an object gets of another one.

``Object.assign(this, { status: Status.Paid })`` sets ``this.status``, and so does ``this.update({
status: Status.Paid })`` of a model whose rows a store keeps.
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
from git_retcon.allium.extract.typescript.rewritten_sources import (
    Edits,
    find_end,
    rewrite_classes,
)

_MAY_MIX = re.compile(rb"\bObject\.assign\(\s*this\s*,|\bthis\.(?:update|set|assign)\(\s*\{")
_STORED = re.compile(r"\bextends\s+(?:\w+\.)?(?:Model|BaseModel|BaseEntity|ActiveRecord)\b")
_SETTING = frozenset({"this.update", "this.set", "this.assign"})


def set_mixed(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where no class of it does so."""
    if b"class" not in content or _MAY_MIX.search(content) is None:
        return content
    return rewrite_classes(content, grammar, language, _open_class)


def _open_class(node: Node) -> Edits:
    edits = Edits()
    heritage = " ".join(map(read_text, list_children(node, "class_heritage")))
    body = node.child_by_field_name("body")
    own = {f"this.{read_name(each)}" for each in list_children(body)}
    is_stored = _STORED.search(heritage) is not None
    _set(body, _SETTING - own if is_stored else frozenset(), edits)
    return edits


def _set(node: Node | None, setting: frozenset[str], edits: Edits) -> None:
    if node is None or _MAY_MIX.search(node.text or b"") is None:
        return
    if node.type in ("expression_statement", "return_statement") and node.named_children:
        values = [*_list_values(node.named_children[0], setting)]
        if values:
            told = "".join(f" this.{name} = {value};" for name, value in values)
            kept = read_text(node) if setting else ""
            edits[node.start_byte, find_end(node)] = f"{{{told} {kept} }}".encode()
            return
    for each in node.named_children:
        _set(each, setting, edits)


def _list_values(node: Node, setting: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The fields that a call sets, each with its value; nothing where it may set others."""
    if node.type == "await_expression":
        yield from _list_values(node.named_children[0], setting)
        return
    called, given = read_text(node.child_by_field_name("function")), list_inner(node, "arguments")
    if called == "Object.assign" and len(given) == 2 and read_text(given[0]) == "this":
        given = given[1:]
    elif called not in setting:
        return
    inner = list_children(given[0]) if given and given[0].type == "object" else ()
    parts = [each for each in inner if each.type != "comment"]
    if all(each.type in ("pair", "shorthand_property_identifier") for each in parts):
        for each in parts:
            key, value = (each.child_by_field_name(part) for part in ("key", "value"))
            name = read_text(key) if key is not None else read_text(each)
            yield name, read_text(value) if value is not None else name
