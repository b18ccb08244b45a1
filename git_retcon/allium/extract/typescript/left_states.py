"""Transitions of a class from states that an object of it can have.

An enum may have members that nothing gives a private field: what an operation does to these is no
transition. Any other field may get them from heirs, or from whoever has the object. Of a field
that takes over what another one is, ``this.base = this.state``, only some states are known.
"""

import ast
import re
from collections.abc import Collection, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.flow.entered_states import (
    find_entered,
    leave_from,
    list_given,
)
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.source_facts import Rule
from git_retcon.allium.extract.spelling import spell_member
from git_retcon.allium.extract.typescript.accessors import list_set_operations
from git_retcon.allium.extract.typescript.class_methods import list_beginning

# What sets fields without their names.
_MIXED = re.compile(
    r"\bObject\.(?:assign|defineProperty)\(|\bReflect\.set\(|\bthis\[[^\]]*\]\s*=(?!=)"
)


def keep_entered(
    rules: Sequence[Rule],
    body: Node | None,
    subject: Subject,
) -> Sequence[Rule]:
    """Rules without transitions from states that a class never gives its field; all where it is
    given one from outside.
    """
    moved = {each.field for each in rules if each.edges}
    for symbol, field in subject.fields.items() if moved else ():
        states = subject.states[symbol]
        every = [each.name for each in states.choices]
        if field.name not in moved or not (every or states.enum) or _is_open(body, symbol):
            continue
        if _takes_over(body, symbol, subject):
            kept = (each.get(f"{subject.name}.{symbol}", ()) for each in subject.kept.values())
            copied = _list_told(body, symbol, subject).union(*kept)
            rules = [_leave(e, copied, every) if e.field == field.name else e for e in rules]
        if not _is_private(body, symbol):
            continue
        keepers = subject.kept.get(symbol, ())
        entered = find_entered(subject, symbol, [*list_beginning(body)], keepers)
        if entered is None or (every and entered.issuperset(every)):
            continue
        told = _list_told(body, symbol, subject)
        known = entered | (told.intersection(every) if every else told)
        rules = [_leave(e, known, every) if e.field == field.name else e for e in rules]
    return rules


def _takes_over(body: Node | None, symbol: str, subject: Subject) -> bool:
    """Whether a field gets what another one is that a class gives more of their states by name."""
    states, place = subject.states[symbol], f"{subject.name}.{symbol}"
    named = _list_told(body, symbol, subject)
    alike = {
        f"{subject.name}.{each}": each
        for each, other in subject.states.items()
        if each != symbol and (other.enum, other.choices) == (states.enum, states.choices)
    }
    bodies = (each.body for each in subject.methods.values()) if alike else ()
    values = [value for each in bodies for value in list_given(each, place) if value is not None]
    given = {alike[text] for text in map(spell_dotted, values) if text in alike}
    return any(len(_list_told(body, each, subject)) > len(named) for each in given)


def _list_told(body: Node | None, symbol: str, subject: Subject) -> frozenset[str]:
    """The states that a class gives a field, or a step that sets it, by its text: what functions do
    that are handed to others is not always known.
    """
    place = f"{subject.name}.{symbol}"
    setters = [
        each.name.strip("_")
        for each in subject.methods.values()
        if any(isinstance(value, ast.Name) for value in list_given(each.body, place))
    ]
    text = read_text(body)
    found = re.findall(rf"\bthis\.#?{re.escape(symbol)}\s*=(?![=>])([^;]*)", text)
    for each in setters:
        found += re.findall(rf"\b_*{re.escape(each)}_*\(([^;]*)", text)
    states = subject.states[symbol]
    told = re.compile(r"\w+" if states.choices else rf"(?<={get_last(states.enum)}\.)\w+")
    words = {word for part in found for word in told.findall(part)}
    return frozenset(spell_member(word) for word in words)


def _leave(rule: Rule, known: frozenset[str], every: Collection[str]) -> Rule:
    """The transitions of a rule from known states; those that other files tell of begin in these,
    too.
    """
    begun = known.intersection(rule.begun or known, every or known) | ({""} & {*rule.begun})
    return leave_from(rule, known, every)._replace(begun=tuple(sorted(begun)))


def _is_private(body: Node | None, symbol: str) -> bool:
    """Whether a class alone may set a field."""
    for item in list_children(body, "public_field_definition"):
        marks = {read_text(each) for each in list_children(item, "accessibility_modifier")}
        name = read_name(item)
        if name.lstrip("#") == symbol:
            return "private" in marks or name.startswith("#")
    return False


def _is_open(body: Node | None, symbol: str) -> bool:
    """Whether a field is set in a way that says nothing of its states."""
    if body is None or _MIXED.search(read_text(body)) or [*list_set_operations(body, {symbol})]:
        return True
    if _is_marked(body, symbol):
        return True  # as a store sets it
    name = re.escape(symbol)
    other = rf"(?<!\bthis)\.#?{name}\s*(?:\?\?|\|\||&&)?=(?![=>])"
    if re.search(rf"{other}|\bfor\s*\([^;)]*\.#?{name}\s+(?:of|in)\b", read_text(body)):
        return True
    if re.search(rf"\[\s*(['\"`]){name}\1\s*\]\s*=(?!=)", read_text(_find_root(body))):
        return True
    part = rf"\bthis\.#?{name}\s*(?:=[^,}}\]]*)?(?:,[^;()]*)?[}}\]]\s*=(?![=>])"
    return re.search(part, read_text(body)) is not None


def _is_marked(body: Node, symbol: str) -> bool:
    """Whether a field, or its class, has decorators."""
    owner = body.parent
    around = [each for each in (owner, owner.parent if owner is not None else None) if each]
    if any([*list_children(each, "decorator")] for each in around):
        return True
    return any(
        read_name(each).lstrip("#") == symbol and bool([*list_children(each, "decorator")])
        for each in list_children(body, "public_field_definition")
    )


def _find_root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node
