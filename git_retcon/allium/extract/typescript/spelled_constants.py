"""Sources that spell constants which are texts where a union lists these.

``status: 'new' | 'paid'`` and then ``this.status = STATUS.PAID``, with ``const STATUS = { PAID:
'paid' }`` beside it, says what ``this.status = 'paid'`` does.
"""

import re
from collections.abc import Collection, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    parse_source,
    read_text,
)
from git_retcon.allium.extract.typescript.constant_values import Values, list_values
from git_retcon.allium.extract.typescript.outer_statements import list_statements
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits

_MAY_SPELL = re.compile(rb"(?:\||:)\s*'[\w-]+'\s*\||(?:\||:)\s*\"[\w-]+\"\s*\|")
_MEMBER = re.compile(rb"\b[A-Za-z]\w*\.[A-Z]\w*")


def spell_constants(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where its classes name no such constant."""
    may_spell = b"class" in content and _MAY_SPELL.search(content) is not None
    if not may_spell or _MEMBER.search(content) is None:
        return content
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        nodes = [*list_statements(root.named_children if root is not None else ())]
        texts = {text for each in nodes for text in _list_texts(each)}
        values = {k: v for k, v in list_values(nodes).items() if "." in k and v[1:-1] in texts}
        for each in nodes if values else ():
            declared = each.child_by_field_name("declaration") or each
            for item in list_children(declared.child_by_field_name("body")):
                _spell(item, values, edits)
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


def _list_texts(node: Node) -> Iterator[str]:
    """The texts that unions list."""
    if b"|" not in (node.text or b""):
        return
    if node.type == "union_type":
        for each in list_children(node, "literal_type"):
            text = read_text(each)
            yield from [text[1:-1]] if text[:1] in "'\"" else []
    for each in node.named_children:
        yield from _list_texts(each)


def _spell(node: Node, values: Values, edits: Edits) -> None:
    if node.type == "member_expression" and read_text(node) in values:
        edits[node.start_byte, find_end(node)] = values[read_text(node)].encode()
    elif not _is_kept(node, values):
        for each in node.named_children:
            _spell(each, values, edits)


def _is_kept(node: Node, values: Collection[str]) -> bool:
    """Whether a part names none of them, which most do not."""
    return not any(each.encode() in (node.text or b"") for each in values)
