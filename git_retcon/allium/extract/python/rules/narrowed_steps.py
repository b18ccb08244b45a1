"""Rules of private steps without the transitions that nothing in their class leads to."""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.named_steps import finds_steps
from git_retcon.allium.extract.python.rules.begun_steps import BegunSteps
from git_retcon.allium.extract.python.rules.decorated_steps import open_decorated
from git_retcon.allium.extract.python.rules.followed_steps import FollowedSteps
from git_retcon.allium.extract.python.rules.handed_steps import keep_moves
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.rules.step_mentions import Surroundings
from git_retcon.allium.extract.python.rules.step_runners import list_runners
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.source_facts import Evidence, Rule

_MOST_ROUNDS = 12

_Followed = dict[tuple[str, str], FollowedSteps]


def narrow_steps(
    rules: Iterable[Rule],
    operations: Iterable[BoundOperation],
    content: bytes,
    open_steps: Collection[str] = (),
    beginning: Sequence[ast.stmt] = (),
) -> Sequence[Rule]:
    """Rules without the transitions that no method of the class leads to. ``content`` is the whole
    file, which may run a step as well; ``open_steps`` are those that may begin in any state,
    ``beginning`` is what an object does before its constructor.
    """
    listed = [*rules]
    moving = {each.evidence[0] for each in listed if each.field}
    named = finds_steps(content)
    steps = {
        each.evidence: each
        for each in operations
        if each.evidence in moving and (named or is_private(each.node.name))
    }
    if not steps:
        return listed
    # From below: a step that others run begins where what is known so far leads to.
    found = [each._replace(edges=()) if each.evidence[0] in steps else each for each in listed]
    followed: _Followed = {}
    for _ in range(_MOST_ROUNDS):
        around = Surroundings(content, open_steps, found, beginning, every_rule=listed)
        before, found = found, _narrow_all(listed, steps, around, followed)
        if found == before:
            return found
    return _narrow_all(listed, steps, around._replace(rules=listed), followed)


def doubt_dropped(rules: Iterable[Rule], before: Iterable[Rule]) -> Sequence[Rule]:
    """Rules with what they lost of those ``before`` in doubt: others may run their steps, too."""
    return [
        each._replace(doubted=(*each.doubted, *(e for e in old.edges if e not in each.edges)))
        for each, old in zip(rules, before, strict=True)
    ]


def _narrow_all(
    rules: Sequence[Rule],
    steps: Mapping[Evidence, BoundOperation],
    around: Surroundings,
    followed: _Followed,
) -> list[Rule]:
    known: dict[tuple[str, str], BegunSteps] = {}
    return [
        _narrow_step(each, steps[each.evidence[0]], around, known, followed)
        if each.evidence[0] in steps
        else each
        for each in rules
    ]


def narrow_inherited(
    rule: Rule, step: Function, subject: Subject, runners: Iterable[Function]
) -> Rule:
    """A step's rule about a state that a base class has, without the transitions that its
    ``runners``, all that run it, do not lead to.
    """
    name = rule.evidence[0].symbol.rpartition(".")[2].lstrip("#")
    methods = {**{each.name: each for each in runners}, name: step}
    bodies = [ast.unparse(part) for each in methods.values() for part in each.body]
    # Who else runs them is not known.
    around = Surroundings("\n".join([name, *bodies]).encode(), methods.keys() - {name})
    operation = BoundOperation(
        step, subject._replace(methods={**subject.methods, **methods}), "", rule.evidence[0]
    )
    return _narrow_step(rule, operation, around, {}, {})


def _narrow_step(
    rule: Rule,
    step: BoundOperation,
    around: Surroundings,
    known: dict[tuple[str, str], BegunSteps],
    followed: _Followed,
) -> Rule:
    """A step's rule with the transitions from states that it may begin in."""
    subject = step.subject
    symbol = next((s for s, each in subject.fields.items() if each.name == rule.field), "")
    states = subject.states.get(symbol)
    if states is None or not (states.enum or states.choices):
        return rule
    name = next((key for key, each in subject.methods.items() if each is step.node), "")
    place = subject.name, symbol
    if place not in known:
        owner = rule.evidence[0].symbol.rpartition(".")[0]
        around = around._replace(owner=owner)
        if place not in followed:
            opened = subject._replace(methods=open_decorated(subject.methods).methods)
            followed[place] = FollowedSteps(opened, symbol, states)
        known[place] = BegunSteps(subject, symbol, states, around, followed[place])
    begun = known[place].find_runs(name)
    if begun is None:
        return rule if states.choices else _leave_open(rule, name, subject, around)
    moves = dict.fromkeys(keep_moves(rule.edges, begun.moves))
    edges = tuple(each for each in moves if each in begun.moves)
    return rule._replace(edges=edges, begun=tuple(sorted(begun.states)) or ("",))


def _leave_open(rule: Rule, name: str, subject: Subject, around: Surroundings) -> Rule:
    """A step's rule whose transitions are left to what knows the states, where that knows all that
    runs it.
    """
    owner = rule.evidence[0].symbol.rpartition(".")[0]
    is_any = bool(rule.edges) and all(each.source == ANY_STATE for each in rule.edges)
    if not is_any or not list_runners(name, subject.methods, around.content, owner):
        return rule
    return rule._replace(edges=(), doubted=(*rule.doubted, *rule.edges))
