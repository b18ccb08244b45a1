"""The states that the conditions of a decorated transition let it begin in.

``@transition(field=state, target="new", conditions=[lambda self: self.is_open])`` begins only in
the states in which ``is_open`` is true.
"""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.state_questions import StateQuestions
from git_retcon.allium.extract.python.machines.machine_moves import ANY, OTHER
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree


def narrow_sources(
    conditions: Sequence[ast.expr], sources: tuple[str, ...], field: str, subject: Subject
) -> tuple[str, ...]:
    """The sources that are left; none where a condition asks something of the state that nobody
    knows here.
    """
    states = subject.states.get(field, States())
    every = frozenset(each.name for each in states.choices)
    if not every:
        return sources
    asked = StateQuestions(subject, field, states, lambda node: node)
    left = every
    for each in conditions:
        test = _read_condition(each, subject)
        if test is None:
            continue
        if not asked.understands(test):
            return ()
        refuse = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Raise()], [])
        flow = StateFlow(subject, field, states)
        left &= flow.run([refuse], every) or frozenset()
    if left == every:
        return sources
    if not {*sources} & {ANY, OTHER}:
        return tuple(each for each in sources if each in left)
    return tuple(each.name for each in states.choices if each.name in left)


def _read_condition(node: ast.expr, subject: Subject) -> ast.expr | None:
    """What a condition asks of the object; None where it is a function of another place."""
    match node:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body):
            found: ast.expr = _Own(name, subject.name).visit(copy_tree(body))
            return found
        case ast.Name(id=name) if name in subject.methods:
            return ast.Call(ast.Attribute(ast.Name(subject.name), name), [], [])
    return None


class _Own(ast.NodeTransformer):
    """The object by its name in methods, without a type that it is cast to."""

    def __init__(self, name: str, own: str) -> None:
        self._name = name
        self._own = own

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if get_last(spell_dotted(node)) == "cast" and len(node.args) == 2:
            found: ast.expr = self.visit(node.args[1])
            return found
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._own) if node.id == self._name else node
