"""States that no rule reaches or leaves, and declared transitions that no rule makes.

Every file is judged by its own rules, so nothing is said of an entity that another file names.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from git_retcon.allium.language.checks.effects import (
    ANY_STATE,
    Assignment,
    Conduct,
    list_deep_assignments,
    read_conducts,
)
from git_retcon.allium.language.checks.scope import Scope, Shape, unwrap_type
from git_retcon.allium.language.declarations import Default, Transitions
from git_retcon.allium.language.expressions import (
    Alternatives,
    Argument,
    Call,
    Expression,
    Member,
    Name,
    ObjectLiteral,
    Quoted,
)
from git_retcon.allium.language.findings import Finding, Severity

# Without transitions nothing says which states are last; these words do by what they mean.
_LAST: Final = frozenset({
    "abandoned", "aborted", "accepted", "applied", "approved", "archived", "canceled", "cancelled",
    "closed", "completed", "declined", "deleted", "delivered", "destroyed", "disabled", "done",
    "ended", "expired", "failed", "finished", "merged", "paid", "published", "refunded", "rejected",
    "removed", "resolved", "retired", "returned", "revoked", "skipped", "stopped", "succeeded",
    "terminated", "withdrawn",
})  # fmt: skip


class Moves(NamedTuple):
    """What rules make of one field: states that are set, with the states before.

    A state before is ``ANY_STATE`` where a rule demands none.
    """

    entered: set[str]
    edges: set[tuple[str, str]]


class Lifecycles:
    """The moves of every field that has states, and the fields of which not all are known."""

    __slots__ = ("_anywhere", "_moves", "_scope", "_unclear", "_unclear_fields")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._moves: dict[tuple[str, str], Moves] = defaultdict(lambda: Moves(set(), set()))
        self._unclear: set[tuple[str, str]] = set()
        # By field and state, what is said of an entity that is not known: it may be any of them.
        self._anywhere: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._unclear_fields: set[str] = set()

    def add_assignment(
        self, shape: Shape | None, assignment: Assignment, sources: frozenset[str]
    ) -> None:
        """Note one assignment of a rule; without a shape it is one of every entity it fits."""
        field, state = assignment.field, assignment.state
        if shape is not None:
            self._enter(shape, field, state, sources)
        elif state:
            self._anywhere[field, state] |= sources
        else:
            self._unclear_fields.add(field)

    def add_creation(self, shape: Shape, values: Mapping[str, Expression]) -> None:
        """Note the states that an instance is made with."""
        for field, value in values.items():
            self._enter(shape, field, _spell_state(value), frozenset())

    def _enter(self, shape: Shape, field: str, state: str, sources: frozenset[str]) -> None:
        base = self._scope.shapes.get(shape.base)
        home = shape if field in shape.states else base
        if home is None or field not in home.states:
            return
        place = (home.name.text, field)
        if state not in home.states[field]:
            self._unclear.add(place)
            return
        self._moves[place].entered.add(state)
        self._moves[place].edges.update((source, state) for source in sources)

    def find_moves(self, shape: Shape, field: str) -> Moves | None:
        """What rules make of a field; None where none changes it, or not all is known."""
        place = (shape.name.text, field)
        if place in self._unclear or field in self._unclear_fields:
            return None
        moves = Moves({*self._moves[place].entered}, {*self._moves[place].edges})
        for state in shape.states[field]:
            sources = self._anywhere.get((field, state))
            if sources is not None:
                moves.entered.add(state)
                moves.edges.update((source, state) for source in sources)
        return moves if moves.edges else None


def check_lifecycles(scope: Scope) -> Iterator[Finding]:
    """Every field with states that some rule of this file changes."""
    lifecycles = _gather_moves(scope)
    for name, shape in scope.shapes.items():
        if not shape.states or shape.kind == "external entity":
            continue
        # What is read from a source is all that its reader found, and no mistake of an author.
        if scope.is_cited(scope.types[name]) or scope.is_named_outside(name):
            continue
        for field in shape.states:
            moves = lifecycles.find_moves(shape, field)
            graph = shape.graphs.get(field)
            if moves is not None and graph is None:
                yield from _check_states(shape, field, moves)
            elif moves is not None and graph is not None:
                yield from _check_edges(shape, graph, moves)


def _gather_moves(scope: Scope) -> Lifecycles:
    lifecycles = Lifecycles(scope)
    for conduct in read_conducts(scope):
        _gather_assignments(scope, conduct, lifecycles)
        for call in conduct.part.find(Call):
            match call.function:
                case Member(target=Name(text=text), field=Name(text="created")):
                    if text in scope.shapes:
                        lifecycles.add_creation(scope.shapes[text], _name_values(call.arguments))
    for part in scope.parts:
        match part.declaration:
            case Default(type=Name(text=text), value=ObjectLiteral(fields=fields)):
                if text in scope.shapes:
                    lifecycles.add_creation(scope.shapes[text], _name_values(fields))
    return lifecycles


def _gather_assignments(scope: Scope, conduct: Conduct, lifecycles: Lifecycles) -> None:
    _, part, bound, effects, owners = conduct
    for found in (*effects.assignments, *list_deep_assignments(part)):
        # The value of a name that the rule binds is known to nobody here.
        assignment = found._replace(value=Name(0, 0, "")) if found.state in bound else found
        owner = owners.get(found.variable)
        sources = effects.sources.get((found.variable, found.field), frozenset([ANY_STATE]))
        lifecycles.add_assignment(owner.shape if owner else None, assignment, sources)


def _name_values(arguments: tuple[Argument, ...]) -> dict[str, Expression]:
    return {each.name.text: each.value for each in arguments if each.name is not None}


def _spell_state(value: Expression) -> str:
    match value:
        case Name(text=text) | Quoted(value=text):
            return text
    return ""


def _check_edges(shape: Shape, graph: Transitions, moves: Moves) -> Iterator[Finding]:
    place = f"'{shape.name.text}.{graph.field.text}'"
    for edge in graph.edges:
        source, target = edge.source.text, edge.target.text
        if not {(source, target), (ANY_STATE, target)} & moves.edges:
            message = f"no rule takes {place} from '{source}' to '{target}'"
            code = "allium.transitions.unwitnessedEdge"
            yield Finding(edge.start, Severity.WARNING, message, code)


def _check_states(shape: Shape, field: str, moves: Moves) -> Iterator[Finding]:
    place = f"'{shape.name.text}.{field}'"
    for state, offset in _locate_states(shape, field):
        if state not in moves.entered:
            message = f"no rule sets {place} to '{state}'"
            yield Finding(offset, Severity.WARNING, message, "allium.status.unreachableValue")
        leaves = any(
            source in (state, ANY_STATE) and target != state for source, target in moves.edges
        )
        if not leaves and state not in _LAST:
            message = (
                f"no rule leads on from state '{state}' of {place}; "
                "if it is the last, say so with 'transitions' and 'terminal:'"
            )
            yield Finding(offset, Severity.WARNING, message, "allium.status.noExit")


def _locate_states(shape: Shape, field: str) -> Iterator[tuple[str, int]]:
    """The states with their offsets; those of a named enum are at the field that has it."""
    declared = shape.fields[field]
    kind = unwrap_type(declared.value)
    items = kind.items if isinstance(kind, Alternatives) else ()
    offsets = {_spell_state(item): item.start for item in items}
    for state in shape.states[field]:
        yield state, offsets.get(state, declared.name.start)
