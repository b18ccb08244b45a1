"""Properties that are operations: reading or setting them refuses, or changes the state."""

import ast

from git_retcon.allium.extract.assigned_properties import is_setter
from git_retcon.allium.extract.python.flow.moves import find_demand, find_given
from git_retcon.allium.extract.python.rules.actions import is_question
from git_retcon.allium.extract.python.rules.operations import add_parameters
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements

_READ = frozenset({"property", "cached_property"})


def is_property_operation(node: ast.stmt, subject: Subject) -> bool:
    """Whether a property, or what sets it, says something of the states of its object."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return (
        _moves_when_read(node, subject)
        or _refuses_when_read(node, subject)
        or _is_operation_when_set(node, subject)
    )


def _moves_when_read(node: ast.FunctionDef, subject: Subject) -> bool:
    """Whether a property gives its object another state where it is asked for."""
    marks = [spell_dotted(mark) for mark in node.decorator_list]
    stateful = {name for name, each in subject.states.items() if each.enum or each.choices}
    return marks == ["property"] and any(
        isinstance(target, ast.Attribute)
        and target.attr in stateful
        and spell_dotted(target.value) == subject.name
        for each in walk_statements(node.body)
        if isinstance(each, ast.Assign)
        for target in each.targets
    )


def _refuses_when_read(node: ast.FunctionDef, subject: Subject) -> bool:
    """Whether a property gives what it is for only in some states, and else an error."""
    marks = {get_last(spell_dotted(mark)) for mark in node.decorator_list}
    is_read = bool(marks) and marks <= _READ and not is_private(node.name)
    return is_read and not is_question(node) and find_demand(node, subject, ()) is not None


def _is_operation_when_set(node: ast.FunctionDef, subject: Subject) -> bool:
    """Whether others set a state of the object by a property, or set it only in some states."""
    if not is_setter(node) or is_private(node.name):
        return False
    given = find_given(node, add_parameters(node, subject))
    return given is not None or find_demand(node, subject, ()) is not None
