"""Calls that are named for the error that they raise: ``self.database.raise_client_error(error)``,
and ``frappe.throw(text)``, which always raises one.

What a step of the object itself does is known by its body.
"""

import ast
import re
from collections.abc import Iterable

from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import spell_dotted

_NAMED = re.compile(rb"raise_\w*(?:error|exception)\(|(?<!\w)(?:frappe\.)?throw\(")
_RAISING = re.compile(
    r"_*raise_(?!\w*(?:if|on|for|when|unless|any)_)(?:\w+_)?(?:error|exception)"
    r"|throw(?!\w*(?:If|On|For|When|Unless|Any))(?:[A-Z]\w*)?(?:Error|Exception)"
)


def raise_errors(functions: Iterable[Function]) -> None:
    """Let such calls be errors. The functions are changed."""
    for each in functions:
        if _raises_any(each):
            forget_text(each)
            for block in [*list_blocks(each)]:
                block[:] = [_raise_error(item) if _is_raising(item) else item for item in block]


@answer_once
def _raises_any(node: Function) -> bool:
    if not may_have(node, _NAMED):
        return False
    return any(_is_raising(each) for block in list_blocks(node) for each in block)


def _is_raising(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as called)):
            owner, _, name = spell_dotted(called).rpartition(".")
            if name == "throw" and owner in ("", "frappe"):
                return True
            return owner not in ("self", "cls") and _RAISING.fullmatch(name) is not None
    return False


def _raise_error(node: ast.stmt) -> ast.stmt:
    value = node.value if isinstance(node, ast.Expr) else None
    return ast.copy_location(ast.Raise(exc=value, cause=None), node)
