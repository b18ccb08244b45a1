"""Functions that remember what they are asked, also where they are not what a text of a file says:
what is written into them is of one version, which asks the same again and again.
"""

import ast
from collections.abc import Iterable

from git_retcon.allium.extract.python.syntax.function_texts import ANSWERS, Function, has_text


def keep_answers(node: Function) -> Function:
    """Let a function answer for itself from now on, and each question once. What changes it later
    says so by ``forget_text``, as for one of a text.
    """
    if not has_text(node):
        setattr(node, ANSWERS, {})
    return node


def keep_answers_of(body: Iterable[ast.stmt]) -> None:
    """Let the functions of a file, or the methods of a class, answer so."""
    for each in body:
        if isinstance(each, Function):
            keep_answers(each)
