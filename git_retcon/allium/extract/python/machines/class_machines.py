"""The machines that a class has, as the graphs of its fields and the rules of what moves them."""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.machines.decorated_transitions import (
    list_callers,
    read_decorated,
)
from git_retcon.allium.extract.python.machines.machine_classes import read_class_machine
from git_retcon.allium.extract.python.machines.machine_moves import (
    Machine,
    is_whole,
    list_edges,
    make_rules,
)
from git_retcon.allium.extract.python.machines.transitions_machines import read_table_machine
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import Constants, States
from git_retcon.allium.extract.source_facts import Evidence, Field, Graph, Rule, Shape, Type, refer
from git_retcon.allium.extract.spelling import spell_field_name


class Machines(NamedTuple):
    graphs: Sequence[Graph]
    rules: Sequence[Rule]


class StateField(NamedTuple):
    """The field that a machine moves, and how its values are written."""

    field: Field
    states: States


def read_machine(node: ast.ClassDef, constants: Constants) -> Machine | None:
    """The machine that a class makes or is, as the libraries have it."""
    return read_table_machine(node, constants) or read_class_machine(node)


def make_field(machine: Machine) -> StateField:
    """The field that a class has for the states of its machine."""
    place = spell_field_name(machine.field.lstrip("_")) or "state"
    values = tuple(each.name for each in machine.states)
    kind = refer(machine.enum) if machine.enum else Type("", values=values)
    return StateField(
        Field(place, kind, machine.field),
        States(machine.enum, () if machine.enum else machine.states),
    )


def read_machines(place: Evidence, node: ast.ClassDef, shape: Shape, subject: Subject) -> Machines:
    """What machines and decorators of a class say of its fields."""
    graphs: list[Graph] = []
    rules: list[Rule] = []
    machine = read_machine(node, subject.constants)
    for field in shape.fields:
        moves = [*read_decorated(node, field.symbol, subject)]
        moves += list_callers(node, moves)
        if machine is not None and field.symbol == machine.field:
            moves += machine.moves
        if moves:
            graphs.append(Graph(field.name, list_edges(moves), is_whole=is_whole(moves)))
            rules += make_rules(moves, field, shape, place)
    return Machines(graphs, rules)
