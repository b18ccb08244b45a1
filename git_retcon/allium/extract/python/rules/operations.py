"""Operations of classes, and the rules that they are."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.assigned_properties import is_setter
from git_retcon.allium.extract.python.flow.allowed_states import read_local_lists
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.source_facts import Edge, Evidence, Rule
from git_retcon.allium.extract.spelling import spell_field_name, spell_type_name


class BoundOperation(NamedTuple):
    """A method, or a function that takes an entity, with its subject and its evidence."""

    node: Function
    subject: Subject
    entity: str
    evidence: Evidence


class RuleText(NamedTuple):
    """What a rule says: expressions of the language, and prose."""

    requires: Sequence[str]
    ensures: Sequence[str]
    guidance: Sequence[str]


def make_rule(
    operation: BoundOperation, text: RuleText, field: str = "", edges: Sequence[Edge] = ()
) -> Rule | None:
    """The rule that an operation is, of the field that it moves; None where its name cannot be
    spelled.
    """
    node, subject, entity, evidence = operation
    verb = spell_type_name(_name_step(node, subject))
    if verb is None:
        return None
    used = " ".join([*text.requires, *text.ensures])
    parameters = [
        spelled
        for each in add_parameters(node, subject).parameters
        if (spelled := spell_field_name(each)) and _uses_name(used, spelled)
    ]
    name = entity + verb if not verb.endswith(entity) else verb
    trigger = verb if verb.endswith(entity) else verb + entity
    requires, ensures, guidance = (tuple(dict.fromkeys(each)) for each in text)
    return Rule(
        name, (evidence,), trigger, (subject.variable, *parameters), requires, ensures, guidance,
        entity, field, tuple(edges),
    )  # fmt: skip


def _name_step(node: Function, subject: Subject) -> str:
    """The name of a method; of a private one beside a public one of the same name, another. What
    sets a property has that one's name in the source.
    """
    name = node.name.strip("_")
    if is_setter(node):
        return f"set_{name}"
    return f"do_{name}" if is_private(node.name) and name in subject.methods else name


def add_parameters(node: Function, subject: Subject) -> Subject:
    """The subject with a method's parameters, which hide constants of the same names."""
    found = _read_parameters(node, subject)
    local = read_local_lists(node)
    if local:
        subject = subject._replace(constants={**subject.constants, **local})
    if not found.keys().isdisjoint(subject.constants):
        constants = {name: each for name, each in subject.constants.items() if name not in found}
        subject = subject._replace(constants=constants)
    return subject._replace(parameters=found)


def _read_parameters(node: Function, subject: Subject) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for each in [*node.args.args, *node.args.kwonlyargs]:
        if each.arg not in (subject.name, "self", "cls") and each.arg != subject.variable:
            annotation = each.annotation
            found[each.arg] = isinstance(annotation, ast.Name) and annotation.id == "bool"
    return found


def _uses_name(text: str, name: str) -> bool:
    words = "".join(
        letter if letter.isalnum() or letter in "_." else " " for letter in text
    ).split()
    return name in words
