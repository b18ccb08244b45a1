"""Loops over records that go on with the next one, written as what is done with one.

::

    for order in self:
        if order.state != "new":
            continue
        order.state = "sent"
"""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.python.syntax.function_texts import Function

_BLOCKS = ("body", "orelse", "finalbody")


def open_continues(statements: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    """The body of a loop as what is done once; None where it ends otherwise in between."""
    found: list[ast.stmt] = []
    for at, each in enumerate(statements):
        match each:
            case ast.If(test=test, body=[*body, ast.Continue()], orelse=[]):
                rest = open_continues(statements[at + 1 :])
                if rest is None or _leaves_loop(body):
                    return None
                found.append(ast.If(test, body or [ast.Pass()], rest))
                return found
            case ast.Continue():
                return found
        if _leaves_loop([each]):
            return None
        found.append(each)
    return found


def _leaves_loop(statements: Sequence[ast.stmt]) -> bool:
    """Whether statements end a loop, or one pass of it, that is around them."""
    for each in statements:
        if isinstance(each, ast.Break | ast.Continue):
            return True
        if isinstance(each, ast.For | ast.AsyncFor | ast.While | ast.ClassDef | Function):
            continue
        blocks = [getattr(each, name, None) or [] for name in _BLOCKS]
        blocks += [handler.body for handler in getattr(each, "handlers", ())]
        if any(map(_leaves_loop, blocks)):
            return True
    return False
