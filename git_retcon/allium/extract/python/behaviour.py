"""What methods demand and do: guards before an error, effects, and the states of a field."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.conditions import (
    Subject,
    face_field,
    find_field,
    find_states,
    read_states,
    translate_condition,
    translate_value,
)
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.state_flow import Possible, StateFlow
from git_retcon.allium.extract.source_facts import Edge, Evidence, Invariant, Rule
from git_retcon.allium.extract.spelling import spell_field_name, spell_type_name, spell_value

# Special methods that do something, besides making and comparing.
_ENTRIES = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__", "__call__"})
Function = ast.FunctionDef | ast.AsyncFunctionDef
_SKIPPED = frozenset(
    {"property", "cached_property", "staticmethod", "classmethod", "overload", "abstractmethod",
     "validator", "field_validator", "root_validator", "model_validator", "setter", "validates",
     "fixture", "hybrid_property", "declared_attr"}
)  # fmt: skip
# What asks and what converts changes nothing.
_QUESTIONS = (
    "get_",
    "is_",
    "has_",
    "to_",
    "as_",
    "can_",
    "find_",
    "list_",
    "read_",
    "check_",
    "from_",
)
# Errors of the programmer, not of the domain.
_INTERNAL = frozenset(
    {"NotImplementedError", "TypeError", "AttributeError", "AssertionError", "ImportError"}
)
_CHECKS = frozenset({"__post_init__", "__attrs_post_init__", "clean"})


class Operation(NamedTuple):
    """A method, or a function that takes an entity, with its subject and its evidence."""

    node: Function
    subject: Subject
    entity: str
    evidence: Evidence


def list_properties(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    """What properties, and methods without arguments, return when that is all that they do."""
    found: dict[str, ast.expr] = {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and len(item.args.args) == 1:
            body = [each for each in item.body if not _is_docstring(each)]
            if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
                found[item.name] = body[0].value
    return found


def list_methods(node: ast.ClassDef) -> Mapping[str, Function]:
    """The methods of a class by name."""
    return {item.name: item for item in node.body if isinstance(item, Function)}


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_operation(node: ast.stmt) -> bool:
    """Whether a method may be a rule: it is called to do something."""
    if not isinstance(node, Function):
        return False
    is_special = node.name.startswith("__") and node.name.endswith("__")
    if is_special and node.name not in _ENTRIES:
        return False
    return all(get_last(spell_dotted(mark)) not in _SKIPPED for mark in node.decorator_list)


def read_rule(operation: Operation) -> Rule | None:
    """The rule of an operation that has a guard or moves a state; else None."""
    node, subject, entity, evidence = operation
    subject = subject._replace(parameters=_read_parameters(node, subject))
    guards = [*_list_guards(node.body, subject)]
    requires = [text for text, _ in guards if text is not None]
    move = _find_move(node, subject)
    if move is None and (not requires or not _does_something(node)):
        return None
    variable = subject.variable
    field = move.field if move is not None else ""
    effects = [*_list_effects(node.body, subject, field)]
    if move is not None:
        place = f"{variable}.{subject.fields[field].name}"
        # What a guard demands of the state needs no second sentence.
        if move.demand and not any(text.startswith(f"{place} ") for text in requires):
            requires.insert(0, f"{place} {move.demand}")
        effects[:0] = [f"\n        {move.cases}" if move.cases else f"{place} {move.effect}"]
        effects = [each for each in effects if each != f"{place} "]
    edges = move.edges if move is not None else ()
    verb = spell_type_name(node.name.strip("_"))
    if verb is None:
        return None
    used = " ".join([*requires, *effects])
    parameters = [
        spelled
        for each in subject.parameters
        if (spelled := spell_field_name(each)) and _uses_name(used, spelled)
    ]
    name = entity + verb if not verb.endswith(entity) else verb
    trigger = verb if verb.endswith(entity) else verb + entity
    guidance = [said for text, said in guards if text is None and said and field]
    if not requires and not effects:
        guidance.append(f"May change the {subject.fields[field].name}.")
    return Rule(
        name, (evidence,), trigger, (variable, *parameters), tuple(dict.fromkeys(requires)),
        tuple(dict.fromkeys(effects)), tuple(guidance), entity,
        subject.fields[field].name if field else "", edges,
    )  # fmt: skip


class _Move(NamedTuple):
    """What an operation makes of the states of a field: the states that it demands, what it makes
    of all of them, or of each (``cases``), as text behind the place.
    """

    field: str
    edges: tuple[Edge, ...]
    demand: str = ""
    effect: str = ""
    cases: str = ""


def _find_move(node: Function, subject: Subject) -> _Move | None:
    """The first field whose state an operation sets."""
    for name, states in subject.states.items():
        if name not in subject.fields or not (states.enum or states.choices):
            continue
        flow = StateFlow(subject, name, states)
        end = flow.run(node.body, None)
        if flow.assigned:
            return _describe_move(node, subject, name, tuple(flow.edges), end)
    return None


def _describe_move(
    node: Function, subject: Subject, name: str, edges: tuple[Edge, ...], end: Possible
) -> _Move:
    states = subject.states[name]
    place = f"{subject.variable}.{subject.fields[name].name}"
    effect = f"= {spell_value(min(end))}" if end is not None and len(end) == 1 else ""
    every = [choice.name for choice in states.choices]
    if not every:
        return _Move(name, edges, effect=effect)
    # One state at a time: what it leads to, and whether the operation refuses it.
    ends: dict[str, frozenset[str]] = {}
    followed: dict[Edge, None] = {}
    for state in every:
        flow = StateFlow(subject, name, states)
        found = flow.run(node.body, frozenset([state]))
        ends[state] = frozenset(every) if found is None else found
        followed |= flow.edges
    allowed = [state for state in every if ends[state]]
    demand = _spell_states(allowed) if allowed and len(allowed) < len(every) else ""
    cases = ""
    if not effect and all(len(found) <= 1 for found in ends.values()):
        moved = [(state, min(ends[state])) for state in allowed if ends[state] != {state}]
        cases = "\n        else ".join(
            f"if {place} = {spell_value(old)}: {place} = {spell_value(new)}" for old, new in moved
        )
    reached = frozenset(one for found in ends.values() for one in found)
    if not effect and not cases and 1 < len(reached) < len(every):
        effect = _spell_states([state for state in every if state in reached])
    return _Move(name, tuple(followed), demand, effect, cases)


def _spell_states(states: Sequence[str]) -> str:
    if len(states) == 1:
        return f"= {spell_value(states[0])}"
    return f"in {{{', '.join(map(spell_value, states))}}}"


def _does_something(node: Function) -> bool:
    """Whether a method is called for what it does: it sets or calls something by itself."""
    if node.name.startswith(_QUESTIONS):
        return False
    return any(
        isinstance(each, ast.AugAssign | ast.Delete)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call | ast.Await))
        or (isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Attribute))
        for each in _open_blocks(node.body)
    )


def _uses_name(text: str, name: str) -> bool:
    words = "".join(
        letter if letter.isalnum() or letter in "_." else " " for letter in text
    ).split()
    return name in words


def _read_parameters(node: Function, subject: Subject) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for each in [*node.args.args, *node.args.kwonlyargs]:
        if each.arg not in (subject.name, "self", "cls") and each.arg != subject.variable:
            annotation = each.annotation
            found[each.arg] = isinstance(annotation, ast.Name) and annotation.id == "bool"
    return found


def _list_guards(body: Sequence[ast.stmt], subject: Subject) -> Iterator[tuple[str | None, str]]:
    """What has to hold, in the language; where it cannot say it, None and the source's own words.

    Guards come first: what an operation assigned itself is no demand on its caller.
    """
    assigned: set[str] = set()
    is_begun = False
    for node in _open_blocks(body):
        match node:
            case ast.If(test=test, body=inner, orelse=[]) if _raises_error(inner):
                if not _reads_names(test, assigned):
                    text = translate_condition(test, subject, negate=True)
                    yield text, f"Fails if {ast.unparse(test)}" if text is None else ""
            case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]):
                # Doing nothing in some states is another way to refuse, before anything is done.
                if not is_begun and _asks_state(test, subject):
                    text = translate_condition(test, subject, negate=True)
                    if text is not None:
                        yield text, ""
            case ast.Assign(targets=targets):
                assigned |= {get_last(spell_dotted(each)) for each in targets}
                is_begun |= any(isinstance(each, ast.Attribute) for each in targets)
            case ast.AugAssign(target=target):
                assigned.add(get_last(spell_dotted(target)))
                is_begun = True
            case _:
                is_begun |= not _is_preparing(node)


def _is_preparing(node: ast.stmt) -> bool:
    """Whether a statement changes nothing that outlives the method: names, and texts."""
    match node:
        case ast.If(body=body, orelse=orelse):
            return all(map(_is_preparing, [*body, *orelse]))
        case ast.Assign(targets=targets):
            return all(isinstance(each, ast.Name) for each in targets)
    return _is_docstring(node) or isinstance(node, ast.Pass)


def _asks_state(test: ast.expr, subject: Subject) -> bool:
    """Whether a condition is about nothing but the states of a field."""
    match test:
        case ast.BoolOp(values=values):
            return all(_asks_state(each, subject) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asks_state(operand, subject)
        case ast.Compare(ops=[_]):
            left, _, right = face_field(test, subject)
            states = find_states(left, subject)
            return states is not None and bool(read_states(right, states, subject.constants))
    return False


def _reads_names(test: ast.expr, names: set[str]) -> bool:
    if not names:
        return False
    return any(
        (isinstance(each, ast.Name) and each.id in names)
        or (isinstance(each, ast.Attribute) and each.attr in names)
        for each in ast.walk(test)
    )


def _open_blocks(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that always run, until one leaves; those in ``with`` and ``try`` count."""
    for node in body:
        if isinstance(node, ast.With | ast.AsyncWith | ast.Try):
            yield from _open_blocks(node.body)
        else:
            yield node
        if isinstance(node, ast.Return | ast.Raise):
            return


def _raises_error(body: Sequence[ast.stmt]) -> bool:
    last = body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    return get_last(spell_dotted(last.exc)) not in _INTERNAL


def _list_effects(body: Sequence[ast.stmt], subject: Subject, field: str) -> Iterator[str]:
    """What fields get on the way through, as far as it is certain."""
    for node in _open_blocks(body):
        match node:
            case ast.If(body=inner) if not _raises_error(inner) and _leaves_block(inner):
                return  # what follows happens only sometimes
            case ast.Assign(targets=[target], value=value):
                found = find_field(target, subject)
                states = find_states(target, subject)
                if found is None or found.symbol == field:
                    continue
                if states is not None:
                    one = read_states(value, states, {})
                    text = spell_value(one[0]) if one and len(one) == 1 else None
                else:
                    text = translate_value(value, subject)
                if text is not None:
                    yield f"{subject.variable}.{found.name} = {text}"
            case ast.AugAssign(target=target, op=op, value=value):
                found = find_field(target, subject)
                text = translate_value(value, subject)
                sign = {ast.Add: "+", ast.Sub: "-"}.get(type(op))
                if found is not None and text is not None and sign and found.symbol != field:
                    place = f"{subject.variable}.{found.name}"
                    yield f"{place} = {place} {sign} {text if ' ' not in text else f'({text})'}"


def _leaves_block(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def list_checks(node: ast.ClassDef, subject: Subject) -> Iterator[Invariant]:
    """What a class refuses to be made with: the guards that run when it is made or validated."""
    bare = subject._replace(variable="", parameters={})
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or not item.args.args:
            continue
        marks = {get_last(spell_dotted(mark)) for mark in item.decorator_list}
        is_model_check = "model_validator" in marks and _is_after(item)
        if item.name in _CHECKS or is_model_check:
            number = 0
            for text, _ in _list_guards(item.body, bare._replace(name=item.args.args[0].arg)):
                if text is not None:
                    number += 1
                    # An invariant names the fields of its entity directly.
                    name = spell_type_name(item.name.strip("_")) or "Check"
                    yield Invariant(
                        f"{name}{number}",
                        text.replace(" .", " ").removeprefix(".").replace("(.", "("),
                    )


def _is_after(item: ast.FunctionDef) -> bool:
    return any(
        each.arg == "mode" and isinstance(each.value, ast.Constant) and each.value.value == "after"
        for mark in item.decorator_list
        if isinstance(mark, ast.Call)
        for each in mark.keywords
    )
