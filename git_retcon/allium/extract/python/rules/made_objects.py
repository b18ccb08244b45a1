"""Methods that make another object of their class, and run steps of that one.

::

    @classmethod
    def from_name(cls, name):
        self = object.__new__(cls)
        self._begin(name)
        return self

What ``_begin`` does there is no transition: the object has no state before it. A step of what
``cls()`` has made begins in the state that the constructor left.
"""

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_INNER = _Function | ast.Lambda


@answer_once
def makes_object(method: _Function) -> bool:
    """Whether the object of a method's steps is one that it makes itself."""
    given = (*method.args.posonlyargs, *method.args.args)
    return not any(each.arg == "self" for each in given) and any(
        isinstance(each, ast.Assign)
        and isinstance(each.value, ast.Call)
        and get_last(spell_dotted(each.value)) in ("__new__", "cls")
        and [spell_dotted(target) for target in each.targets] == ["self"]
        for each in walk_nodes(method)
    )


def runs_at_once(method: _Function, calls: Iterable[ast.Call]) -> bool:
    """Whether a method has these calls itself, not a function in it."""
    inner = (each for each in walk_nodes(method) if isinstance(each, _INNER) and each is not method)
    later = {id(part) for each in inner for part in walk_nodes(each)}
    return later.isdisjoint(map(id, calls))


def list_made(methods: Iterable[_Function], step: str, owner: str) -> Sequence[ast.Call]:
    """The calls of a step that are the first thing that methods do with objects of the class
    ``owner`` which they have made.
    """
    made = {"cls", get_last(owner)}
    return [
        each.call
        for method in methods
        for each in _list_first_calls(method)
        if each.maker in made and each.step == step
    ]


class _First(NamedTuple):
    """The first call of a method of an object, and what made the object before."""

    maker: str
    step: str
    call: ast.Call


@answer_once
def _list_first_calls(method: _Function) -> Sequence[_First]:
    statements = [*walk_statements(method.body)]
    found: list[_First] = []
    for number, each in enumerate(statements):
        match each:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Name(maker))):
                rest = (one for one in statements[number + 1 :] if _names(one, name))
                call = _read_call(next(rest, None), name)
                if call is not None and isinstance(call.func, ast.Attribute):
                    found.append(_First(maker, call.func.attr, call))
    return found


def _names(node: ast.stmt, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in walk_nodes(node))


def _read_call(node: ast.stmt | None, name: str) -> ast.Call | None:
    """The call of a method of what a variable holds that a statement is."""
    value = node.value if isinstance(node, ast.Expr) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) as call if owner == name:
            return call
    return None
