"""Loops that are calls: ``orders.forEach((order) => { order.status = PAID; })``, and
``await Promise.all(orders.map(async (order) => { … }))``.
"""

import ast
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_text

_EACH = "forEach"
_MAP = "map"
# What waits for all that a function does with each of some objects.
_ALL = frozenset({"Promise.all", "Promise.allSettled"})


def translate_each(node: Node | None, bodies: Bodies) -> Statements | None:
    """A call that runs a function for each of some objects, as a loop; None for any other."""
    call = _open_awaited(node)
    called = call.child_by_field_name("function") if call is not None else None
    method = _EACH
    if call is not None and read_text(called) in _ALL:
        given = list_inner(call, "arguments")
        call = given[0] if len(given) == 1 else None
        called = call.child_by_field_name("function") if call is not None else None
        method = _MAP
    if call is None or called is None or called.type != "member_expression":
        return None
    arguments = list_inner(call, "arguments")
    if read_text(called.child_by_field_name("property")) != method or len(arguments) != 1:
        return None
    names = _list_given(arguments[0])
    if names is None:
        return None
    body = bodies.translate_block([arguments[0].child_by_field_name("body")])
    continued = _Continued()
    looped = [continued.visit(each) for each in body]
    if continued.is_open:
        return None
    listed = bodies.translate(called.child_by_field_name("object"))
    elements: list[ast.expr] = [ast.Name(each) for each in names or ["_each"]]
    is_one = len(elements) == 1
    target = elements[0] if is_one else ast.Tuple(elts=elements, ctx=ast.Store())
    return [ast.For(target=target, iter=listed, body=looped or [ast.Pass()], orelse=[])]


def _open_awaited(node: Node | None) -> Node | None:
    """What is called, with or without waiting for it."""
    if node is not None and node.type == "await_expression":
        return node.named_children[0] if node.named_children else None
    return node


def _list_given(function: Node) -> Sequence[str] | None:
    """The names of a function for one of some objects, for parts of it, and for its place among
    these; None for what is no function.
    """
    if function.type not in ("arrow_function", "function_expression"):
        return None
    alone = function.child_by_field_name("parameter")
    given = [alone] if alone is not None else list_inner(function, "parameters")
    return [name for each in given for name in _list_names(each)]


def _list_names(node: Node) -> Iterator[str]:
    pattern = node.child_by_field_name("pattern")  # beside its type
    if pattern is not None:
        yield from _list_names(pattern)
    elif node.type in ("identifier", "shorthand_property_identifier_pattern"):
        yield read_text(node)
    elif node.type == "pair_pattern":
        yield from _list_names(node.named_children[-1])
    else:
        for each in node.named_children:
            yield from _list_names(each)


class _Continued(ast.NodeTransformer):
    """A function's body as that of a loop: what returns goes on with the next object."""

    def __init__(self) -> None:
        self.is_open = False
        self._depth = 0

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        # From a loop in the loop it would go on with that one.
        self.is_open |= self._depth > 0
        return ast.Continue()

    def visit_For(self, node: ast.For) -> ast.stmt:
        return self._enter(node)

    def visit_While(self, node: ast.While) -> ast.stmt:
        return self._enter(node)

    def _enter(self, node: ast.stmt) -> ast.stmt:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node
