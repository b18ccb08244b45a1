"""Transitions of a class from states that an object of it can have.

An enum may have members that nothing gives a private field: what an operation does to these is no
transition. Any other field may get them from heirs, or from whoever has the object.
"""

import re
from collections.abc import Callable, Collection, Sequence, Set

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.entered_states import find_entered, leave_from
from git_retcon.allium.extract.python.observed_graphs import is_given
from git_retcon.allium.extract.source_facts import Rule
from git_retcon.allium.extract.typescript.accessors import list_set_operations
from git_retcon.allium.extract.typescript.class_methods import list_beginning

_MIXED = re.compile(r"Object\.assign\(\s*this\b|\bthis\[[^\]]*\]\s*=(?!=)")


def keep_entered(
    rules: Sequence[Rule],
    body: Node | None,
    subject: Subject,
    words: Callable[[], frozenset[str]],
) -> Sequence[Rule]:
    """Rules without transitions from states that nothing in a file gives, which has these words;
    all where a class is given one from outside.
    """
    moved = {each.field for each in rules if each.edges}
    for symbol, field in subject.fields.items() if moved else ():
        states = subject.states[symbol]
        every = [each.name for each in states.choices]
        is_known = field.name in moved and _is_private(body, symbol)
        if not (is_known and (every or states.enum)) or _is_open(body, symbol):
            continue
        keepers = subject.kept.get(symbol, ())
        entered = find_entered(subject, symbol, [*list_beginning(body)], keepers)
        if entered is None or (every and entered.issuperset(every)):
            continue
        known = entered.union(each for each in every if is_given(each, words()))
        rules = [_leave(e, known, every) if e.field == field.name else e for e in rules]
    return rules


def _leave(rule: Rule, known: Set[str], every: Collection[str]) -> Rule:
    """The transitions of a rule from known states; of an enum in another file, also those that are
    not known here begin in these.
    """
    left = leave_from(rule, known, every)
    begun = known.intersection(rule.begun) if rule.begun else known
    return left if every else left._replace(begun=tuple(sorted(begun)))


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
    if re.search(rf"(?<!\bthis)\.#?{re.escape(symbol)}\s*=(?![=>])", read_text(body)):
        return True
    part = rf"\bthis\.#?{re.escape(symbol)}\s*(?:=[^,}}\]]*)?(?:,[^;()]*)?[}}\]]\s*=(?![=>])"
    return re.search(part, read_text(body)) is not None
