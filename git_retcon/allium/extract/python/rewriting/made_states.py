"""States that are objects of a class which makes each of them in a method of its own.

::

    class OrderStatus:
        @staticmethod
        def paid() -> "OrderStatus":
            return OrderStatus("paid")

``self.status = OrderStatus.paid()``, or ``OrderStatus.paid().name``, is written as
``OrderStatus.paid``, as a member of an enum is. A class of which a file names members, as
``OrderStatus.PAID``, is an enum already.
"""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# Most functions have none of them.
_MAY_MAKE = re.compile(rb"\b[A-Z]\w*(?:Stat|Phase|Stage)\w*\.[a-z]\w*\(\)")
_TOLD = frozenset({"name", "value"})  # what such an object is stored as


def name_made(functions: Collection[Function]) -> None:
    """Write states that functions have made as members. The functions are changed."""
    made: dict[str, set[str]] = {}
    for owner, name in (called for each in functions for called in _list_called(each)):
        made.setdefault(owner, set()).add(name)
    classes = {owner for owner, names in made.items() if len(names) > 1}
    if classes:
        classes -= {owner for each in functions for owner in _list_owners(each)}
    for each in functions if classes else ():
        if any(called[0] in classes for called in _list_called(each)):
            forget_text(each)
            _Namer(classes).visit(each)


def _name_called(node: ast.Call) -> tuple[str, str] | None:
    """The class and the method of a call that may make a state."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[], keywords=[]
        ) if name.islower() and owner[:1].isupper() and is_named_for_states(owner):
            return owner, name
    return None


@answer_once
def _list_called(function: Function) -> Sequence[tuple[str, str]]:
    nodes = walk_nodes(function) if may_have(function, _MAY_MAKE) else ()
    calls = (_name_called(each) for each in nodes if isinstance(each, ast.Call))
    return [each for each in calls if each is not None]


def _list_owners(function: Function) -> Iterator[str]:
    """The classes of which a function names members."""
    for node in walk_nodes(function):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name.isupper():
                yield owner


class _Namer(ast.NodeTransformer):
    def __init__(self, classes: Collection[str]) -> None:
        self._classes = classes

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        called = _name_called(node)
        return node.func if called is not None and called[0] in self._classes else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        called = _name_called(node.value) if isinstance(node.value, ast.Call) else None
        self.generic_visit(node)
        is_told = called is not None and called[0] in self._classes and node.attr in _TOLD
        return node.value if is_told else node
