"""Flags that an object has for good, and that decide in which state it begins.

::

    constructor(key) {
      this.initiator = key !== undefined;
      this.state = this.initiator ? State.Calling : State.Listening;
    }

What asks for ``initiator`` leads on only from states that an object comes to which began calling.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.rules.handed_steps import list_reached
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Rule

# The rules of a class by what it is known to be.
ReadRules = Callable[[Subject], Sequence[Rule]]


class _Kind(NamedTuple):
    """The objects with one truth of a flag: the states that they come to, and their rules."""

    reached: Set[str]
    edges: Mapping[object, Set[Edge]]  # by the place of a rule


def keep_possible(rules: Sequence[Rule], subject: Subject, read: ReadRules) -> Sequence[Rule]:
    """Rules without the transitions that no object can make by the truth of such a flag."""
    for flag, value in _list_fixed(subject):
        for symbol in subject.states:
            begun = [_find_first(subject, symbol, flag, value, each) for each in (True, False)]
            if all(begun) and begun[0].isdisjoint(begun[1]):
                kinds = [
                    _read_kind(subject, symbol, read(_fix(subject, {flag: truth})), states)
                    for truth, states in zip((True, False), begun, strict=True)
                ]
                name = subject.fields[symbol].name
                rules = [_keep_edges(each, kinds) if each.field == name else each for each in rules]
    return rules


def _list_fixed(subject: Subject) -> Iterator[tuple[str, ast.expr]]:
    """The booleans, as conditions name them, that only a constructor sets, and what it gives."""
    booleans = {symbol for symbol, field in subject.fields.items() if field.type.name == "Boolean"}
    given = Counter(name for each in subject.methods.values() for name in _list_set(each))
    for method in subject.methods.values():
        for each in method.body if method.name in BEGINNINGS else ():
            match each:
                case ast.Assign(targets=[ast.Attribute(ast.Name(owner), symbol)], value=value):
                    is_own = owner == subject.name and symbol in booleans
                    if is_own and given[symbol] == 1 and not isinstance(value, ast.Constant):
                        yield f"{owner}.{symbol}", value


def _list_set(method: Function) -> Iterator[str]:
    """The attributes that a method sets, each as often as it does."""
    for each in walk_nodes(method):
        targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        for target in filter(None, targets):
            yield from (e.attr for e in walk_nodes(target) if isinstance(e, ast.Attribute))


def _fix(subject: Subject, truths: Mapping[str, bool]) -> Subject:
    return subject._replace(fixed={**subject.fixed, **truths})


def _find_first(subject: Subject, symbol: str, flag: str, value: ast.expr, truth: bool) -> Set[str]:
    """The states that an object with a truth of the flag begins with; none where that is open."""
    states = subject.states[symbol]
    if not (states.enum or states.choices):
        return frozenset()
    fixed = _fix(subject, {flag: truth, ast.unparse(value): truth})
    for each in subject.methods.values():
        if each.name in BEGINNINGS:
            return StateFlow(fixed, symbol, states).run(each.body, None) or frozenset()
    return frozenset()


def _read_kind(subject: Subject, symbol: str, rules: Sequence[Rule], begun: Set[str]) -> _Kind:
    name = subject.fields[symbol].name
    own = [each for each in rules if each.field == name]
    reached = list_reached(begun, own, frozenset())
    return _Kind(reached, {each.evidence[0]: {*each.edges} for each in own})


def _keep_edges(rule: Rule, kinds: Sequence[_Kind]) -> Rule:
    edges: dict[Edge, None] = {}
    for each in rule.edges:
        making = [kind for kind in kinds if each in kind.edges.get(rule.evidence[0], ())]
        if each.source != ANY_STATE:
            known = any(each.source in kind.reached for kind in kinds)
            if not known or any(each.source in kind.reached for kind in making):
                edges[each] = None
        elif len(making) == len(kinds):
            edges[each] = None
        else:
            begun = sorted({state for kind in making for state in kind.reached})
            edges |= {Edge(state, each.target): None for state in begun if state != each.target}
    if edges.keys() == {*rule.edges}:
        return rule
    return rule._replace(edges=tuple(edges), begun=tuple(sorted({each.source for each in edges})))
