"""Whether a class may show states by what it sets: a first look, as most classes show none.

::

    class Point:
        def __init__(self, left, top):
            self.left = left
            self.top = top

Nothing here is called a state, given a constant, or compared: no value of it need be read.
"""

import ast
from collections.abc import Collection, Sequence

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import (
    list_begun,
    list_compared,
    list_owned,
    list_read,
    list_texts,
)
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ROOTS = frozenset({"object", "ABC", "Generic", "Protocol"})


def is_heir(node: ast.ClassDef) -> bool:
    """Whether a class has what others may begin."""
    return not {*map(get_last, map(spell_dotted, node.bases))} <= _ROOTS


def may_show_states(
    node: ast.ClassDef, methods: Sequence[_Function], first: Collection[str]
) -> bool:
    """Whether an attribute may have states: one is given constants, is called a state, is set to
    texts, or begins here and is compared. ``first`` is what the body of the class begins.
    """
    begun, read = {*first, *list_begun(methods)}, list_read(methods)
    named = (*begun, *(read[each] for each in begun & read.keys()))
    if any(map(list_owned, methods)) or any(map(is_called_state, named)):
        return True
    texts = {name for each in methods for name in list_texts(each)}
    if texts and (is_heir(node) or not begun.isdisjoint(texts)):
        return True
    compared = (name for each in methods for name in list_compared(each))
    return not begun.isdisjoint(read.get(name, name) for name in compared)
