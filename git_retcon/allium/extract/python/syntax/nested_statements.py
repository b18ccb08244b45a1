"""The statements of a function, in their order, without those of functions and classes in it."""

import ast
from collections.abc import Iterable, Iterator

_LOOP = ("body", "orelse")
_TRY = ("body", "handlers", "orelse", "finalbody")
# Of the statements that have blocks: the blocks that run where they are, in their order.
BLOCKS = {
    ast.If: _LOOP, ast.For: _LOOP, ast.AsyncFor: _LOOP, ast.While: _LOOP, ast.With: ("body",),
    ast.AsyncWith: ("body",), ast.Try: _TRY, ast.TryStar: _TRY, ast.Match: ("cases",),
}  # fmt: skip
_PARTS = frozenset({"handlers", "cases"})  # what has blocks itself


def walk_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All of them, those in blocks behind the statement that has the block."""
    waiting = [*body][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if node.__class__ not in BLOCKS:  # as most
            continue
        for name in reversed(BLOCKS[node.__class__]):
            block = getattr(node, name)
            if name in _PARTS:
                waiting += [each for part in reversed(block) for each in reversed(part.body)]
            else:
                waiting += reversed(block)
