"""Questions about each of a list: ``[Status.New].some((each) => each === this.status)``.

What else such a question says of the object is not known, but that it asks for it.
"""

import ast
from collections.abc import Iterator

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    find_first,
    list_inner,
    read_text,
)

_ASKING = frozenset({"some", "every", "find", "findIndex", "filter"})


def ask_each(node: Node, bodies: Bodies) -> ast.expr | None:
    """Such a question; None for any other call."""
    called, given = node.child_by_field_name("function"), list_inner(node, "arguments")
    owner = called.child_by_field_name("object") if called is not None else None
    name = read_text(called.child_by_field_name("property")) if called is not None else ""
    if owner is None or name not in _ASKING or len(given) != 1:
        return None
    if given[0].type != "arrow_function":
        return None
    other = _find_other(given[0], name)
    if other is not None:
        op = ast.In() if name == "some" else ast.NotIn()
        among = bodies.translate(owner)
        return ast.Compare(left=bodies.translate(other), ops=[op], comparators=[among])
    asked = [bodies.translate(each) for each in _list_own(given[0])]
    if not asked:
        return None
    return ast.Call(func=ast.Name("_"), args=[bodies.translate(owner), *asked], keywords=[])


def _find_other(function: Node, name: str) -> Node | None:
    """What each is compared with, where one of them has to be it, or none may."""
    parameter = function.child_by_field_name("parameter")
    named = list_inner(function, "parameters")
    word = read_text(parameter) if parameter is not None else ""
    if len(named) == 1:
        word = read_text(named[0].child_by_field_name("pattern") or named[0])
    body = function.child_by_field_name("body")
    while body is not None and body.type == "parenthesized_expression":
        body = find_first(body)
    sign = read_text(body.child_by_field_name("operator")) if body is not None else ""
    is_asked = sign in ("===", "==") if name == "some" else sign in ("!==", "!=")
    if body is None or name not in ("some", "every") or not is_asked or not word:
        return None
    left, right = (body.child_by_field_name(each) for each in ("left", "right"))
    texts = [read_text(left), read_text(right)]
    if texts.count(word) != 1:
        return None
    return right if texts[0] == word else left


def _list_own(node: Node) -> Iterator[Node]:
    """What a function names of its object."""
    if node.type == "member_expression" and read_text(node).startswith("this."):
        yield node
        return
    for each in node.named_children:
        yield from _list_own(each)
