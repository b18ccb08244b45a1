"""Sections of a switch as in C: each goes on into the next one until something leaves it."""

import ast
import re
from collections.abc import Sequence

from git_retcon.allium.extract.grammar.statements import Case, Statements, leaves_switch
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_LEAVING = (ast.Break, ast.Return, ast.Raise, ast.Continue)
# What something may leave, in any language.
_LEFT = re.compile(
    r"^(?:\w+_)?(?:for|foreach|while|do|loop|switch|select)\w*_(?:statement|expression)$"
)
_LONGEST = 100  # statements of a section with all that it goes on into
_MOST_BREAKS = 40


def end_cases(cases: Sequence[Case]) -> Sequence[Case] | None:
    """The cases of a switch with all that each of them runs: what it goes on into, and no break.
    Labels alone share what follows, and what no label has is last. None where nobody knows.
    """
    found: list[Case] = []
    rest: list[Case] = []
    following: Statements = []
    is_shared = False  # whether labels alone share the case that is behind them
    for labels, statements in reversed(cases):
        if labels is not None and not statements and is_shared:
            known, inner = found[-1]
            found[-1] = ([*labels, *(known or ())], inner)
            continue
        if _goes_on(statements):
            statements = [*statements, *map(copy_tree, following)]
        ended = _end_section(statements) if _is_short(statements) else None
        if ended is None:
            return None
        (rest if labels is None else found).append((labels, ended))
        following, is_shared = statements, labels is not None
    return [*reversed(found), *rest]


def _is_short(statements: Statements) -> bool:
    return len(statements) < _LONGEST and _count_breaks(statements) < _MOST_BREAKS


def _goes_on(statements: Statements) -> bool:
    """Whether something may come to the end of these."""
    for node in statements:
        if isinstance(node, _LEAVING):
            return False
        if isinstance(node, ast.If) and not (_goes_on(node.body) or _goes_on(node.orelse)):
            return False
    return True


def _end_section(statements: Statements) -> Statements | None:
    """Without its ``break``: what follows one in a branch runs in the other branch alone. None
    where that is not known.
    """
    if statements and leaves_switch(statements[-1]):
        statements = statements[:-1]
    for at, node in enumerate(statements):
        before, rest = statements[:at], statements[at + 1 :]
        if leaves_switch(node):
            return before
        if isinstance(node, _LEAVING):
            return [*before, node]
        if _count_breaks([node]):
            joined = _join_branches(_open_inner(node), rest) if isinstance(node, ast.If) else None
            return None if joined is None else [*before, joined]
    return statements


def _open_inner(node: ast.If) -> ast.If:
    """A condition around one other and nothing else as the one condition that both are."""
    match node:
        case ast.If(test=test, body=[ast.If(body=body, orelse=[]) as inner], orelse=[]):
            both = ast.BoolOp(ast.And(), [test, inner.test])
            return _open_inner(ast.If(test=both, body=body, orelse=[]))
    return node


def _join_branches(node: ast.If, rest: Statements) -> ast.If | None:
    """A condition of which a branch leaves the section, with what runs behind the other one."""
    going = [_goes_on(each) for each in (node.body, node.orelse)]
    if all(going) and _count_breaks(rest):
        return None  # each branch would have all of that, and again behind the next condition
    behind = [rest if going[0] else [], [*map(copy_tree, rest)] if going[1] else []]
    body = _end_section([*node.body, *behind[0]])
    orelse = _end_section([*node.orelse, *behind[1]])
    if body is None or orelse is None:
        return None
    return ast.If(test=node.test, body=body or [ast.Pass()], orelse=orelse)


def _count_breaks(statements: Statements) -> int:
    """How often something here leaves what is around; a loop in it has its own."""
    count, waiting = 0, [*statements]
    while waiting:
        node = waiting.pop()
        count += leaves_switch(node)
        for name in BLOCKS.get(type(node), ()) if not isinstance(node, _LOOPS) else ():
            for part in getattr(node, name):
                waiting += [part] if isinstance(part, ast.stmt) else part.body
    return count


def names_switch(node: Node) -> bool:
    """Whether what leaves something by its label leaves the switch that it is in, and no more."""
    inner = node.parent
    while inner is not None and _LEFT.search(inner.type) is None:
        inner = inner.parent
    outer = inner.parent if inner is not None else None
    if inner is None or outer is None or outer.type != "labeled_statement":
        return False
    label, named = node.named_children[0], outer.named_children[0]
    return "switch" in inner.type and read_text(label) == read_text(named)
