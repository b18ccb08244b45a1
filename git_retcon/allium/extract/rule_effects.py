"""What a rule says of the states of its object."""

import re

from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.source_facts import Field, Rule
from git_retcon.allium.extract.spelling import spell_value


def names_field(rule: Rule, subject: Subject, field: Field) -> bool:
    """Whether a rule names a field of its object."""
    place = re.compile(rf"\b{re.escape(subject.variable)}\.{re.escape(field.name)}\b")
    return any(place.search(each) for each in (*rule.requires, *rule.ensures))


def moves_state(rule: Rule, subject: Subject) -> bool:
    """Whether an operation sets a state: what only refuses may check any input, and what sets one
    that it is given may set anything.
    """
    flags = tuple(f"{subject.variable}.{name} " for name in subject.flags)
    sets_state = rule.field and any(
        text in rule.ensures
        for name, states in subject.states.items()
        if name in subject.fields and subject.fields[name].name == rule.field
        for choice in states.choices
        for text in [f"{subject.variable}.{rule.field} = {spell_value(choice.name)}"]
    )
    return bool(rule.edges or sets_state) or any(text.startswith(flags) for text in rule.ensures)


def takes_state(rule: Rule, subject: Subject) -> bool:
    """Whether an operation sets a state that it is given, in any case."""
    given = (f"{subject.variable}.{rule.field} = {each}" for each in rule.parameters[1:])
    return bool(rule.field) and any(text in rule.ensures for text in given)


def refuses_state(rule: Rule, subject: Subject) -> bool:
    """Whether an operation demands a state, a flag, or that something is there or is not."""
    names = {
        subject.fields[name].name
        for name, states in subject.states.items()
        if states.choices and name in subject.fields
    }
    listed = [*map(re.escape, sorted(names | subject.flags)), r"\w+ !?= null"]
    place = rf"(?:not )?{re.escape(subject.variable)}\.(?:{'|'.join(listed)})(?!\w)"
    return any(re.match(place, text) for text in rule.requires)
