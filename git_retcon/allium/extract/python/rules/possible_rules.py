"""Which methods may be rules: a first look, as most are none, and reading what each demands and
does takes long.

In a class without states a method is a rule where it refuses something, itself or by a step that
it runs, does all that it does under a condition, or is about a boolean that is stored.
"""

import ast
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import leaves_quietly, raises_error
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rules.refused_states import may_ask
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements


class _Look(NamedTuple):
    """Whether a method may refuse something, and what it runs of objects that have a name."""

    may_refuse: bool
    run: frozenset[str]


def may_be_rule(node: Function, subject: Subject) -> bool:
    """Whether a method may have a guard, move a state, or switch something that is stored."""
    if any(each.enum or each.choices for each in subject.states.values()):
        return True
    look = _look_at(node)
    if look.may_refuse or any(
        _look_at(subject.methods[name]).may_refuse for name in look.run & subject.methods.keys()
    ):
        return True
    flags = (name for name, each in subject.fields.items() if each.name in subject.flags)
    return bool(subject.flags) and any(may_ask(node, each, subject) for each in flags)


@answer_once
def _look_at(node: Function) -> _Look:
    run: set[str] = set()
    may_refuse = isinstance(node.body[-1], ast.If) if node.body else False
    for each in walk_statements(node.body):
        if isinstance(each, ast.If):
            may_refuse = may_refuse or raises_error(each.body) or leaves_quietly(each)
        elif isinstance(each, ast.Expr):
            value = each.value.value if isinstance(each.value, ast.Await) else each.value
            match value:
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name)):
                    run.add(name)
    return _Look(may_refuse, frozenset(run))
