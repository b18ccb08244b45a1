"""What the calls of a class hand its own methods: ``this._fail(error, 'idle')``."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_name, read_text
from git_retcon.allium.extract.typescript.class_functions import find_function


class Handed(NamedTuple):
    """An argument as it is written, and the member of the class that hands it."""

    text: str
    item: Node


def list_handed(body: Node, item: Node, parameter: str) -> Sequence[Handed] | None:
    """What a class hands one parameter of its method ``item``, "" where a call leaves it out; None
    where the method has no such one, or runs elsewhere as well.
    """
    given = list_inner(find_function(item), "parameters")
    names = [read_text(each.child_by_field_name("pattern")) for each in given]
    if parameter not in names:
        return None
    at, found = names.index(parameter), []
    for member, use in _list_uses(body, read_name(item)):
        call = use.parent
        is_called = call is not None and call.child_by_field_name("function") == use
        handed = list_inner(call, "arguments")
        if not is_called or any(each.type == "spread_element" for each in handed):
            return None
        found.append(Handed(read_text(handed[at]) if len(handed) > at else "", member))
    return found


def is_typed(item: Node, parameter: str) -> bool:
    """Whether a method says what type its parameter has: JavaScript cannot."""
    given = list_inner(find_function(item), "parameters")
    named = (e for e in given if read_text(e.child_by_field_name("pattern")) == parameter)
    return any(each.child_by_field_name("type") is not None for each in named)


def _list_uses(body: Node, name: str) -> Iterator[tuple[Node, Node]]:
    """Where a class names a member of its own: in which one, and the name itself."""
    for member in body.named_children:
        waiting = [member] if name.encode() in (member.text or b"") else []
        while waiting:
            node = waiting.pop()
            owner = node.child_by_field_name("object")
            is_own = owner is not None and owner.type == "this"
            if is_own and read_text(node.child_by_field_name("property")) == name:
                yield member, node
            waiting += node.named_children
