"""Rules against states: transitions they make, values they set, and states nothing reaches."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.effects import (
    Assignment,
    Effects,
    Owner,
    read_conducts,
)
from git_retcon.allium.language.checks.graphs import find_states
from git_retcon.allium.language.checks.scope import Part, Scope, Shape
from git_retcon.allium.language.declarations import Transitions
from git_retcon.allium.language.expressions import Call, Constant, Member, Name
from git_retcon.allium.language.findings import Finding, Severity


def check_states(scope: Scope) -> Iterator[Finding]:
    """Every rule against the entities whose states it sets."""
    for _, part, bound, effects, owners in read_conducts(scope):
        yield from _check_created(scope, part, bound)
        for assignment in effects.assignments:
            owner = owners.get(assignment.variable)
            # A name that the rule binds is a variable, whose value nobody knows here.
            if owner is not None and assignment.state and assignment.state not in bound:
                yield from _check_assignment(scope, assignment, effects, owner)
                yield from _check_presence(assignment, effects, owner)


def _find_graph(scope: Scope, shape: Shape, field: str) -> Transitions | None:
    base = scope.shapes.get(shape.base)
    return shape.graphs.get(field) or (base.graphs.get(field) if base else None)


def _check_assignment(
    scope: Scope, assignment: Assignment, effects: Effects, owner: Owner
) -> Iterator[Finding]:
    shape, field, target = owner.shape, assignment.field, assignment.state
    states = find_states(shape, scope.shapes.get(shape.base), field)
    place = f"'{shape.name.text}.{field}'"
    if states and target not in states:
        # Where two entities share the variable's name and state, either may be meant.
        if owner.is_certain:
            message = f"{place} has no state '{target}'"
            code = "allium.status.undefinedValue"
            yield Finding(assignment.value.start, Severity.ERROR, message, code)
        return
    graph = _find_graph(scope, shape, field)
    if graph is None or not assignment.is_certain:
        return
    edges = {(edge.source.text, edge.target.text) for edge in graph.edges}
    for source in sorted(effects.sources.get((assignment.variable, field), ())):
        # Staying in a state is no transition, and unknown states are another finding.
        if source != target and source in states and (source, target) not in edges:
            message = f"{place} has no transition from '{source}' to '{target}'"
            severity = Severity.ERROR if owner.is_certain else Severity.WARNING
            code = "allium.status.undeclaredTransition"
            yield Finding(assignment.value.start, severity, message, code)


def _check_presence(assignment: Assignment, effects: Effects, owner: Owner) -> Iterator[Finding]:
    """A field that exists in some states only is set on the way in and cleared on the way out."""
    sources = effects.sources.get((assignment.variable, assignment.field))
    if not sources or not assignment.is_certain:
        return
    given = {
        other.field: other.value
        for other in effects.assignments
        if other.variable == assignment.variable
    }
    for name, field in owner.shape.fields.items():
        presence = field.presence
        if presence is None or presence.field.text != assignment.field:
            continue
        place = f"'{owner.shape.name.text}.{name}'"
        enters = assignment.state in presence.values
        if enters and not sources & presence.values and name not in given:
            message = f"{place} exists from '{assignment.state}' on and is not set"
            code = "allium.presence.notSet"
            yield Finding(assignment.value.start, Severity.WARNING, message, code)
        elif not enters and sources <= presence.values and not _is_null(given.get(name)):
            message = f"{place} does not exist in '{assignment.state}' and is not set to null"
            code = "allium.presence.notCleared"
            yield Finding(assignment.value.start, Severity.WARNING, message, code)


def _is_null(value: object) -> bool:
    return isinstance(value, Constant) and value.word == "null"


def _check_created(scope: Scope, part: Part, bound: frozenset[str]) -> Iterator[Finding]:
    for call in part.find(Call):
        match call.function:
            case Member(target=Name(text=text), field=Name(text="created")) if text in scope.shapes:
                yield from _check_initial(scope, scope.shapes[text], call, bound)


def _check_initial(
    scope: Scope, shape: Shape, call: Call, bound: frozenset[str]
) -> Iterator[Finding]:
    base = scope.shapes.get(shape.base)
    given = {item.name.text: item.value for item in call.arguments if item.name is not None}
    for field, value in given.items():
        states = find_states(shape, base, field)
        text = value.text if isinstance(value, Name) else ""
        if states and text and text not in states and text not in bound:
            message = f"'{shape.name.text}.{field}' has no state '{text}'"
            yield Finding(value.start, Severity.ERROR, message, "allium.created.invalidStatus")
    graphs = {**(base.graphs if base else {}), **shape.graphs}
    for field in graphs:
        if field not in given and (field in shape.states or (base and field in base.states)):
            message = f"'{shape.name.text}' is created without its '{field}', which has transitions"
            yield Finding(call.start, Severity.WARNING, message, "allium.created.missingStatus")
