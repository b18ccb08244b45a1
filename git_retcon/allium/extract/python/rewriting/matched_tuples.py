"""Cases of several things at once, read as the conditions that they are.

::

    match (self.phase, event):
        case (Phase.RED, "tick"):
            self.phase = Phase.GREEN
        case (_, "power"):
            self.phase = Phase.OFF

asks for the phase and the event, one case behind the other, as ``if`` and ``elif`` do.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import Function, may_have, rewrite_text
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree

_MATCHED = re.compile(rb"match\b[^\n]*,")
_WAY = "matched tuples"


class _Case(NamedTuple):
    """What a case asks, and what it does then."""

    asked: Sequence[ast.expr]
    body: list[ast.stmt]


def open_matches(functions: Iterable[Function]) -> None:
    """Let functions ask for the parts of what they match. They are changed."""
    for each in functions:
        if may_have(each, _MATCHED) and any(map(_asks_parts, walk_statements(each.body))):
            rewrite_text(each, _WAY)
            for block in [*list_blocks(each)]:
                block[:] = map(_open_match, block)


def _asks_parts(node: ast.stmt) -> bool:
    return isinstance(node, ast.Match) and isinstance(node.subject, ast.Tuple)


def _open_match(node: ast.stmt) -> ast.stmt:
    """The conditions that a statement matches; the statement itself where these cannot be said."""
    match node:
        case ast.Match(subject=ast.Tuple(elts=parts), cases=cases) if all(map(_is_plain, parts)):
            found = [_read_case(each, parts) for each in cases]
        case _:
            return node
    known = [each for each in found if each is not None]
    if len(known) < len(found) or not known[0].asked:
        return node
    behind: list[ast.stmt] = []
    for asked, body in reversed(known):
        behind = [ast.If(test=_join(asked), body=body, orelse=behind)] if asked else body
    return ast.fix_missing_locations(ast.copy_location(behind[0], node))


def _is_plain(node: ast.expr) -> bool:
    """Whether something may be asked for several times: a name, or an attribute."""
    match node:
        case ast.Attribute(value=owner):
            return _is_plain(owner)
    return isinstance(node, ast.Name | ast.Constant)


def _read_case(case: ast.match_case, parts: Sequence[ast.expr]) -> _Case | None:
    """What a case asks and does; None where it asks for more than what the parts are."""
    asked = _read_pattern(case.pattern, parts)
    held = [*_list_held(case.pattern, parts)]
    if asked is None or (held and case.guard is not None):
        return None
    return _Case([*asked, *([case.guard] if case.guard is not None else [])], [*held, *case.body])


def _list_held(pattern: ast.pattern, parts: Sequence[ast.expr]) -> Iterator[ast.stmt]:
    """The variables that a case gives parts."""
    for part, each in zip(parts, getattr(pattern, "patterns", ()), strict=False):
        match each:
            case ast.MatchAs(pattern=None, name=str(name)):
                place = ast.Name(id=name, ctx=ast.Store())
                yield ast.copy_location(ast.Assign(targets=[place], value=copy_tree(part)), part)


def _read_pattern(pattern: ast.pattern, parts: Sequence[ast.expr]) -> Sequence[ast.expr] | None:
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return ()
        case ast.MatchSequence(patterns=patterns) if len(patterns) == len(parts):
            found = [*map(_read_part, patterns, parts)]
            known = [each for each in found if each is not None]
            return [one for each in known for one in each] if len(known) == len(found) else None
        case ast.MatchOr(patterns=patterns):
            ways = [_read_pattern(each, parts) for each in patterns]
            is_plain = all(ways) and not any(_list_named(pattern))
            joined = [_join(each) for each in ways if each]
            return [ast.BoolOp(op=ast.Or(), values=joined)] if is_plain else None
    return None


def _list_named(pattern: ast.pattern) -> Iterator[str]:
    return (e.name for e in ast.walk(pattern) if isinstance(e, ast.MatchAs) and e.name is not None)


def _join(asked: Sequence[ast.expr]) -> ast.expr:
    return asked[0] if len(asked) == 1 else ast.BoolOp(op=ast.And(), values=[*asked])


def _read_part(pattern: ast.pattern, part: ast.expr) -> Sequence[ast.expr] | None:
    """What a pattern asks of one thing."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return ()
        case ast.MatchValue(value=value):
            return [_compare(part, ast.Eq(), value)]
        case ast.MatchSingleton(value=value):
            return [
                ast.Compare(left=copy_tree(part), ops=[ast.Is()], comparators=[ast.Constant(value)])
            ]
        case ast.MatchOr(patterns=patterns):
            values = [each.value for each in patterns if isinstance(each, ast.MatchValue)]
            listed = ast.Tuple(elts=values, ctx=ast.Load())
            return [_compare(part, ast.In(), listed)] if len(values) == len(patterns) else None
    return None


def _compare(part: ast.expr, op: ast.cmpop, value: ast.expr) -> ast.expr:
    return ast.Compare(left=copy_tree(part), ops=[op], comparators=[value])
