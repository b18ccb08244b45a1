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
from git_retcon.allium.extract.source_facts import Edge, Rule

_CONSTRUCTOR = name_call("constructor")


class _Event(NamedTuple):
    """The transitions of a field, by its symbol and its name, that an event leads to."""

    symbol: str
    field: str
    edges: Sequence[Edge]
    is_once: bool


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
            moves = [edge for rule in rules if rule.field == each.field for edge in rule.edges]
            moves += [edge for other in others for edge in other.edges]
            reached = _list_reached(subject, each.symbol, beginning, moves)
        for edge in each.edges:
            if reached is None or edge.source in reached or edge.source == ANY_STATE:
                yield each.field, edge


def _list_events(subject: Subject) -> Iterator[_Event]:
    """What a constructor waits for. What else it hands to others, ``executor(resolve)``, comes at a
    time that nobody knows: its transitions are those from states that it asks for.
    """
    constructor = subject.methods.get(_CONSTRUCTOR)
    for each in walk_statements(constructor.body) if constructor is not None else ():
        if isinstance(each, ast.FunctionDef) and is_waiting(each):
            move = find_move(each, subject)
            if move is not None:
                name = subject.fields[move.field].name
                is_event = awaits_event(each)
                edges = move.edges if is_event else list_named_edges(each, subject, name)
                yield _Event(move.field, name, edges, is_event and runs_once(each))


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
