"""Expressions as statements that choose what is done: ``isOpen && this.close()``.

So do ``isOpen ? this.close() : this.open()`` and ``isClosed || this.close()``; ``a(), b()`` does
one thing after the other.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Protocol

from git_retcon.allium.extract.grammar.statements import Statements, negate
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text

_CONDITIONAL = ("ternary_expression", "conditional_expression")
_ENCLOSING = ("parenthesized_expression", "sequence_expression")


class _Bodies(Protocol):
    def translate(self, node: Node | None) -> ast.expr: ...

    def translate_block(self, nodes: Iterable[Node | None]) -> Statements: ...


def translate_choosing(node: Node, bodies: _Bodies) -> Statements | None:
    """What a statement does that is such an expression; None for any other."""
    if node.type in _ENCLOSING:
        return bodies.translate_block(node.named_children)
    if node.type in _CONDITIONAL:
        names = ("consequence", "alternative")
        done, otherwise = (bodies.translate_block([node.child_by_field_name(e)]) for e in names)
        return _choose(node.child_by_field_name("condition"), done, otherwise, bodies)
    if node.type != "binary_expression":
        return None
    left, right = (node.child_by_field_name(each) for each in ("left", "right"))
    read_test = _TESTS.get(read_text(node.child_by_field_name("operator")))
    if read_test is None:
        return bodies.translate_block([left, right])
    done = bodies.translate_block([right])
    if not done:
        return bodies.translate_block([left])
    return [ast.If(test=read_test(bodies.translate(left)), body=done, orelse=[])]


def _choose(
    condition: Node | None, done: Statements, otherwise: Statements, bodies: _Bodies
) -> Statements:
    if not done and not otherwise:
        return bodies.translate_block([condition])
    test = bodies.translate(condition)
    return [ast.If(test=test, body=done or [ast.Pass()], orelse=otherwise)]


def _is_nothing(node: ast.expr) -> ast.expr:
    return ast.Compare(left=node, ops=[ast.Eq()], comparators=[ast.Constant(None)])


# The operator → when the right side is computed.
_TESTS: dict[str, Callable[[ast.expr], ast.expr]] = {
    "&&": lambda left: left, "||": negate, "??": _is_nothing,
}  # fmt: skip
