"""The statements of a function, in their order, without those of functions and classes in it."""

import ast
from collections.abc import Iterable, Iterator

# Most statements have no block, or one that runs elsewhere.
_WHOLE = frozenset(
    {ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Pass,
     ast.Assert, ast.Continue, ast.Break, ast.Delete, ast.Import, ast.ImportFrom, ast.Global,
     ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}
)  # fmt: skip


def walk_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All of them, those in blocks behind the statement that has the block."""
    waiting = [*body][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if type(node) in _WHOLE:
            continue
        blocks = [getattr(node, "body", [])]
        for name in ("handlers", "cases"):
            blocks += (part.body for part in getattr(node, name, ()))
        blocks += [getattr(node, "orelse", []), getattr(node, "finalbody", [])]
        waiting += [each for block in blocks for each in block][::-1]
