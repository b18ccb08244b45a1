"""States that come with a flag: what sets ``status = "done"`` sets ``done = True``, too.

Where such a flag lets no operation go on, none leads on from these states.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.python.flow.guards import open_blocks
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.lifetimes.absent_parts import find_absent
from git_retcon.allium.extract.python.syntax.conditions import (
    Companions,
    Flag,
    StateOf,
    Subject,
    find_field,
    find_states,
)
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Pair: TypeAlias = tuple[ast.expr, ast.expr]


class _Given(NamedTuple):
    """What one method gives: the flags that it sets in any case, all that it may set, with None
    for what is no constant, and the states, with "" for what may be any.
    """

    sure: Set[Flag]
    flags: Mapping[str, Set[bool | None]]
    states: Set[StateOf]


def find_companions(
    methods: Iterable[Function], subject: Subject, beginning: Sequence[ast.stmt] | None = None
) -> Companions:
    """The states that operations only set with a flag, and that none leaves to its opposite; those
    in which an object lacks a part are those of a flag, too. ``beginning`` is what its fields get
    first, where what gets nothing is nothing.
    """
    if not any(each.enum or each.choices for each in subject.states.values()):
        return {}
    listed = [*methods]
    return {**_find_flagged(listed, subject), **find_absent(listed, subject, beginning)}


def _find_flagged(methods: Iterable[Function], subject: Subject) -> Companions:
    flags = {name for name, field in subject.fields.items() if field.type.name == "Boolean"}
    if not flags:
        return {}
    given = [_read_given(each, subject) for each in methods]
    found: dict[Flag, set[StateOf]] = {}
    for each in given:
        for flag in each.sure:
            found.setdefault(flag, set()).update(state for state in each.states if state.state)
    return {
        flag: frozenset(e for e in states if all(_keeps_both(flag, e, one) for one in given))
        for flag, states in found.items()
    }


def _keeps_both(flag: Flag, state: StateOf, given: _Given) -> bool:
    """Whether a method leaves no object in a state without the flag."""
    if state in given.states or state._replace(state="") in given.states:
        return flag in given.sure
    is_changed = given.flags.get(flag.symbol, frozenset()) - {flag.value}
    return not is_changed or any(each.field == state.field for each in given.states)


def _read_given(method: Function, subject: Subject) -> _Given:
    flags: dict[str, set[bool | None]] = {}
    for symbol, value in _list_given_flags(_list_given_by(method), subject):
        flags.setdefault(symbol, set()).add(value)
    sure = {*_list_flags(method, subject)} if flags else set[Flag]()
    return _Given(sure, flags, {*_list_states(method, subject)})


def _list_flags(method: Function, subject: Subject) -> Iterator[Flag]:
    """The flags that a method leaves wherever it does not leave before: what it sets under a
    condition, or in a loop, is not sure.
    """
    sure: dict[str, bool] = {}
    for node in open_blocks(_enter_condition(method.body)):
        for symbol, value in _list_given_flags(_list_given(node), subject):
            if isinstance(node, ast.Assign) and value is not None:
                sure[symbol] = value
            elif sure.get(symbol) is not value:
                sure.pop(symbol, None)
    yield from (Flag(symbol, value) for symbol, value in sure.items())


@answer_once
def _list_given_by(method: Function) -> Sequence[_Pair]:
    return [*_list_given(method)]


def _list_given(node: ast.AST) -> Iterator[_Pair]:
    """The attributes that assignments in a node set, each with its value."""
    for each in walk_nodes(node):
        match each:
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                yield target, value


def _list_given_flags(
    given: Iterable[_Pair], subject: Subject
) -> Iterator[tuple[str, bool | None]]:
    """The booleans among these, with None for what is no constant."""
    for target, value in given:
        field = find_field(target, subject)
        if field is not None and field.type.name == "Boolean":
            known = value.value if isinstance(value, ast.Constant) else None
            yield field.symbol, known if isinstance(known, bool) else None


def _enter_condition(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """What a body does where all that it does is behind one condition."""
    match body:
        case [ast.If(body=inner, orelse=[])] | [ast.Expr(), ast.If(body=inner, orelse=[])]:
            return _enter_condition(inner)
    return body


def _list_states(method: Function, subject: Subject) -> Iterator[StateOf]:
    """The states that a method sets, "" for what may be any."""
    for target, value in _list_given_by(method):
        field, states = find_field(target, subject), find_states(target, subject)
        if field is not None and states is not None:
            yield StateOf(field.symbol, states.read(value) or "")
