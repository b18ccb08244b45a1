"""Where steps of an object begin whose states another file declares.

::

    open() {
      socket.onopen = this._onOpen.bind(this);
      this.status = Status.Connecting;
    }

``_onOpen`` runs in the state that ``open`` leaves, or in one that others lead to from there.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, join_states
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting, make_waiting
from git_retcon.allium.extract.python.rules.handed_steps import keep_moves, list_reached
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Evidence, Rule, ServiceOperation

_SIMPLE = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return
_DEEPEST = 4  # steps that hand on others


# What a step makes of each state, by its place and its field.
Moves = dict[tuple[Evidence, str], Mapping[str, Collection[Edge]]]


def begin_handed(
    rule: Rule, step: Function, subject: Subject, handers: Iterable[Function], moves: Moves
) -> Rule:
    """A step's rule, with the states that those leave which hand it to others; its ``moves`` are
    noted.
    """
    symbol = next((s for s, each in subject.fields.items() if each.name == rule.field), "")
    states = subject.states.get(symbol)
    if states is None or not states.choices:
        return rule
    name = rule.evidence[0].symbol.rpartition(".")[2].lstrip("#")
    methods = {each.name: each for each in handers}
    known = subject._replace(methods={**subject.methods, **methods, name: step})
    steps = {name, *filter(_is_step, methods)}
    marks = dict(_list_marks(methods.values(), steps, subject.name))
    every = frozenset(choice.name for choice in states.choices)
    begun = {key: NOWHERE if _is_run(each, methods) else every for key, each in methods.items()}
    for _ in range(_DEEPEST):
        for key, before in [*begun.items()]:
            flow = StateFlow(known, symbol, states)
            flow.marks = marks
            if key in methods and before != NOWHERE:
                flow.run_method(methods[key], before)
            for call, found in flow.begun.items():
                run = get_last(spell_dotted(call.func))
                if run in steps:
                    begun[run] = join_states(begun.get(run, NOWHERE), found)
    first = tuple(sorted(begun.get(name) or ()))
    known_moves: dict[str, Collection[Edge]] = {}
    for each in sorted(every):
        flow = StateFlow(known, symbol, states)
        flow.run_method(step, frozenset([each]))
        known_moves[each] = flow.edges
    moves[rule.evidence[0], rule.field] = known_moves
    if marks or not first or any(map(_runs_later, methods.values())):
        return rule._replace(begun=first)
    return _begin_in(rule, first, known_moves)


def _runs_later(method: Function) -> bool:
    """Whether a method lets anything wait."""
    return any(map(is_waiting, walk_nodes(method)))


def _is_run(method: Function, methods: Mapping[str, Function]) -> bool:
    """Whether one of these runs a private step of them, or hands it on."""
    others = (each for each in methods.values() if each is not method)
    parts = (part for each in others for part in walk_nodes(each))
    named = (each.attr for each in parts if isinstance(each, ast.Attribute))
    return _is_step(method.name) and method.name in named


def _is_step(name: str) -> bool:
    """Whether a name says that a method is for its class alone."""
    return is_private(name) or name.endswith("_")


def _list_marks(
    methods: Iterable[Function], steps: Set[str], owner: str
) -> Iterator[tuple[ast.stmt, ast.FunctionDef]]:
    """The statements that give others steps, with what these do behind them."""
    for method in methods:
        for each in walk_statements(method.body):
            if not isinstance(each, _SIMPLE):
                continue
            run = {part.func for part in walk_nodes(each) if isinstance(part, ast.Call)}
            named = (e for e in walk_nodes(each) if isinstance(e, ast.Attribute) and e not in run)
            given = [e.attr for e in named if e.attr in steps]
            calls = [ast.Call(ast.Attribute(ast.Name(owner), name), [], []) for name in given]
            if calls:
                yield each, make_waiting([ast.Expr(ast.Await(call)) for call in calls])


def keep_started(
    rule: Rule, operation: ServiceOperation, others: Sequence[Rule], moves: Moves
) -> Rule:
    """A step's rule with what begins in the states that ``others`` lead to once it was handed on;
    the same where nothing says when that is.
    """
    made = moves.get((rule.evidence[0], rule.field), {})
    if not (rule.begun and made):
        return rule
    step = rule.evidence[0].symbol.rpartition(".")[2]
    names = _list_names(operation)
    over = {step, *names} if step.lstrip("#") not in names else names - {step.lstrip("#")}
    reached = list_reached(rule.begun, (e for e in others if e.field == rule.field), over)
    return _begin_in(rule, reached, made)


def _begin_in(rule: Rule, states: Collection[str], moves: Mapping[str, Collection[Edge]]) -> Rule:
    made = {edge for each in states for edge in moves.get(each, ())}
    return rule._replace(edges=(*dict.fromkeys(keep_moves(rule.edges, made)),), begun=())


def _list_names(operation: ServiceOperation) -> Set[str]:
    """The names of what hands a step on."""
    return {each.partition("def ")[2].partition("(")[0] for each in operation.handers}


def keep_begun(edges: tuple[Edge, ...], own: Rule, states: States) -> tuple[Edge, ...]:
    """The transitions of a step that its class knows, and to other states those from where it
    begins.
    """
    known = {"", ANY_STATE, *(each.name for each in states.choices)}
    if not own.begun or not {*own.begun} <= known:
        return edges
    reached = {each.target for each in own.edges}
    return tuple(
        each
        for each in edges
        if each in own.edges
        or Edge(ANY_STATE, each.target) in own.edges
        or (not {each.source, ANY_STATE}.isdisjoint(own.begun) and each.target not in reached)
    )
