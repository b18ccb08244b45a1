"""Fields that exist in some states only: where they are read, and what is derived from them."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.derivations import list_read_fields
from git_retcon.allium.language.checks.effects import (
    Conduct,
    Effects,
    read_comparison,
    read_conducts,
)
from git_retcon.allium.language.checks.scope import (
    Part,
    Scope,
    Shape,
    list_states,
    simplify_name,
)
from git_retcon.allium.language.checks.trigger_use import list_triggers
from git_retcon.allium.language.declarations import Clause, Field, Invariant, Presence
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Constant,
    Loop,
    Member,
    Name,
    SetLiteral,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.plurals import list_singulars
from git_retcon.allium.language.traversal import walk_tree


def check_present_fields(scope: Scope) -> Iterator[Finding]:
    """Every rule and invariant that reads such fields, every derived value made of them."""
    shapes = [shape for shape in scope.shapes.values() if _list_presences(shape)]
    if not shapes:
        return
    names = {name for shape in shapes for name in _list_presences(shape)}
    for conduct in read_conducts(scope):
        if any(member.field.text in names for member in conduct.part.find(Member)):
            yield from _check_rule(scope, conduct)
    for part in scope.parts:
        if isinstance(part.declaration, Invariant):
            yield from _check_invariant(scope, part)
    for shape in shapes:
        for name, field in shape.fields.items():
            yield from _check_derived(shape, name, field)


def _list_presences(shape: Shape) -> dict[str, Presence]:
    found = {name: field.presence for name, field in shape.fields.items()}
    return {name: presence for name, presence in found.items() if presence is not None}


def _check_rule(scope: Scope, conduct: Conduct) -> Iterator[Finding]:
    rule, part, _, effects, known = conduct
    owners = {name: (owner.shape, owner.is_certain) for name, owner in known.items()}
    for trigger in list_triggers(rule):
        for name in trigger.names:
            named = scope.shapes_by_name.get(simplify_name(name.text))
            if named is not None:
                owners.setdefault(name.text, (named, False))
    written = {id(found.left) for found in _list_written(part)}
    tested, asked = _list_tested(part), _list_null_tests(part)
    for member in part.find(Member):
        match member:
            case Member(target=Name(text=variable), field=field) if variable in owners:
                shape, is_certain = owners[variable]
                presence = _list_presences(shape).get(field.text)
                if presence is None or id(member) in written:
                    continue
                if not _is_narrowed(effects, tested, variable, presence):
                    # A variable that is only named like the entity may be another.
                    is_asked = (variable, field.text) in asked
                    severity = Severity.ERROR if is_certain and not is_asked else Severity.WARNING
                    yield _report_access(shape, field, presence, severity)


def _list_written(part: Part) -> Iterator[Binary]:
    """The assignments of a rule's effects: what they write need not exist before."""
    for clause in part.find(Clause):
        if clause.keyword == "ensures":
            for node in walk_tree(clause.value):
                if isinstance(node, Binary) and node.operator == "=":
                    yield node


def _list_tested(part: Part) -> list[tuple[str, str, frozenset[str]]]:
    """Every comparison with states, as variable, field and states; "" for an item's own field.

    Which branch a comparison guards is not followed: what is tested at all counts everywhere, so
    that nothing right is called wrong.
    """
    found: list[tuple[str, str, frozenset[str]]] = []
    for comparison in part.find(Binary):
        operator = comparison.operator
        if operator in ("!=", "not in"):
            # "a.state != sent or ..." says what holds while it is sent.
            comparison = comparison._replace(operator="=" if operator == "!=" else "in")
        for (variable, field), states in read_comparison(comparison):
            found.append((variable, field, states))
        if isinstance(comparison.left, Name) and comparison.operator in ("=", "in"):
            right = comparison.right
            items = right.items if isinstance(right, SetLiteral) else (right,)
            states = frozenset(state for item in items for state in list_states(item))
            found.append(("", comparison.left.text, states))
    return found


def _is_narrowed(
    effects: Effects,
    tested: list[tuple[str, str, frozenset[str]]],
    variable: str,
    presence: Presence,
) -> bool:
    """Whether a rule demands, sets or tests a state in which the field exists."""
    sources = effects.sources.get((variable, presence.field.text))
    if sources is not None and sources <= presence.values:
        return True
    return any(
        name in (variable, "") and field == presence.field.text and states <= presence.values
        for name, field, states in tested
    )


def _report_access(shape: Shape, field: Name, presence: Presence, severity: Severity) -> Finding:
    states = " or ".join(f"'{state}'" for state in sorted(presence.values))
    message = (
        f"'{shape.name.text}.{field.text}' exists only while '{presence.field.text}' is {states}, "
        "which nothing here demands"
    )
    return Finding(field.start, severity, message, "allium.presence.unguardedAccess")


def _check_invariant(scope: Scope, part: Part) -> Iterator[Finding]:
    """``for o in Orders:`` goes through all states."""
    tested, asked = _list_tested(part), _list_null_tests(part)
    owners: dict[str, Shape] = {}
    for loop in part.find(Loop):
        if isinstance(loop.collection, Name) and loop.bindings:
            for singular in list_singulars(loop.collection.text):
                if singular in scope.shapes:
                    owners[loop.bindings[0].text] = scope.shapes[singular]
    for member in part.find(Member):
        match member:
            case Member(target=Name(text=variable), field=field) if variable in owners:
                shape = owners[variable]
                presence = _list_presences(shape).get(field.text)
                no_effects = Effects({}, ())
                if presence and not _is_narrowed(no_effects, tested, variable, presence):
                    # Who asks whether it is null knows that it may be missing.
                    is_asked = (variable, field.text) in asked
                    severity = Severity.WARNING if is_asked else Severity.ERROR
                    yield _report_access(shape, field, presence, severity)


def _list_null_tests(part: Part) -> set[tuple[str, str]]:
    """The variables and fields that are compared with ``null``."""
    found: set[tuple[str, str]] = set()
    for comparison in part.find(Binary):
        match comparison:
            case Binary(
                left=Member(target=Name(text=variable), field=Name(text=field)),
                right=Constant(word="null"),
            ):
                found.add((variable, field))
    return found


def _check_derived(shape: Shape, name: str, field: Field) -> Iterator[Finding]:
    """What is derived exists where all that it is made of does."""
    sets = _infer_presence(shape, name)
    for status, values in sets.items():
        place = f"'{shape.name.text}.{name}'"
        if not values:
            message = f"{place} is made of fields that never exist at once"
            code = "allium.presence.neverDerived"
            yield Finding(field.name.start, Severity.ERROR, message, code)
        elif _differs(field.presence, status, values):
            states = " | ".join(sorted(values))
            message = f"what {place} is made of exists when {status} = {states}"
            code = "allium.presence.wrongDerivation"
            yield Finding(field.name.start, Severity.ERROR, message, code)


def _differs(presence: Presence | None, status: str, values: frozenset[str]) -> bool:
    return presence is not None and presence.field.text == status and presence.values != values


def _infer_presence(shape: Shape, name: str) -> dict[str, frozenset[str]]:
    """For each status field, the states in which all inputs of a derived value exist."""
    sets: dict[str, frozenset[str]] = {}
    seen = {name}
    stack = [*_list_inputs(shape, name)]
    while stack:
        each = stack.pop()
        if each in seen:
            continue
        seen.add(each)
        inputs = _list_inputs(shape, each)
        presence = shape.fields[each].presence
        if presence is not None:
            status = presence.field.text
            sets[status] = sets.get(status, presence.values) & presence.values
        stack.extend(inputs)
    return sets


def _list_inputs(shape: Shape, name: str) -> set[str]:
    value = shape.fields[name].value
    # The values of an inline enum may be spelled like a field.
    read = set() if isinstance(value, Alternatives) else list_read_fields(value)
    return (read & shape.fields.keys()) - {name}
