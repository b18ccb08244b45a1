"""The states that a class gives a field itself.

What an object begins with and all that its methods set is known where no state comes from outside.
An operation leaves no other member of an enum.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import Possible
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS, read_values
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Rule


def find_entered(
    subject: Subject,
    symbol: str,
    beginning: Sequence[ast.stmt] = (),
    keepers: Collection[str] = (),
) -> Possible:
    """The states that a class gives a field; None where one is not known. ``beginning`` is what an
    object does before its constructor, ``keepers`` are the texts of what only keeps the field.
    """
    states, place = subject.states[symbol], f"{subject.name}.{symbol}"
    making = [each for each in subject.methods.values() if each.name in BEGINNINGS]
    begun = [*beginning, *(part for each in making for part in each.body)]
    first = StateFlow(subject, symbol, states).run(begun, None)
    if first is None:
        return None
    found = {*first}
    if not any(True for each in making for _ in list_given(each.body, place)):
        # What runs while an object is made may well be an operation.
        found |= StateFlow(subject, symbol, states).run(beginning, None) or frozenset()
    later: list[Function] = []
    for each in (node for part in begun for node in walk_nodes(part)):
        later += [each] if isinstance(each, ast.FunctionDef) and is_waiting(each) else []
    for method in (*later, *(each for each in subject.methods.values() if each not in making)):
        for value in list_given(method.body, place):
            if is_none(value) or _is_kept(value, keepers):
                continue
            given = _read_given(value, method, subject, states)
            if given is None:
                return None
            found |= given
    return frozenset(found)


def _read_given(
    value: ast.expr | None, method: Function, subject: Subject, states: States
) -> Possible:
    """What a field may get in a method; None where that is open, or others may hand it."""
    is_own = is_private(method.name) and not _is_handed_on(method, subject)
    if value is None or (isinstance(value, ast.Name) and not is_own):
        return None
    return read_values(value, method, subject, states)


def _is_handed_on(method: Function, subject: Subject) -> bool:
    """Whether others may run a step with what they have."""
    keys = (key.removesuffix("()") for key, each in subject.methods.items() if each is method)
    places = {f"{subject.name}.{key}" for key in keys}
    parts = [part for each in subject.methods.values() for part in walk_nodes(each)]
    run = {id(each.func) for each in parts if isinstance(each, ast.Call)}
    named = (each for each in parts if isinstance(each, ast.Attribute) and id(each) not in run)
    return any(spell_dotted(each) in places for each in named)


def _is_kept(value: ast.expr | None, keepers: Collection[str]) -> bool:
    return value is not None and spell_dotted(value) in keepers


def list_given(statements: Iterable[ast.stmt], place: str) -> Iterator[ast.expr | None]:
    """All that a field gets; None for what is not one value."""
    for each in (node for part in statements for node in walk_nodes(part)):
        for target in list_targets(each):
            if spell_dotted(target) == place:
                yield from _list_values(getattr(each, "value", None))
            elif sets_part(target, place):
                yield None


def list_targets(node: ast.AST) -> Sequence[ast.expr]:
    """What a statement sets."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [each for each in targets if isinstance(each, ast.expr)]


def sets_part(target: ast.expr, place: str) -> bool:
    """Whether something is set among others."""
    return any(
        isinstance(each, ast.Attribute) and spell_dotted(each) == place
        for each in walk_nodes(target)
    )


def is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _list_values(value: ast.expr | None) -> Iterator[ast.expr | None]:
    if isinstance(value, ast.IfExp):
        yield from _list_values(value.body)
        yield from _list_values(value.orelse)
    else:
        yield value


def leave_from(rule: Rule, states: Collection[str], every: Collection[str]) -> Rule:
    """A rule with those of its transitions that begin in some states, of ``every`` one if these are
    known.
    """
    edges: dict[Edge, None] = {}
    for each in rule.edges:
        sources = (every or sorted(states)) if each.source == ANY_STATE else [each.source]
        left = [source for source in sources if source in states]
        if every and len(left) == len(sources):
            edges[each] = None
        else:
            edges |= {Edge(one, each.target): None for one in left if one != each.target}
    return rule._replace(edges=(*edges,))
