"""The states that a class sets behind its beginning.

What an operation lets wait for an event runs in the state that it leaves, or in one that something
sets until then; never again in a state that an object only begins with.
"""

import ast
from collections.abc import Iterator

from git_retcon.allium.extract.python.flow.possible_states import Possible
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef
BEGINNINGS = frozenset({"__init__", "__post_init__", "constructor"})
_DEEPEST = 3  # methods that hand on what they are given


def find_renewed(subject: Subject, symbol: str, states: States) -> Possible:
    """The states that methods give a field, without what an object begins with; None where one of
    them is not known.
    """
    found: set[str] = set()
    for method in subject.methods.values():
        for statement in _list_acting(method):
            for value in _list_set(statement, symbol):
                given = read_values(value, method, subject, states)
                if given is None:
                    return None
                found |= given
    return frozenset(found)


def _list_acting(method: Function) -> Iterator[ast.stmt]:
    """What a method does; of a beginning, what it lets wait."""
    if method.name not in BEGINNINGS:
        yield from method.body
        return
    for each in walk_nodes(method):
        if isinstance(each, ast.FunctionDef) and is_waiting(each):
            yield from each.body


def _list_set(statement: ast.stmt, symbol: str) -> Iterator[ast.expr]:
    for each in walk_nodes(statement):
        match each:
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(t, ast.Attribute) and t.attr == symbol for t in targets):
                    yield value
            case ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as value):
                if name == symbol:
                    yield value


def read_values(
    value: ast.expr, method: Function, subject: Subject, states: States, left: int = _DEEPEST
) -> Possible:
    """What the field may get; None where that is open."""
    if isinstance(value, ast.IfExp):
        one = read_values(value.body, method, subject, states, left)
        two = read_values(value.orelse, method, subject, states, left)
        return None if one is None or two is None else one | two
    read = states.read(value)
    if read is not None:
        return frozenset([read])
    names = [each.arg for each in (*method.args.args[1:], *method.args.kwonlyargs)]
    if not isinstance(value, ast.Name) or value.id not in names or not left:
        return None
    found: set[str] = set()
    for runner in subject.methods.values():
        for call in _list_calls(runner, method, subject):
            given = bind_arguments(method, call).get(value.id)
            if given is None:
                return None
            known = read_values(given, runner, subject, states, left - 1)
            if known is None:
                return None
            found |= known
    return frozenset(found) or None


def _list_calls(runner: Function, method: Function, subject: Subject) -> Iterator[ast.Call]:
    for each in walk_nodes(runner):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                if owner == subject.name and subject.methods.get(name) is method:
                    yield each
