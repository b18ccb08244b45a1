"""What a rule requires of states and what it makes of them, as far as it is certain."""

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from git_retcon.allium.language.checks.scope import Part, Scope, Shape, simplify_name
from git_retcon.allium.language.checks.trigger_use import Form, list_triggers
from git_retcon.allium.language.checks.variables import list_bound_names
from git_retcon.allium.language.checks.variants import list_variable_types
from git_retcon.allium.language.declarations import (
    Braced,
    Clause,
    Item,
    ItemConditional,
    ItemLoop,
)
from git_retcon.allium.language.expressions import (
    Binary,
    Block,
    Conditional,
    Expression,
    Logical,
    Loop,
    Member,
    Name,
    Quoted,
    SetLiteral,
)
from git_retcon.allium.language.traversal import walk_tree

# The state before, where a rule demands none: an identifier is never empty.
ANY_STATE: Final = ""


class Assignment(NamedTuple):
    """``variable.field = value`` in an effect; ``is_certain`` outside of every branch."""

    variable: str
    field: str
    value: Expression
    is_certain: bool

    @property
    def state(self) -> str:
        """The name or backtick literal assigned, "" for any other value."""
        if isinstance(self.value, Quoted):
            return self.value.value
        return self.value.text if isinstance(self.value, Name) else ""


class Effects(NamedTuple):
    """``sources`` are the states of a variable's field before the rule, where it demands some."""

    sources: Mapping[tuple[str, str], frozenset[str]]
    assignments: Sequence[Assignment]


class Conduct(NamedTuple):
    """A rule with the names that it binds, what it does, and the entities its variables hold."""

    rule: Braced
    part: Part
    bound: frozenset[str]
    effects: Effects
    owners: Mapping[str, "Owner"]


@functools.lru_cache(maxsize=1)
def read_conducts(scope: Scope) -> Sequence[Conduct]:
    """All rules of a file. Checks ask one after the other for the same, so it is read once."""
    found = []
    for rule, part in scope.find_braced("rule"):
        effects = read_effects(rule)
        bound = list_bound_names(scope, rule, part)
        found.append(Conduct(rule, part, bound, effects, find_owners(scope, rule, effects)))
    return found


def read_effects(rule: Braced) -> Effects:
    """The states before and the assignments of one rule."""
    sources: dict[tuple[str, str], frozenset[str]] = {}
    assignments: list[Assignment] = []
    for trigger in list_triggers(rule):
        if trigger.form is Form.TRANSITION and trigger.names and trigger.state:
            sources[trigger.names[0].text, trigger.field] = frozenset([trigger.state])
    for clause, is_certain in _list_clauses(rule.items):
        if clause.keyword == "requires" and is_certain:
            for place, states in _list_requirements(clause.value):
                sources[place] = sources[place] & states if place in sources else states
        elif clause.keyword == "ensures":
            assignments.extend(_list_assignments(clause.value, is_certain))
    return Effects(sources, assignments)


def _list_clauses(items: Sequence[Item]) -> Iterator[tuple[Clause, bool]]:
    """A rule's clauses, and whether they hold whenever it fires."""
    # A stack and no recursion: specifications may be nested as deep as the parser allows.
    stack: list[tuple[Item, bool]] = [(item, True) for item in reversed(items)]
    while stack:
        item, is_certain = stack.pop()
        match item:
            case Clause():
                yield item, is_certain
            case ItemLoop(items=inner):
                stack.extend((found, is_certain) for found in reversed(inner))
            case ItemConditional(branches=branches, otherwise=otherwise):
                # What is in a branch happens only sometimes, so no check may rely on it.
                stack.extend((found, False) for found in otherwise or ())
                stack.extend((found, False) for branch in branches for found in branch.items)


def _list_requirements(value: Expression) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    """``variable.field = state`` and ``in {states}``, where ``and`` and blocks join conditions."""
    stack = [value]
    while stack:
        part = stack.pop()
        match part:
            case Logical(operator="and", operands=operands):
                stack.extend(operands)
            case Block(items=items):
                stack.extend(items)
            case Logical(operator="or", operands=operands):
                yield from _join_requirements(operands)
            case Binary():
                yield from read_comparison(part)


def _join_requirements(
    operands: Sequence[Expression],
) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    """Alternatives demand a state only if all of them are about one variable's field."""
    found = [
        comparison
        for operand in operands
        if isinstance(operand, Binary)
        for comparison in read_comparison(operand)
    ]
    places = {place for place, _ in found}
    if len(found) == len(operands) and len(places) == 1:
        yield places.pop(), frozenset().union(*(states for _, states in found))


def read_comparison(value: Binary) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    """The variable's field and the states that a comparison allows; nothing for other ones."""
    match value.left:
        case Member(target=Name(text=variable), field=Name(text=field)):
            items = value.right.items if isinstance(value.right, SetLiteral) else (value.right,)
            if value.operator == ("in" if isinstance(value.right, SetLiteral) else "="):
                states = [Assignment(variable, field, item, True).state for item in items]
                if all(states):
                    yield (variable, field), frozenset(states)


def _list_assignments(value: Expression, is_certain: bool) -> Iterator[Assignment]:
    stack = [(value, is_certain)]
    while stack:
        part, certain = stack.pop()
        match part:
            case Block(items=items):
                stack.extend((item, certain) for item in reversed(items))
            case Loop(body=body):
                stack.append((body, certain))
            case Conditional(branches=branches, otherwise=otherwise):
                stack.extend((branch.body, False) for branch in reversed(branches))
                stack.extend([(otherwise, False)] if otherwise is not None else [])
            case Logical(operator="and", operands=operands):
                stack.extend((operand, certain) for operand in reversed(operands))
            case Binary(operator="=", left=Member(target=Name(text=name)) as left, right=right):
                yield Assignment(name, left.field.text, right, certain)


def list_deep_assignments(part: Part) -> Iterator[Assignment]:
    """``a.b.field = value`` in the effects of a rule: of an entity that is not known here."""
    for clause in part.find(Clause):
        if clause.keyword != "ensures":
            continue
        for node in walk_tree(clause.value):
            match node:
                case Binary(operator="=", left=Member(target=Name())):
                    continue
                case Binary(operator="=", left=Member(field=Name(text=field)), right=right):
                    yield Assignment("", field, right, False)


class Owner(NamedTuple):
    """The entity that a variable holds; ``is_certain`` when the rule itself says so."""

    shape: Shape
    is_certain: bool


def find_owners(scope: Scope, rule: Braced, effects: Effects) -> dict[str, Owner]:
    """The entities that a rule's variables hold: by their type, their name, or their states."""
    types = list_variable_types(rule)
    owners: dict[str, Owner] = {}
    for name, entity in types.items():
        if entity in scope.shapes:
            owners[name] = Owner(scope.shapes[entity], True)
    states: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (variable, field), known in effects.sources.items():
        states[variable][field] |= known
    for assignment in effects.assignments:
        if assignment.state:
            states[assignment.variable][assignment.field].add(assignment.state)
    for variable, fields in states.items():
        shape = None if variable in types else _guess_shape(scope, variable, fields)
        if shape is not None:
            owners[variable] = Owner(shape, False)
    return owners


def _guess_shape(scope: Scope, variable: str, fields: Mapping[str, set[str]]) -> Shape | None:
    """The entity that a variable is named after, else the only one that has these states."""
    named = scope.shapes_by_name.get(simplify_name(variable))
    if named is not None and _fits_fields(named, fields):
        return named
    found = None
    for field, states in fields.items():
        # Two guards that contradict each other leave no state.
        for shape in scope.shapes_by_state.get((field, min(states, default="")), ()):
            if not _fits_fields(shape, fields):
                continue
            if found is not None and found is not shape:
                return None
            found = shape
    return found


def _fits_fields(shape: Shape, fields: Mapping[str, set[str]]) -> bool:
    """Whether some field has all these states: others may be booleans, numbers or variables."""
    known = [field for field in fields if field in shape.states]
    return bool(known) and all(fields[field] <= {*shape.states[field]} for field in known)
