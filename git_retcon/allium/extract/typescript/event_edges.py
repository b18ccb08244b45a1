"""What events lead to for which the constructor of a class waits.

``socket.on('close', () => { this.state = State.Closed; })`` may come in any state that it does not
refuse; nothing calls it by a name, so it is no rule. A time, ``setTimeout(…)``, comes once.
"""

import ast
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.grammar.calls import name_call
from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import find_move, list_named_edges
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.waiting_steps import awaits_event, is_waiting, runs_once
from git_retcon.allium.extract.python.rules.handed_steps import follow_edges
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Rule

_CONSTRUCTOR = name_call("constructor")


class _Event(NamedTuple):
    """The transitions of a field, by its symbol and its name, that an event leads to. Where it is
    no event, but what others run at a time that nobody knows, the transitions are ``sure`` that
    begin in states which it asks for.
    """

    symbol: str
    field: str
    edges: Sequence[Edge]
    is_once: bool
    sure: Sequence[Edge] | None = None
    steps: Set[str] = frozenset()  # the own methods that it runs


def list_event_edges(
    subject: Subject, rules: Sequence[Rule] | None, beginning: Sequence[ast.stmt]
) -> Iterator[tuple[str, Edge]]:
    """The transitions of fields by their names. What comes once comes in a state that ``rules`` and
    other events lead to from the first one; they are None where others may set it, too.
    """
    events = [*_list_events(subject)]
    for each in events:
        others = [other for other in events if other is not each and other.field == each.field]
        reached = None
        if each.is_once and rules is not None:
            moves = [edge for rule in rules if _is_beside(rule, each) for edge in rule.edges]
            moves += [edge for other in others for edge in other.edges]
            reached = _list_reached(subject, each.symbol, beginning, moves)
        elif each.sure is not None:
            reached = _list_reached(subject, each.symbol, beginning, ()) or frozenset()
        for edge in each.edges:
            is_any = edge.source == ANY_STATE
            if is_any and reached is not None and each.sure is not None:
                yield from ((each.field, edge._replace(source=s)) for s in sorted(reached))
            elif is_any or reached is None or edge.source in reached or edge in (each.sure or ()):
                yield each.field, edge


def _is_beside(rule: Rule, event: _Event) -> bool:
    """Whether a rule moves the field of an event without being a step that this runs."""
    return rule.field == event.field and rule.evidence[0].symbol.split(".")[-1] not in event.steps


def _list_events(subject: Subject) -> Iterator[_Event]:
    """What a constructor waits for. What else it hands to others, ``executor(resolve)``, comes at a
    time that nobody knows, if only once.
    """
    constructor = subject.methods.get(_CONSTRUCTOR)
    for each in walk_statements(constructor.body) if constructor is not None else ():
        if isinstance(each, ast.FunctionDef) and is_waiting(each):
            move = find_move(each, subject)
            if move is not None:
                name = subject.fields[move.field].name
                sure = None if awaits_event(each) else list_named_edges(each, subject, name)
                steps = frozenset(_list_run(each))
                yield _Event(move.field, name, move.edges, runs_once(each), sure, steps)


def _list_run(node: ast.FunctionDef) -> Iterator[str]:
    for each in walk_nodes(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name.removesuffix("()")


def _list_reached(
    subject: Subject, symbol: str, beginning: Sequence[ast.stmt], moves: Sequence[Edge]
) -> Set[str] | None:
    """The states that an object comes to by transitions; None where its first is not known."""
    states = subject.states[symbol]
    begun = StateFlow(subject, symbol, states).run(beginning, None)
    begun = StateFlow(subject, symbol, states).run(subject.methods[_CONSTRUCTOR].body, begun)
    if begun is None:
        return None
    return follow_edges(begun, moves)
