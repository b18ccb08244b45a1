"""The statements of a function, in their order, without those of functions and classes in it."""

import ast
from collections.abc import Iterable, Iterator


def walk_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All of them, those in blocks behind the statement that has the block."""
    waiting = [*body][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        blocks = [getattr(node, "body", [])]
        for name in ("handlers", "cases"):
            blocks += (part.body for part in getattr(node, name, ()))
        blocks += [getattr(node, "orelse", []), getattr(node, "finalbody", [])]
        waiting += [each for block in blocks for each in block][::-1]
