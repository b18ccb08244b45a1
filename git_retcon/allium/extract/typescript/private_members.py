"""Members of a class that it keeps for itself."""

from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text


def is_marked_private(item: Node) -> bool:
    """Whether a member is ``private``, has a name that begins with ``#``, or a comment before it
    that says ``@private``.
    """
    above = item.prev_named_sibling
    is_told = above is not None and above.type == "comment" and "@private" in read_text(above)
    return is_told or "private" in [*_list_marks(item)]


def _list_marks(item: Node) -> Iterator[str]:
    for each in item.children:
        if each.type == "accessibility_modifier" or read_text(each).startswith("#"):
            yield "private" if read_text(each)[0] == "#" else read_text(each)
