"""Functions of a file that its classes bind to their objects.

``function onClose() { this.state = CLOSED; }`` beside a class that has
``socket.onclose = onClose.bind(this);`` does what a method of the class would.
"""

from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.typescript.outer_statements import list_statements

_BINDING = b".bind(this"


def find_bound_function(node: Node) -> Node | None:
    """The function of the file that ``onClose.bind(this)`` binds in a class; None for anything
    else. What such a function binds, as itself to run again, says nothing.
    """
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is None or read_text(called.child_by_field_name("property")) != "bind":
        return None
    owner, given = called.child_by_field_name("object"), list_inner(node, "arguments")
    is_bound = bool(given) and given[0].type == "this"
    if owner is None or owner.type != "identifier" or not is_bound:
        return None
    root, is_member = node, False
    while root.parent is not None:
        root = root.parent
        is_member |= root.type == "class_body"
    if not is_member:
        return None
    found = [
        declared
        for each in list_statements(root.named_children)
        for declared in (each.child_by_field_name("declaration") or each,)
        if declared.type == "function_declaration" and read_name(declared) == read_text(owner)
    ]
    return found[0] if len(found) == 1 else None


def list_bound_functions(body: Node) -> Iterator[Node]:
    """The functions of the file that the members of a class bind, each once."""
    known: set[int] = set()
    waiting = [*list_children(body)] if _BINDING in (body.text or b"") else []
    while waiting:
        node = waiting.pop()
        found = find_bound_function(node)
        if found is not None and found.id not in known:
            known.add(found.id)
            yield found
        waiting += [each for each in node.named_children if _BINDING in (each.text or b"")]
