"""Transitions of more than one field that an operation moves: its rule tells of the first alone.

``abort() { this.reading = CLOSED; this.writing = CLOSED; }`` closes both sides of a stream.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.moves import Function, find_move
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.rules.chained_rules import read_rules
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Rule


def read_moves(operations: Sequence[BoundOperation]) -> Sequence[Rule]:
    """The rules of operations, and what they do to further fields."""
    found = read_rules(operations)
    return [*found, *list_further(found, operations)]


def list_further(rules: Sequence[Rule], operations: Iterable[BoundOperation]) -> Iterator[Rule]:
    """What operations with these rules do to further fields; nothing triggers it by itself."""
    moving = {each.evidence[0]: each for each in rules if each.field}
    for operation in operations if moving else ():
        rule, subject = moving.get(operation.evidence), operation.subject
        others = _list_others(subject, rule.field) if rule is not None else {}
        if rule is None or not others:
            continue
        set_here = {
            target.attr
            for each in walk_statements(operation.node.body)
            if isinstance(each, ast.Assign)
            for target in each.targets
            if isinstance(target, ast.Attribute)
        }
        for symbol, states in others.items():
            if symbol in set_here:
                move = find_move(operation.node, subject._replace(states={symbol: states}))
                if move is not None and (move.edges or move.doubted):
                    yield rule._replace(
                        trigger="", requires=(), ensures=(), guidance=(),
                        field=subject.fields[symbol].name, edges=move.edges,
                        doubted=move.doubted,
                    )  # fmt: skip


def list_unread(operations: Iterable[BoundOperation]) -> Iterator[Rule]:
    """What operations may do to fields that they only give what a function makes that nobody can
    read: no more is known of them.
    """
    for operation in operations:
        node, subject, _, _ = operation
        for symbol, states in subject.states.items():
            is_kept = symbol in subject.fields and bool(states.enum or states.choices)
            if not is_kept or not _computes(node, symbol):
                continue
            flow = StateFlow(subject, symbol, states)
            flow.run_method(node, None)
            if flow.gets.doubted and not flow.gets.is_set:
                field = subject.fields[symbol].name
                yield Rule(
                    "", (operation.evidence,), "", (), entity=operation.entity, field=field,
                    doubted=tuple(flow.gets.doubted),
                )  # fmt: skip


def _computes(node: Function, symbol: str) -> bool:
    """Whether a method itself gives a field what another function makes."""
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(
                targets=[ast.Attribute(ast.Name("self"), name)], value=ast.Call(func=f)
            ):
                if name == symbol and isinstance(f, ast.Name) and f.id != "_":
                    return True
    return False


def _list_others(subject: Subject, field: str) -> Mapping[str, States]:
    """The fields with states but for one, by their symbols."""
    return {
        symbol: each
        for symbol, each in subject.states.items()
        if (each.enum or each.choices)
        and symbol in subject.fields
        and subject.fields[symbol].name != field
    }
