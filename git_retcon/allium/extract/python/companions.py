"""States that come with a flag: what sets ``status = "done"`` sets ``done = True``, too.

Where such a flag lets no operation go on, none leads on from these states.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

from git_retcon.allium.extract.python.conditions import (
    Companions,
    Flag,
    StateOf,
    Subject,
    find_field,
    find_states,
)
from git_retcon.allium.extract.python.guards import open_blocks
from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.syntax_walks import walk_nodes


def find_companions(methods: Iterable[Function], subject: Subject) -> Companions:
    """The states that operations set with a flag, and never with its opposite."""
    flags = {name for name, field in subject.fields.items() if field.type.name == "Boolean"}
    if not flags or not any(each.enum or each.choices for each in subject.states.values()):
        return {}
    found: dict[Flag, set[StateOf]] = {}
    for method in methods:
        for flag in _list_flags(method, subject):
            found.setdefault(flag, set()).update(_list_states(method, subject))
    return {
        flag: frozenset(states - found.get(flag._replace(value=not flag.value), set()))
        for flag, states in found.items()
    }


def _list_flags(method: Function, subject: Subject) -> Iterator[Flag]:
    """The flags that a method sets wherever it does not leave before."""
    for node in open_blocks(_enter_condition(method.body)):
        match node:
            case ast.Assign(targets=[target], value=ast.Constant(value=bool() as value)):
                field = find_field(target, subject)
                if field is not None and field.type.name == "Boolean":
                    yield Flag(field.symbol, value)


def _enter_condition(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """What a body does where all that it does is behind one condition."""
    match body:
        case [ast.If(body=inner, orelse=[])] | [ast.Expr(), ast.If(body=inner, orelse=[])]:
            return _enter_condition(inner)
    return body


def _list_states(method: Function, subject: Subject) -> Iterator[StateOf]:
    for node in walk_nodes(method):
        match node:
            case ast.Assign(targets=[target], value=value):
                field, states = find_field(target, subject), find_states(target, subject)
                name = states.read(value) if states is not None else None
                if field is not None and name is not None:
                    yield StateOf(field.symbol, name)
