"""Rules of operations that always run one of a part of their object, where that moves a state.

::

    def __init__(self):
        self._machine = Machine()

    def send(self, data):
        self._machine.advance(Input.SEND)

What ``advance`` refuses, ``send`` refuses too.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import list_certain
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rules.actions import is_question
from git_retcon.allium.extract.python.rules.behaviour import read_demands
from git_retcon.allium.extract.python.rules.operations import (
    BoundOperation,
    RuleText,
    add_parameters,
    make_rule,
)
from git_retcon.allium.extract.python.syntax.caught_errors import swallows_errors
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Rule

_MOST = 3  # operations that one may lead to


class OwnRules(NamedTuple):
    """What the operations of a class work on, the rules that they are by themselves, and what they
    move besides.
    """

    subject: Subject
    rules: Sequence[Rule]
    further: Sequence[Rule] = ()


def list_parts(node: ast.ClassDef, classes: Collection[str]) -> Mapping[str, str]:
    """The attributes that a class begins with an object of another class in, and that class."""
    start = next((e for e in node.body if isinstance(e, Function) and e.name == "__init__"), None)
    parts = _list_begun(start) if start is not None else {}
    return {name: kind for name, kind in parts.items() if kind in classes and kind != node.name}


@answer_once
def _list_begun(start: Function) -> Mapping[str, str]:
    """The attributes that a method gives an object of one class alone, and that class."""
    given = {each.arg: each.annotation for each in (*start.args.args, *start.args.kwonlyargs)}
    found: dict[str, set[str]] = {}
    for each in walk_statements(start.body):
        match each:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)])
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name))
            ):
                found.setdefault(name, set()).add(_name_class(each.value, given))
    return {name: min(kinds) for name, kinds in found.items() if len(kinds) == 1}


def _name_class(value: ast.expr | None, given: Mapping[str, ast.expr | None]) -> str:
    """The class that a call makes an object of, or that a parameter is said to be of."""
    match value:
        case ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Name(id=name):
            match given.get(name):
                case ast.Name(id=kind) | ast.Constant(value=str(kind)):
                    return kind
    return ""


def read_part_rules(
    operations: Iterable[BoundOperation],
    parts: Mapping[str, OwnRules],
    known: Collection[Rule],
) -> Iterator[Rule]:
    """The rules of operations that are none by themselves. ``parts`` are what the object has, by
    its attributes, ``known`` the rules that it has already.
    """
    places = {each.evidence[0] for each in known}
    for each in operations if any(each.rules for each in parts.values()) else ():
        is_open = not is_question(each.node) and each.evidence not in places
        rule = _read_rule(each, parts) if is_open else None
        if rule is not None:
            yield rule


def _read_rule(operation: BoundOperation, parts: Mapping[str, OwnRules]) -> Rule | None:
    node = operation.node
    subject = add_parameters(node, operation.subject)
    triggers = dict.fromkeys(_list_run(node, subject, parts))
    if not 0 < len(triggers) <= _MOST:
        return None
    demands = read_demands(node, subject, None)
    led = [f"Leads to {each}." for each in triggers]
    return make_rule(operation, RuleText(demands.requires, (), [*demands.guidance, *led]))


def _list_run(node: Function, subject: Subject, parts: Mapping[str, OwnRules]) -> Iterator[str]:
    """The triggers of what an operation always runs."""
    for each, blocks in list_certain(node.body, subject):
        value = each.value if isinstance(each, ast.Expr | ast.Assign | ast.Return) else None
        is_awaited = isinstance(value, ast.Await)
        match value.value if isinstance(value, ast.Await) else value:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=owner), attr=part), attr=method
                )
            ) if owner == subject.name and not any(map(swallows_errors, blocks)):
                run = parts[part].subject.methods.get(method) if part in parts else None
                # Without "await" a coroutine is only made, and runs later or never.
                is_run = isinstance(run, ast.AsyncFunctionDef) is is_awaited
                for rule in parts[part].rules if run is not None and is_run else ():
                    if rule.field and rule.evidence[0].symbol.rpartition(".")[2] == method:
                        yield rule.trigger
