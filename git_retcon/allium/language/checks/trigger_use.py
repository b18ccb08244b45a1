"""What makes a rule fire: the forms that ``when:`` takes."""

import enum
from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.allium.language.declarations import Braced, Clause
from git_retcon.allium.language.expressions import (
    Binary,
    Binding,
    Call,
    Expression,
    Logical,
    Member,
    Name,
    Nullable,
    Qualified,
    Transition,
)


class Form(enum.Enum):
    """``EVENT`` is a stimulus or another rule's emission, ``CONDITION`` time or a derived value."""

    EVENT = "event"
    CREATION = "creation"
    TRANSITION = "transition"
    CONDITION = "condition"
    INVALID = "invalid"


class Trigger(NamedTuple):
    """One way in which a rule fires.

    ``entity`` is the type whose instances it watches, ``field`` and ``state`` what a transition
    reaches; ``names`` are bound by it.
    """

    form: Form
    names: tuple[Name, ...]
    entity: Name | Qualified | None
    field: str
    state: str
    value: Expression


def list_triggers(rule: Braced) -> list[Trigger]:
    """All triggers of a rule's ``when:`` clauses."""
    values = [
        item.value for item in rule.items if isinstance(item, Clause) and item.keyword == "when"
    ]
    return [trigger for value in values for trigger in _read_triggers(value)]


def _read_triggers(value: Expression) -> Iterator[Trigger]:
    stack: list[tuple[Expression, tuple[Name, ...]]] = [(value, ())]
    while stack:
        part, names = stack.pop()
        if isinstance(part, Logical) and part.operator == "or":
            # Reversed, so that the stack gives them in reading order.
            stack.extend((operand, names) for operand in reversed(part.operands))
        elif isinstance(part, Binding):
            stack.append((part.value, (*names, part.name)))
        else:
            yield _read_trigger(part, names)


def _read_trigger(value: Expression, names: tuple[Name, ...]) -> Trigger:
    if isinstance(value, Call):
        return _read_event(value, names)
    if isinstance(value, Transition) and isinstance(value.subject, Member):
        state = value.state.text if isinstance(value.state, Name) else ""
        entity, field = find_entity(value.subject), value.subject.field.text
        return Trigger(Form.TRANSITION, names, entity, field, state, value)
    entity = find_entity(value)
    if isinstance(value, Member) and entity is not None:
        form = Form.CREATION if value.field.text == "created" else Form.CONDITION
        return Trigger(form, names, entity, "", "", value)
    if isinstance(value, Binary | Logical) and entity is not None:
        return Trigger(Form.CONDITION, names, entity, "", "", value)
    return Trigger(Form.INVALID, names, None, "", "", value)


def _read_event(value: Call, names: tuple[Name, ...]) -> Trigger:
    """``Name(parameters)``; a parameter is a name, ``name?``, or ``name: Type``."""
    if not isinstance(value.function, Name | Member | Qualified):
        return Trigger(Form.INVALID, names, None, "", "", value)
    bound = list(names)
    for argument in value.arguments:
        parameter = argument.value.type if isinstance(argument.value, Nullable) else argument.value
        if argument.name is not None:
            bound.append(argument.name)
        elif isinstance(parameter, Name):
            bound.append(parameter)
    return Trigger(Form.EVENT, tuple(bound), None, "", "", value)


def find_entity(value: Expression) -> Name | Qualified | None:
    """The capitalised or qualified name that the leftmost path of a condition begins with."""
    seen_member = False
    while True:
        match value:
            case Member(target=target):
                value, seen_member = target, True
            case Binary(left=left):
                value = left
            case Logical(operands=operands):
                value = operands[0]
            case Call(function=Member(target=target)):
                value, seen_member = target, True
            case Qualified() if seen_member:
                return value
            case Name(text=text) if seen_member and text[0].isupper():
                return value
            case _:
                return None
