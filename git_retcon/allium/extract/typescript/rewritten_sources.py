"""Sources with other text in some places."""

from typing import TypeAlias

from git_retcon.allium.extract.grammar.syntax_nodes import Node

# Other text for bytes of a source, from the first to behind the last.
Edits: TypeAlias = dict[tuple[int, int], bytes]


def find_end(node: Node) -> int:
    """Where a node ends in its source."""
    return node.start_byte + len(node.text or b"")


def write(node: Node, edits: Edits) -> bytes:
    """The source of a node with all these edits: of two in one place, the one around the other."""
    text, found, at = node.text or b"", [], node.start_byte
    for (start, end), new in sorted(edits.items(), key=lambda each: (each[0][0], -each[0][1])):
        if start >= at and end <= find_end(node):
            found += [text[at - node.start_byte : start - node.start_byte], new]
            at = end
    return b"".join([*found, text[at - node.start_byte :]])
