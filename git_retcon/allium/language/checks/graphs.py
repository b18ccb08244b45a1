"""Transition graphs and state-dependent fields, against the entity that they are in."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope, Shape
from git_retcon.allium.language.declarations import Field, Transitions
from git_retcon.allium.language.expressions import Name
from git_retcon.allium.language.findings import Finding, Severity


def check_graphs(scope: Scope) -> Iterator[Finding]:
    """Graphs name the states of a field, all of them, and each leads on or is terminal."""
    for shape in scope.shapes.values():
        base = scope.shapes.get(shape.base)
        for graph in shape.graphs.values():
            yield from _check_graph(shape, base, graph)
        for field in shape.fields.values():
            if field.presence is not None:
                yield from _check_presence(shape, base, field)


def find_states(shape: Shape, base: Shape | None, field: str) -> tuple[str, ...]:
    """The values of an enum field, which a variant may have from its base; () if it is no enum."""
    return shape.states.get(field) or (base.states.get(field, ()) if base else ())


def _is_opaque(shape: Shape, base: Shape | None, field: str) -> bool:
    """Whether a field's type is declared in another file, or the field is."""
    if shape.kind == "variant" and base is None:
        return True
    found = shape.fields.get(field) or (base.fields.get(field) if base else None)
    return found is not None and not isinstance(found.value, Name)


def _check_graph(shape: Shape, base: Shape | None, graph: Transitions) -> Iterator[Finding]:
    states = find_states(shape, base, graph.field.text)
    field = shape.fields.get(graph.field.text)
    # A Boolean is an enum that nobody has to declare.
    if field is not None and isinstance(field.value, Name) and field.value.text == "Boolean":
        states = ("true", "false")
    place = f"'{shape.name.text}.{graph.field.text}'"
    if not states:
        # What another file declares cannot be judged here, so nothing is said of it.
        if not _is_opaque(shape, base, graph.field.text):
            message = f"{place} has transitions but is no field with states"
            code = "allium.transitions.unknownField"
            yield Finding(graph.field.start, Severity.ERROR, message, code)
        return
    named = [name for edge in graph.edges for name in (edge.source, edge.target)]
    for name in _drop_repeated([*named, *graph.terminal]):
        if name.text not in states:
            message = f"{place} has no state '{name.text}'"
            code = "allium.transitions.unknownState"
            yield Finding(name.start, Severity.ERROR, message, code)
    used = {name.text for name in (*named, *graph.terminal)}
    for state in states:
        if state not in used:
            message = f"state '{state}' of {place} is in no transition and not terminal"
            code = "allium.transitions.missingState"
            yield Finding(graph.field.start, Severity.ERROR, message, code)
    yield from _check_exits(graph, place)


def _check_exits(graph: Transitions, place: str) -> Iterator[Finding]:
    left = {edge.source.text for edge in graph.edges} | {name.text for name in graph.terminal}
    for edge in _drop_repeated([edge.target for edge in graph.edges]):
        if edge.text not in left:
            message = f"nothing leads on from state '{edge.text}' of {place}; list it as terminal"
            yield Finding(edge.start, Severity.ERROR, message, "allium.transitions.noExit")
    seen: set[tuple[str, str]] = set()
    for found in graph.edges:
        key = (found.source.text, found.target.text)
        if key in seen:
            message = f"the transition {key[0]} -> {key[1]} of {place} is listed twice"
            code = "allium.transitions.duplicateEdge"
            yield Finding(found.start, Severity.WARNING, message, code)
        seen.add(key)


def _drop_repeated(names: list[Name]) -> list[Name]:
    """The first of each text."""
    # Reversed twice: of a dict's equal keys the last value counts, and the first is wanted.
    return list({name.text: name for name in reversed(names)}.values())[::-1]


def _check_presence(shape: Shape, base: Shape | None, field: Field) -> Iterator[Finding]:
    """``when status = a | b`` after a field's type: states of a field that has transitions."""
    if field.presence is None:
        return
    status = field.presence.field
    place = f"'{shape.name.text}.{status.text}'"
    states = find_states(shape, base, status.text)
    if not states and _is_opaque(shape, base, status.text):
        return
    if status.text not in shape.graphs and not (base and status.text in base.graphs):
        message = f"{place} has no transitions, so no field can depend on it"
        code = "allium.presence.noTransitions"
        yield Finding(status.start, Severity.ERROR, message, code)
    for state in sorted(field.presence.values - {*states} if states else ()):
        message = f"{place} has no state '{state}'"
        offset = field.presence.states[0].start
        yield Finding(offset, Severity.ERROR, message, "allium.presence.unknownState")
