"""Transitions of more than one field that an operation moves: its rule tells of the first alone.

``abort() { this.reading = CLOSED; this.writing = CLOSED; }`` closes both sides of a stream.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function, find_move
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.rules.chained_rules import read_rules
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import may_set
from git_retcon.allium.extract.source_facts import Edge, Rule


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


def list_unread(operations: Sequence[BoundOperation], rules: Iterable[Rule]) -> Iterator[Rule]:
    """What operations may do to fields that they give what nobody can read, as a parameter is: no
    more is known of them. What has one of the ``rules`` about the field is known.
    """
    known = {(each.evidence[0], each.field) for each in rules if each.edges}
    run = [call for each in operations for call in _list_run(each.node)]
    open_steps = {name for name, is_followed in run if not is_followed}
    known_steps = {name for name, _ in run} - open_steps
    for operation in operations:
        node, subject, _, _ = operation
        name = next((key for key, each in subject.methods.items() if each is node), node.name)
        if is_private(node.name) and name in known_steps:
            continue  # what runs it says what it is given
        for symbol, states in subject.states.items():
            field = subject.fields.get(symbol)
            is_kept = field is not None and bool(states.enum or states.choices)
            if field is None or not is_kept or (operation.evidence, field.name) in known:
                continue
            doubted = _list_open(node, symbol, states, subject)
            if doubted:
                yield Rule(
                    "", (operation.evidence,), "", (), entity=operation.entity, field=field.name,
                    doubted=doubted,
                )  # fmt: skip


def _list_run(node: Function) -> Iterator[tuple[str, bool]]:
    """The own methods that a method runs, by what it calls them, and whether each is followed into
    there.
    """
    followed: set[ast.expr | None] = set()
    for each in walk_nodes(node):
        match each:
            case ast.Expr(value=value) | ast.Assign(value=value) | ast.Return(value=value):
                followed |= {value.value if isinstance(value, ast.Await) else value}
            case ast.If(test=ast.UnaryOp(operand=test)) | ast.If(test=test):
                followed.add(test)
            case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name)):
                yield name, each in followed


def _list_open(node: Function, symbol: str, states: States, subject: Subject) -> tuple[Edge, ...]:
    """The transitions of a field to any state, where nothing holds it to their order."""
    if not may_set(node, symbol, subject) or _goes_by_order(node, symbol):
        return ()
    flow = StateFlow(subject, symbol, states)
    flow.run_method(node, None)
    return tuple(each for each in flow.gets.doubted if each.target == ANY_STATE)


def _goes_by_order(node: Function, symbol: str) -> bool:
    """Whether a method asks if what it is given comes before or behind a field: it leaves the last
    one alone.
    """
    for each in walk_nodes(node):
        match each:
            case ast.Compare(
                left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]
            ):
                sides = (left, right) if isinstance(left, ast.Name) else (right, left)
                if isinstance(sides[0], ast.Name) and spell_dotted(sides[1]) == f"self.{symbol}":
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
