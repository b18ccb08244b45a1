"""Members of objects by their names as texts: ``order['status']``, and one of two by a condition.

``media[is4k ? 'status4k' : 'status'] = DONE`` sets one field where the condition holds, and the
other where it does not.
"""

import ast
import copy

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node
from git_retcon.allium.extract.typescript.types import read_string


def translate_computed(node: Node, bodies: Bodies) -> ast.expr | None:
    """A member by its name; None where the name is not known."""
    index = node.child_by_field_name("index")
    while index is not None and index.type == "parenthesized_expression":
        index = index.named_children[0]
    if index is None:
        return None
    owner = bodies.translate(node.child_by_field_name("object"))
    if index.type == "string":
        return _find_member(owner, index, bodies)
    if index.type == "member_expression" and isinstance(owner, ast.Name | ast.Attribute):
        # An entry of a table by what a field says.
        return ast.Subscript(value=owner, slice=bodies.translate(index))
    if index.type != "ternary_expression":
        return None
    one, two = (
        _find_member(copy.deepcopy(owner), index.child_by_field_name(part), bodies)
        for part in ("consequence", "alternative")
    )
    if one is None or two is None:
        return None
    test = bodies.translate(index.child_by_field_name("condition"))
    return ast.IfExp(test=test, body=one, orelse=two)


def _find_member(owner: ast.expr, name: Node | None, bodies: Bodies) -> ast.expr | None:
    text = read_string(name) if name is not None and name.type == "string" else None
    return bodies.translate_member(owner, text) if text and text.isidentifier() else None


def assign_computed(node: Node, bodies: Bodies) -> Statements | None:
    """An assignment to one of two members; None for any other statement."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or inner.type != "assignment_expression":
        return None
    left = inner.child_by_field_name("left")
    target = translate_computed(left, bodies) if _is_computed(left) and left is not None else None
    if not isinstance(target, ast.IfExp):
        return None
    value = bodies.translate(inner.child_by_field_name("right"))
    yes: ast.stmt = ast.Assign(targets=[target.body], value=value)
    no: ast.stmt = ast.Assign(targets=[target.orelse], value=copy.deepcopy(value))
    return [ast.If(test=target.test, body=[yes], orelse=[no])]


def compare_computed(node: Node, bodies: Bodies) -> ast.expr | None:
    """A comparison of one of two members; None for any other."""
    left, right = (node.child_by_field_name(part) for part in ("left", "right"))
    if not _is_computed(left) or left is None:
        return None
    found = translate_computed(left, bodies)
    whole = bodies.combine(node, ast.Name("_"), bodies.translate(right))
    if not isinstance(found, ast.IfExp) or not isinstance(whole, ast.Compare):
        return None
    one, two = (
        ast.Compare(left=each, ops=whole.ops, comparators=copy.deepcopy(whole.comparators))
        for each in (found.body, found.orelse)
    )
    return ast.IfExp(test=found.test, body=one, orelse=two)


def _is_computed(node: Node | None) -> bool:
    return node is not None and node.type == "subscript_expression"
