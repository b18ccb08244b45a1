"""Members of objects by their names as texts: ``order['status']``, and one of two by a condition.

``media[is4k ? 'status4k' : 'status'] = DONE`` sets one field where the condition holds, and the
other where it does not. An entry of a table is a member by what a field says:
``NEXT[order.status]``, ``NEXT.get(order.status) ?? []``.
"""

import ast
import copy
import re

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_text
from git_retcon.allium.extract.typescript.types import read_string

# How constants are called, and tables of what may follow on a state.
_TABLE = re.compile(r"(?:\w+\.)*#?(?:[A-Z][A-Z\d_]*|\w*(?:[Tt]ransition|[Aa]llowed|[Nn]ext)\w*)")
_NOTHING = {"??": ("[]", "false"), "||": ("[]",)}


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
    is_table = _TABLE.fullmatch(read_text(node.child_by_field_name("object"))) is not None
    if index.type == "identifier" and is_table:
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


def translate_entry(node: Node, bodies: Bodies) -> ast.expr | None:
    """``NEXT.get(state)``, of what is called a table; None for any other call."""
    called, given = node.child_by_field_name("function"), list_inner(node, "arguments")
    owner = called.child_by_field_name("object") if called is not None else None
    if called is None or owner is None or len(given) != 1:
        return None
    if read_text(called.child_by_field_name("property")) != "get":
        return None
    is_table = _TABLE.fullmatch(read_text(owner)) is not None
    table = bodies.translate(owner) if is_table else None
    return ast.Subscript(value=table, slice=bodies.translate(given[0])) if table else None


def _find_entry(node: Node, bodies: Bodies) -> ast.expr | None:
    """What a table says, or nothing: ``NEXT[state] ?? []``, ``NEXT[state]?.includes(next) ??
    false``.
    """
    left, right = (node.child_by_field_name(part) for part in ("left", "right"))
    sign = read_text(node.child_by_field_name("operator"))
    if left is None or read_text(right) not in _NOTHING.get(sign, ()):
        return None
    is_list, is_call = read_text(right) == "[]", left.type == "call_expression"
    found = bodies.translate(left)
    is_entry = isinstance(found, ast.Subscript) if is_list else is_call
    return found if is_entry else None


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
    """A comparison of one of two members, and an entry that may be missing; None for any other."""
    entry = _find_entry(node, bodies)
    if entry is not None:
        return entry
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
