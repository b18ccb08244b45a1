"""Sources with other text in some places."""

from collections.abc import Callable
from typing import TypeAlias

from git_retcon.allium.extract.grammar.syntax_nodes import Node, parse_source
from git_retcon.allium.extract.typescript.outer_statements import list_statements

# Other text for bytes of a source, from the first to behind the last.
Edits: TypeAlias = dict[tuple[int, int], bytes]


def rewrite_classes(
    content: bytes, grammar: str, language: str, open_class: Callable[[Node], Edits]
) -> bytes:
    """A source in which each class has the edits that ``open_class`` makes of it; the same where
    there are none, or where it is nested beyond anything that a person writes.
    """
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        for each in list_statements(root.named_children if root is not None else ()):
            declared = each.child_by_field_name("declaration") or each
            if declared.type in ("class_declaration", "abstract_class_declaration"):
                edits |= open_class(declared)
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content


def find_end(node: Node) -> int:
    """Where a node ends in its source."""
    return node.start_byte + len(node.text or b"")


def write_edits(node: Node, edits: Edits) -> bytes:
    """The source of a node with all these edits: of two in one place, the one around the other."""
    text, found, at = node.text or b"", [], node.start_byte
    for (start, end), new in sorted(edits.items(), key=lambda each: (each[0][0], -each[0][1])):
        if start >= at and end <= find_end(node):
            found += [text[at - node.start_byte : start - node.start_byte], new]
            at = end
    return b"".join([*found, text[at - node.start_byte :]])
