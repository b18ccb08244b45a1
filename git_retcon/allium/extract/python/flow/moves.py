"""What an operation makes of the states of a field."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE, AssignedStates
from git_retcon.allium.extract.python.flow.checking_steps import find_check
from git_retcon.allium.extract.python.flow.guards import is_quiet, open_blocks, raises_error
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.sure_steps import ANNOUNCING
from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field, find_states
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import (
    TouchedNames,
    may_set,
    reads_field,
)
from git_retcon.allium.extract.source_facts import Edge
from git_retcon.allium.extract.spelling import spell_field_name, spell_value

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Move(NamedTuple):
    """What an operation makes of the states of a field: the states that it demands, what it makes
    of all of them, or of each (``cases``), as text behind the place; ``ends`` are the states that
    each leads to, ``doubted`` the edges behind a guard that cannot be read.
    """

    field: str
    edges: tuple[Edge, ...]
    demand: str = ""
    effect: str = ""
    cases: str = ""
    ends: Mapping[str, frozenset[str]] = {}
    doubted: tuple[Edge, ...] = ()

    def say_effect(self, place: str, requires: Sequence[str]) -> str:
        """What it makes of the states that let it begin."""
        let_in = [e for e in self.ends if all(_lets_in(e, place, text) for text in requires)]
        reached = frozenset(one for state in let_in for one in self.ends[state])
        is_one_of = self.effect.startswith("in ") and bool(reached)
        return spell_states([e for e in self.ends if e in reached]) if is_one_of else self.effect


def find_move(node: Function, subject: Subject) -> Move | None:
    """The first field whose state an operation sets."""
    for name, states in subject.states.items():
        if name not in subject.fields or not (states.enum or states.choices):
            continue
        if not may_set(node, name, subject):
            continue
        flow = StateFlow(subject, name, states)
        end = flow.run_method(node, None)
        move = _describe_move(node, subject, name, flow.gets, end) if flow.gets.is_set else None
        if move is not None:
            return move
    return None


def _describe_move(
    node: Function, subject: Subject, name: str, gets: AssignedStates, end: Possible
) -> Move | None:
    """What becomes of the field; None where it only gets a state when it has none."""
    states = subject.states[name]
    place = f"{subject.variable}.{subject.fields[name].name}"
    effect = f"= {spell_value(min(end))}" if end is not None and len(end) == 1 else ""
    every = [choice.name for choice in states.choices]
    if not every:
        return Move(name, tuple(gets.edges), effect=effect, doubted=tuple(gets.doubted))
    plain = subject._replace(companions={})
    # One state at a time: what it leads to, and whether the operation refuses it.
    ends: dict[str, frozenset[str]] = {}
    followed: dict[Edge, None] = {}
    doubted: dict[Edge, None] = {}
    for state in every:
        flow = StateFlow(subject, name, states)
        found = flow.run_method(node, frozenset([state]))
        if subject.companions:
            # What an operation demands is what it says itself, not what usually comes with a flag.
            found = StateFlow(plain, name, states).run_method(node, frozenset([state]))
        ends[state] = frozenset(every) if found is None else found
        followed |= flow.edges
        doubted |= flow.gets.doubted
    if all(ends[state] == {state} for state in every) and not gets.edges:
        return None
    if not gets.is_set_now and all(ends[state] <= {state} for state in every):
        effect = ""
    allowed = [state for state in every if ends[state]]
    demand = spell_states(allowed) if allowed and len(allowed) < len(every) else ""
    cases = ""
    if not effect and all(len(found) <= 1 for found in ends.values()):
        moved = [(state, min(ends[state])) for state in allowed if ends[state] != {state}]
        cases = "\n        else ".join(
            f"if {place} = {spell_value(old)}: {place} = {spell_value(new)}" for old, new in moved
        )
    reached = frozenset(one for found in ends.values() for one in found)
    is_moved = any(ends[state] - {state} for state in every)
    if is_moved and not effect and not cases and 1 < len(reached) < len(every):
        effect = spell_states([state for state in every if state in reached])
    return Move(name, tuple(followed), demand, effect, cases, ends, tuple(doubted))


def _lets_in(state: str, place: str, text: str) -> bool:
    """Whether what has to hold for an operation does in a state, or says nothing of it."""
    found = re.fullmatch(rf"{re.escape(place)} (!?=|(?:not )?in) (?:\{{(.*)\}}|(\w+))", text)
    if found is None:
        return True
    listed = (found[2] or found[3]).split(", ")
    return (spell_value(state) in listed) is (found[1] in ("=", "in"))


def spell_states(states: Sequence[str]) -> str:
    if len(states) == 1:
        return f"= {spell_value(states[0])}"
    return f"in {{{', '.join(map(spell_value, states))}}}"


def list_named_edges(node: Function, subject: Subject, field: str) -> tuple[Edge, ...]:
    """The transitions of a field from states that an operation asks for itself."""
    for name, states in subject.states.items():
        if states.choices and name in subject.fields and subject.fields[name].name == field:
            flow = StateFlow(subject, name, states, only_named=True)
            flow.run_method(node, None)
            return tuple(each for each in flow.edges if each.source != ANY_STATE)
    return ()


class Given(NamedTuple):
    """A state that an operation sets to what it is given: the field, and the parameter's name
    where that always happens, else "".
    """

    field: str
    parameter: str = ""


def find_given(node: Function, subject: Subject) -> Given | None:
    """The state that an operation sets to one of its parameters."""
    is_sure = True
    touched = TouchedNames(subject)
    for each in open_blocks(node.body):
        match each:
            case ast.If(test=test, body=body) if _is_comparison(test, subject):
                # "if state != self.state: self.state = state" sets it in any case.
                found = next(_list_given(body, subject), None)
            case ast.If(body=body) if isinstance(body[-1], ast.Return):
                # What leaves where it has that state already has it in any case.
                is_sure, found = is_sure and _leaves_same(each, subject), None
            case _:
                found = next(_list_given([each], subject), None)
        if found is not None:
            # What it makes of its parameter is no longer what it was given.
            is_same = touched.find().isdisjoint(subject.parameters)
            is_only = is_sure and is_same and _is_only_given(node, found.field, subject)
            return found if is_only else Given(found.field)
        touched.add(each)
    return None


def _is_only_given(node: Function, field: str, subject: Subject) -> bool:
    """Whether a method gives a field nothing but one and the same."""
    found: set[str] = set()
    for each in walk_nodes(node):
        match each:
            case ast.Assign(targets=[ast.Attribute(attr=name) as target], value=value):
                if name == field and find_field(target, subject) is not None:
                    found.add(ast.unparse(value))
    return len(found) < 2


def _is_comparison(test: ast.expr, subject: Subject) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot()], comparators=[right]):
            sides = (left, right)
            is_field = any(find_states(each, subject) is not None for each in sides)
            return is_field and any(isinstance(each, ast.Name) for each in sides)
    return False


def _list_given(body: Sequence[ast.stmt], subject: Subject) -> Iterator[Given]:
    for each in body:
        match each:
            case ast.Assign(targets=[target], value=ast.Name(id=name)):
                field = find_field(target, subject)
                if field is None or name not in subject.parameters:
                    continue
                spelled = spell_field_name(name)
                states = find_states(target, subject)
                # Any type may be an enum elsewhere; only one with known values is a state.
                if spelled is not None and states is not None and states.choices:
                    yield Given(field.symbol, spelled)


class Demand(NamedTuple):
    """The states of a field, at a ``place``, that an operation does not refuse, and those that it
    does.
    """

    place: str
    allowed: tuple[str, ...]
    refused: tuple[str, ...]

    def join(self, other: "Demand") -> "Demand":
        """What both demand of the field; only its own where these are different ones, or exclude
        each other.
        """
        if self.place != other.place or {*self.allowed}.isdisjoint(other.allowed):
            return self
        left = [each for each in self.allowed if each not in other.allowed]
        allowed = tuple(each for each in other.allowed if each in self.allowed)
        return Demand(self.place, allowed, (*self.refused, *left))

    def is_said(self, requires: Sequence[str]) -> bool:
        """Whether what has to hold lets an operation begin in the same states."""
        parts = [part for text in requires for part in _split_parts(text)]
        let_in, left = (
            [all(_lets_in(state, self.place, part) for part in parts) for state in each]
            for each in (self.allowed, self.refused)
        )
        return all(let_in) and not any(left)

    def replace(self, requires: Sequence[str]) -> list[str]:
        """It before what else has to hold, in place of what that says of the field alone."""
        own = f"{self.place} "
        others: list[str] = []
        for text in requires:
            parts = [each for each in _split_parts(text) if not each.startswith(own)]
            others += [" and ".join(parts)] if " or " not in text else [text]
        return [f"{own}{spell_states(self.allowed)}", *filter(None, others)]


def _split_parts(text: str) -> Sequence[str]:
    """The parts that all have to hold."""
    return [text] if " or " in text else text.split(" and ")


def find_demand(node: Function, subject: Subject, guards: Sequence[str]) -> Demand | None:
    """What an operation that sets no state demands of one; None where it ends well in all of them,
    or in none. What ``guards`` ask of a property says it already.
    """
    stateful = {name: each for name, each in subject.states.items() if each.enum or each.choices}
    bodies = (node, *_list_checks(node, subject)) if stateful else ()
    if not any(map(may_refuse, bodies)):
        return None
    words = frozenset[str]().union(*map(list_attributes, bodies))
    asked = [subject.properties[each] for each in words & subject.properties.keys()]
    for name, states in stateful.items():
        every = [choice.name for choice in states.choices]
        place = f"{subject.variable}.{subject.fields[name].name}" if name in subject.fields else ""
        is_said = any(f"{place} " in each for each in guards)
        # A field is read itself, or by a property.
        is_read = name in words
        if not (is_read or is_said):
            is_read = any(reads_field(each, name, subject) for each in asked)
        if not place or not is_read:
            continue
        flow = StateFlow(subject, name, states)
        end = flow.run_method(node, None)
        # Behind an operation that it runs, the state is that one's work.
        is_as_before = end is not None and not flow.gets.has_moved
        allowed = (
            sorted(end or ())
            if is_as_before
            else [
                state
                for state in every
                if StateFlow(subject, name, states).run_method(node, frozenset([state])) != NOWHERE
            ]
        )
        if allowed and {*allowed} != {*every}:
            refused = tuple(each for each in every if each not in allowed)
            return Demand(place, tuple(allowed), refused)
    return None


@answer_once
def may_refuse(node: Function) -> bool:
    """Whether an operation may end with an error of the domain."""
    return any(
        isinstance(each, ast.Assert) or (isinstance(each, ast.Raise) and raises_error([each]))
        for each in walk_statements(node.body)
    )


def _list_checks(node: Function, subject: Subject) -> Iterator[Function]:
    """The steps that an operation has its object checked by."""
    found = (find_check(each, subject) for each in open_blocks(node.body))
    return (each for each in found if each is not None)


def is_bare_setter(node: Function, subject: Subject) -> bool:
    """Whether a private method does nothing but give a field its parameter, and tell others: its
    callers move the state.
    """
    body = [
        each
        for each in node.body
        if not (is_quiet(each) or _is_announcement(each) or _leaves_given(each, subject))
    ]
    return node.name.startswith("_") and len(body) == 1 and bool([*_list_given(body, subject)])


def _is_announcement(node: ast.stmt) -> bool:
    """``self.emit("state", state)``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name.removesuffix("()") in ANNOUNCING
    return False


def _leaves_same(node: ast.stmt, subject: Subject) -> bool:
    """``if self.state == state: return``."""
    match node:
        case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]):
            return _compares_given(test, (ast.Eq, ast.Is), subject)
    return False


def _leaves_given(node: ast.stmt, subject: Subject) -> bool:
    return _leaves_same(node, subject) or _refuses_other(node, subject)


def _refuses_other(node: ast.stmt, subject: Subject) -> bool:
    """``if self.state != old: raise ...``, where that is the state to leave."""
    match node:
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return _compares_given(test, (ast.NotEq, ast.IsNot), subject)
    return False


def _compares_given(test: ast.expr, kinds: tuple[type[ast.cmpop], ...], subject: Subject) -> bool:
    """Whether a condition compares the state with what an operation is given."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, kinds):
            sides = (left, right)
            is_given = any(isinstance(e, ast.Name) and e.id in subject.parameters for e in sides)
            return is_given and any(find_states(each, subject) is not None for each in sides)
    return False
