"""Enums of attributes that begin with what nobody can tell, or in a base class elsewhere.

::

    def __init__(self, saved):
        self._status = saved.status

    def fail(self):
        self._status = Status.FAILED

An attribute that is called a state, and that methods give several members of one enum and no other
constant, has the states of that enum.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import read_touched
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.state_words import is_called_state

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_given_enums(methods: Sequence[_Function]) -> Mapping[str, str]:
    """The dotted names of these enums, by attribute."""
    found: dict[str, set[str]] = {}
    closed: set[str] = set()
    for method in methods:
        for name, value in _list_states(method):
            for each in (value, *_list_handed(value, method, methods)):
                if (member := _read_member(each)) is not None:
                    found.setdefault(name, set()).add(member)
                elif _is_constant(each):
                    closed.add(name)
    owners = {name: {each.rpartition(".")[0] for each in found[name]} for name in found}
    return {
        name: min(each)
        for name, each in owners.items()
        if len(each) == 1 and len(found[name]) > 1 and name not in closed
    }


@answer_once
def _list_states(method: _Function) -> Sequence[tuple[str, ast.expr]]:
    """What a method gives the attributes that are called states, and compares them with."""
    found: list[tuple[str, ast.expr]] = []
    for each in read_touched(method).touches:
        for name, value in (*each.given, *each.asked):
            if is_called_state(name) and value is not None:
                found += ((name, part) for part in _split(value))
    return found


def _split(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression may be by either answer of its condition, or in its list."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _split(body)
            yield from _split(orelse)
        case _:
            yield value


def _list_handed(
    value: ast.expr, method: _Function, methods: Sequence[_Function]
) -> Iterator[ast.expr]:
    """What the class gives a parameter of a method."""
    names = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
    if not isinstance(value, ast.Name) or value.id not in names or method.name == "__init__":
        return
    for other in methods:
        for call in _list_calls(other):
            if isinstance(call.func, ast.Attribute) and call.func.attr == method.name:
                given = bind_arguments(method, call).get(value.id)
                yield from _split(given) if given is not None else ()


@answer_once
def _list_calls(method: _Function) -> Sequence[ast.Call]:
    """The calls of methods of its object that a method has."""
    found: list[ast.Call] = []
    for each in walk_nodes(method):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
                found.append(each)
    return found


def _read_member(value: ast.expr) -> str | None:
    """The dotted name of a member: ``Status.FAILED``, or ``Status.FAILED.value``."""
    if isinstance(value, ast.Attribute) and value.attr in ("value", "name"):
        value = value.value
    owner, _, member = spell_dotted(value).rpartition(".")
    is_class = isinstance(value, ast.Attribute) and get_last(owner).lstrip("_")[:1].isupper()
    # What is written small may be anything else that a class has.
    is_named = member[:1].isupper() or (is_named_for_states(get_last(owner)) and member != "")
    return f"{owner}.{member}" if is_class and is_named and "Const" not in owner else None


def _is_constant(value: ast.expr) -> bool:
    """Whether a value is a text, a number or a constant by its name."""
    is_plain = isinstance(value, ast.Constant) and value.value is not None
    is_named = isinstance(value, ast.Name | ast.Attribute)
    return is_plain or (is_named and get_last(spell_dotted(value)).isupper())
