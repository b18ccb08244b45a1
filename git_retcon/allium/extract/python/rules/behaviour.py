"""What methods demand and do: guards before an error, effects, and the states of a field."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.marked_fields import say_change
from git_retcon.allium.extract.python.flow.allowed_states import read_returned
from git_retcon.allium.extract.python.flow.answered_conditions import read_answer
from git_retcon.allium.extract.python.flow.guards import (
    begins_work,
    enter_whole,
    fails,
    is_docstring,
    list_certain,
    list_conditions,
    list_guards,
    list_permissions,
    raises_error,
    read_refusal,
)
from git_retcon.allium.extract.python.flow.moves import (
    Function,
    Given,
    Move,
    find_demand,
    find_given,
    find_move,
    is_bare_setter,
    may_refuse,
)
from git_retcon.allium.extract.python.machines.tabled_moves import find_tabled
from git_retcon.allium.extract.python.rules.actions import (
    does_something,
    gives,
    hands_over,
    is_question,
)
from git_retcon.allium.extract.python.rules.operations import (
    BoundOperation,
    RuleText,
    add_parameters,
    make_rule,
)
from git_retcon.allium.extract.python.rules.possible_rules import may_be_rule
from git_retcon.allium.extract.python.rules.refused_states import find_refusal, list_refusing_flags
from git_retcon.allium.extract.python.syntax.caught_errors import swallows_errors
from git_retcon.allium.extract.python.syntax.conditions import (
    Subject,
    find_field,
    find_states,
    read_states,
    translate_value,
)
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import TouchedNames, list_set_names
from git_retcon.allium.extract.source_facts import Invariant, Rule, Shape
from git_retcon.allium.extract.spelling import spell_type_name, spell_value

# Special methods that do something, besides making and comparing.
_ENTRIES = frozenset({
    "__enter__", "__exit__", "__aenter__", "__aexit__", "__call__", "__next__", "__anext__",
})  # fmt: skip
_SKIPPED = frozenset(
    {"property", "cached_property", "staticmethod", "classmethod", "overload", "validator",
     "field_validator", "root_validator", "model_validator", "setter", "validates",
     "fixture", "hybrid_property", "declared_attr"}
)  # fmt: skip
_GIVEN = r"\w+ != null(?: and \w+ != null)*"
_CHECKS = frozenset({"__post_init__", "__attrs_post_init__", "clean"})


def list_properties(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    """What properties, and methods without arguments, return when that is all that they do."""
    listed = ((e.name, read_property(e)) for e in node.body if isinstance(e, Function))
    return {name: returned for name, returned in listed if returned is not None}


def read_property(node: Function) -> ast.expr | None:
    """What one of them returns; None for any other method."""
    if not isinstance(node, ast.FunctionDef) or len(node.args.args) != 1:
        return None
    return read_returned([e for e in node.body if not is_docstring(e)]) or read_answer(node)


def list_methods(node: ast.ClassDef) -> Mapping[str, Function]:
    """The methods of a class by name."""
    return {item.name: item for item in node.body if isinstance(item, Function)}


def list_flags(shape: Shape) -> Set[str]:
    """The booleans of an entity that is stored; one that a class gives itself may be anything."""
    if shape.kind != "entity":
        return frozenset()
    return frozenset(each.name for each in shape.fields if each.type.name == "Boolean")


@answer_once
def is_operation(node: Function) -> bool:
    """Whether a method may be a rule: it is called to do something."""
    is_special = node.name.startswith("__") and node.name.endswith("__")
    if node.name in _CHECKS or (is_special and node.name not in _ENTRIES):
        return False
    marks = {get_last(spell_dotted(mark)) for mark in node.decorator_list}
    return marks.isdisjoint(_SKIPPED) and ("abstractmethod" not in marks or _does_own(node))


def _does_own(node: Function) -> bool:
    """Whether a method does something with its object that its heirs only add to."""
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self")), *_]):
                return True
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self")))):
                return True
    return False


def read_rule(operation: BoundOperation) -> Rule | None:
    """The rule of an operation that has a guard or moves a state; else None."""
    node, subject, _, _ = operation
    if not may_be_rule(node, subject):
        return None
    subject = add_parameters(node, subject)
    move = find_move(node, subject)
    may_be_given = move is None and any(each.choices for each in subject.states.values())
    given = find_given(node, subject) if may_be_given else None
    # What runs a private step says what it is given.
    is_open = may_be_given and not node.name.startswith("_")
    tabled = find_tabled(node, subject) if is_open else None
    if tabled is not None and given is None:
        given = Given(tabled.field, tabled.parameter if tabled.is_sure else "")
    if given is not None and is_bare_setter(node, subject):
        return None
    demands = read_demands(node, subject, move)
    field = move.field if move is not None else given.field if given is not None else ""
    if not (field or demands.is_certain or demands.is_any or subject.flags):
        return None
    body = node.body if move is not None else enter_whole(node.body, subject, demands.requires)
    is_told = move is not None and bool(move.effect or move.cases)
    effects = [*_list_effects(body, subject, field if is_told else "")]
    is_rule = bool(field) or demands.is_certain or sets_flag(effects, subject)
    if not is_rule and (
        _checks_input(demands, effects, subject) or not _refuses_action(node, subject, demands)
    ):
        return None
    place = f"{subject.variable}.{subject.fields[field].name}" if field else ""
    if move is not None:
        effects[:0] = _list_moved(move, place, demands.requires)
    elif given is not None and given.parameter:
        effects.insert(0, f"{place} = {given.parameter}")
    guidance = [*demands.guidance]
    if not demands.requires and not effects and field:
        guidance.append(say_change(subject.fields[field].name))
    text = RuleText(demands.requires, effects, guidance)
    edges = move.edges if move is not None else tabled.edges if tabled is not None else ()
    rule = make_rule(operation, text, subject.fields[field].name if field else "", edges)
    return rule._replace(doubted=move.doubted) if rule is not None and move is not None else rule


def _list_moved(move: Move, place: str, requires: Sequence[str]) -> Iterator[str]:
    """What an operation makes of the state."""
    if not move.cases:
        yield from [f"{place} {move.say_effect(place, requires)}"] if move.effect else []
        return
    condition, _, effect = move.cases.partition(": ")
    # Where only one state is let in, nothing has to be said of others.
    is_only = condition.removeprefix("if ") in requires and "else" not in effect
    yield effect if is_only else f"\n        {move.cases}"


class Demands(NamedTuple):
    """What an operation demands, in the language and in prose; ``is_certain`` where it always
    fails in some states.
    """

    requires: Sequence[str]
    guidance: Sequence[str]
    is_certain: bool

    @property
    def is_any(self) -> bool:
        return bool(self.requires or self.guidance)


def read_demands(node: Function, subject: Subject, move: Move | None) -> Demands:
    guards = [*list_guards(node.body, subject)]
    requires = [each.condition for each in guards if each.condition is not None]
    guidance = [*list_permissions(node.body, subject)] if may_refuse(node) else []
    if move is not None:
        place = f"{subject.variable}.{subject.fields[move.field].name}"
        # What a guard demands of the state needs no second sentence.
        if move.demand and not any(text.startswith(f"{place} ") for text in requires):
            requires.insert(0, f"{place} {move.demand}")
        # Nor does what it demands in a way that the language cannot say.
        own = rf"\b{re.escape(subject.name)}\.{re.escape(move.field)}\b"
        asked = (each.guidance for each in guards if each.guidance)
        guidance += [each for each in asked if not (move.demand and re.search(own, each))]
        return Demands(requires, guidance, True)
    is_check = node.name.startswith("_") and not does_something(node)
    # What gives something may refuse to, where it is in no state to do so.
    if is_check or (is_question(node) and not gives(node)):
        return Demands(requires, guidance, False)
    demand, quiet = find_demand(node, subject, requires), find_refusal(node, subject)
    if demand is None:
        told = [*requires, *list_conditions(node.body, subject)]
        if quiet is not None and not quiet.is_said(told):
            told = quiet.replace(told)
        flags = [*list_refusing_flags(node, subject)]
        told += [each for each in flags if not any(_says(text, each) for text in told)]
        return Demands(told, guidance, quiet is not None or bool(flags))
    # All that guards say of the field is in it.
    demand = quiet.join(demand) if quiet is not None else demand
    return Demands(demand.replace(requires), guidance, True)


def _says(text: str, flag: str) -> bool:
    """Whether what has to hold asks a flag."""
    return " or " not in text and flag.removeprefix("not ") in text.split()


def drop_source_words(rule: Rule) -> Rule:
    """A rule of another language: what is quoted is Python here, and none of the source."""
    return rule._replace(guidance=tuple(text for text in rule.guidance if text.endswith(".")))


def sets_flag(effects: Sequence[str], subject: Subject) -> bool:
    """Whether an operation switches something on or off that is stored."""
    return any(
        text.startswith(f"{subject.variable}.{flag} = ") and text.endswith((" true", " false"))
        for flag in subject.flags
        for text in effects
    )


def _refuses_action(node: Function, subject: Subject, demands: Demands) -> bool:
    """Whether a method that demands something does something; what only has another object do it
    is one where it asks its own.
    """
    if not demands.is_any or _tidies_up(node, demands):
        return False
    if does_something(node):
        return True
    asks_own = any(f"{subject.variable}." in text for text in demands.requires)
    # What only gives something, and fails where it has none, refuses to; a private check is a part.
    is_refused = not node.name.startswith("_") and may_refuse(node)
    return asks_own and not is_question(node) and (hands_over(node) or is_refused)


def _checks_input(demands: Demands, effects: Sequence[str], subject: Subject) -> bool:
    """Whether a method demands no more than that it is given something, or keeps what it is given
    where that is no nonsense: this says nothing of the object's states.
    """
    asks_own = any(f"{subject.variable}." in text for text in demands.requires)
    if asks_own or demands.guidance:
        return False
    if effects:
        return not any(f"{subject.variable}." in each.partition(" = ")[2] for each in effects)
    return all(re.fullmatch(_GIVEN, each) for each in demands.requires)


def _tidies_up(node: Function, demands: Demands) -> bool:
    """Whether a method only does nothing where what it is for is not there: a private one, or one
    that only computes something of it.
    """
    is_missing = all(text.endswith(" null") for text in demands.requires)
    is_part = node.name.startswith("_") or _only_computes(node, demands)
    return is_part and is_missing and not demands.guidance and not may_refuse(node)


def _only_computes(node: Function, demands: Demands) -> bool:
    """Whether a method runs nothing for what it does, and leaves alone what it asks for."""
    asked = {text.partition(" ")[0].rpartition(".")[2] for text in demands.requires}
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=targets):
                names = {t.attr.strip("_") for t in targets if isinstance(t, ast.Attribute)}
                if not asked.isdisjoint(names):
                    return False
            case ast.If() | ast.Return(value=None) | ast.Pass():
                pass
            case _ if not is_docstring(each):
                return False
    return True


def _list_effects(body: Sequence[ast.stmt], subject: Subject, field: str) -> Iterator[str]:
    """What fields get on the way through, as far as it is certain: the last of what each gets."""
    found: dict[str, str] = {}
    is_begun = is_over = False
    touched = TouchedNames(subject)
    for node, blocks in list_certain(body, subject):
        if is_over and not found:
            break
        touched.enter(blocks)
        match node:
            case ast.If(body=inner) if not fails(node, subject) and _leaves_block(inner):
                # What follows happens only sometimes.
                is_over |= is_begun or read_refusal(node, subject) is None
            case ast.If(orelse=[]) if fails(node, subject):
                continue
        effect = _read_effect(node, subject) if not is_over else None
        if found:
            for place in list_set_names(node, subject):
                found.pop(place, None)
        if (
            effect is not None
            and effect[0] != f".{field}"
            and not any(map(swallows_errors, blocks))
        ):
            before = touched.find()
            is_again = isinstance(node, ast.AugAssign) and effect[0] in before
            # What a method makes of its parameter is no longer what it was given.
            if not is_again and (
                before.isdisjoint(subject.parameters) or not _names_any(node, before)
            ):
                found[effect[0]] = effect[1]
        touched.add(node)
        is_begun |= begins_work(node)
    yield from found.values()


def _names_any(node: ast.stmt, names: Set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in walk_nodes(node))


def _read_effect(node: ast.stmt, subject: Subject) -> tuple[str, str] | None:
    """A field by its place, and what a statement makes of it."""
    match node:
        case ast.Assign(targets=[target], value=value):
            found = find_field(target, subject)
            states = find_states(target, subject)
            if found is None:
                return None
            if states is not None:
                one = read_states(value, states, {})
                text = spell_value(one[0]) if one and len(one) == 1 else None
            else:
                text = translate_value(value, subject)
            return (
                (f".{found.symbol}", f"{subject.variable}.{found.name} = {text}") if text else None
            )
        case ast.AugAssign(target=target, op=op, value=value):
            found = find_field(target, subject)
            text = translate_value(value, subject)
            sign = {ast.Add: "+", ast.Sub: "-"}.get(type(op))
            if found is None or text is None or not sign:
                return None
            place = f"{subject.variable}.{found.name}"
            added = f"({text})" if " " in text else text
            return f".{found.symbol}", f"{place} = {place} {sign} {added}"
    return None


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
            checks = list_guards(_cut_checks(item.body), bare._replace(name=item.args.args[0].arg))
            for text, _ in checks:
                if text is not None:
                    number += 1
                    # An invariant names the fields of its entity directly.
                    name = spell_type_name(item.name.strip("_")) or "Check"
                    yield Invariant(
                        f"{name}{number}",
                        text.replace(" .", " ").removeprefix(".").replace("(.", "("),
                    )


def _cut_checks(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The statements that run always: what is checked behind an early return may not hold."""
    for number, node in enumerate(body):
        if isinstance(node, ast.If) and _leaves_block(node.body) and not raises_error(node.body):
            return body[:number]
    return body


def _is_after(item: ast.FunctionDef) -> bool:
    return any(
        each.arg == "mode" and isinstance(each.value, ast.Constant) and each.value.value == "after"
        for mark in item.decorator_list
        if isinstance(mark, ast.Call)
        for each in mark.keywords
    )
