"""Rules of operations that change their object only by private steps that they run.

``def settle(self): self._pay()`` is a rule that leads to the one of ``_pay``, which nobody outside
of the class triggers: by its trigger where it always runs, in prose where it may. What runs a
public operation adds nothing to what that one says.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import list_certain
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.waiting_steps import awaits_event, is_waiting
from git_retcon.allium.extract.python.rules.actions import gives, is_question
from git_retcon.allium.extract.python.rules.behaviour import (
    read_demands,
    read_rule,
    sets_flag,
)
from git_retcon.allium.extract.python.rules.handed_steps import list_handed
from git_retcon.allium.extract.python.rules.operations import (
    BoundOperation,
    RuleText,
    add_parameters,
    make_rule,
)
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.caught_errors import swallows_errors
from git_retcon.allium.extract.python.syntax.conditions import Subject, translate_value
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Rule

_MOST = 3  # operations that one may lead to
_MOST_HANDED = 8  # by the state in which an event comes
_DEEPEST = 2  # steps between an operation and what it leads to


class _Run(NamedTuple):
    """A rule that an operation leads to: its trigger as an effect, "" where it may not come to it,
    or nobody can say what it is given.
    """

    rule: Rule
    effect: str


def read_rules(operations: Iterable[BoundOperation]) -> Sequence[Rule]:
    """The rules of a class's operations, in their order."""
    listed = [*operations]
    found = [read_rule(each) for each in listed]
    moving = {
        id(each.node): rule
        for each, rule in zip(listed, found, strict=True)
        if rule is not None
        and _is_step(each.node)
        and (rule.field or sets_flag(rule.ensures, each.subject))
    }
    if moving:
        handed = {id(each) for each in _list_handlers(listed[0].subject)}
        found = [
            _chain_rule(each, moving, is_handed=id(each.node) in handed)
            if rule is None
            else _add_effects(each, rule, moving)
            for each, rule in zip(listed, found, strict=True)
        ]
        # What is in doubt of a step is so, or is none, where an operation runs it.
        run = moving.keys() - handed
        found = [
            rule if rule is None or id(each.node) not in run else rule._replace(doubted=())
            for each, rule in zip(listed, found, strict=True)
        ]
    return [each for each in found if each is not None]


def _is_step(node: Function) -> bool:
    """Whether a method is private."""
    return is_private(node.name)


def _list_handlers(subject: Subject) -> Iterator[Function]:
    """The private methods that only others run, as events: nobody calls them, but they are no
    steps.
    """
    called: dict[str, bool] = {}  # whether only events do
    for runner in subject.methods.values():
        waiting = [each for each in walk_nodes(runner) if is_waiting(each)]
        later = {id(part) for each in waiting for part in walk_nodes(each)}
        events = {id(part) for e in waiting if awaits_event(e) for part in walk_nodes(e)}
        for each in walk_nodes(runner):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                    if owner == subject.name and (id(each) in events or id(each) not in later):
                        called[name] = called.get(name, True) and id(each) in events
    steps = {name for name, each in subject.methods.items() if _is_step(each)}
    handed = list_handed(subject.methods, steps - called.keys()) if steps else {}
    for name, is_handed in (called | dict.fromkeys(handed, True)).items():
        method = subject.methods.get(name)
        if is_handed and method is not None and _is_step(method):
            yield method


def _asks_object(node: Function, subject: Subject) -> bool:
    """Whether a method goes by its own object in what it does."""
    for each in walk_statements(node.body):
        asked = getattr(each, "test", None) or getattr(each, "subject", None)
        if asked is not None and any(
            isinstance(part, ast.Name) and part.id == subject.name for part in walk_nodes(asked)
        ):
            return True
    return False


def _chain_rule(
    operation: BoundOperation, moving: Mapping[int, Rule], *, is_handed: bool
) -> Rule | None:
    node = operation.node
    subject = add_parameters(node, operation.subject)
    if _is_step(node) and not is_handed:
        return None
    listed = sorted(_list_runs(node, subject, moving), key=lambda each: bool(each.effect))
    runs = {each.rule.trigger: each for each in listed}
    if not 0 < len(runs) <= (_MOST_HANDED if is_handed else _MOST):
        return None
    if is_handed and not _asks_object(node, subject):
        return None  # it only picks events, the step decides
    # What only gives something is one where a step refuses to let it.
    is_refused = gives(node) and any(e.effect and e.rule.requires for e in runs.values())
    if is_question(node) and not is_refused:
        return None
    demands = read_demands(node, subject, None)
    effects = [each.effect for each in runs.values() if each.effect]
    possible = [f"May lead to {name}." for name, each in runs.items() if not each.effect]
    text = RuleText(demands.requires, effects, [*demands.guidance, *possible])
    return make_rule(operation, text)


def _add_effects(operation: BoundOperation, rule: Rule, moving: Mapping[int, Rule]) -> Rule:
    """The rule of an operation that demands something, with what it leads to where it says of
    nothing that it does.
    """
    node = operation.node
    if rule.ensures or rule.field or is_question(node) or _is_step(node):
        return rule
    runs = _list_runs(node, add_parameters(node, operation.subject), moving)
    effects = dict.fromkeys(each.effect for each in runs if each.effect)
    return rule._replace(ensures=tuple(effects)) if len(effects) <= _MOST else rule


def _list_runs(
    node: Function, subject: Subject, moving: Mapping[int, Rule], left: int = _DEEPEST
) -> Iterator[_Run]:
    """The rules that an operation may lead to, those last that it always comes to; also by steps
    that only run others.
    """
    certain = {
        id(each)
        for each, blocks in list_certain(node.body, subject)
        if not any(map(swallows_errors, blocks))
    }
    listed = sorted(walk_statements(node.body), key=lambda each: id(each) in certain)
    for each in listed:
        call = _find_call(each)
        method = _find_method(call, subject) if call is not None else None
        if method is None or call is None:
            continue
        # Without "await" it is only made, and runs later or never.
        if isinstance(method, ast.AsyncFunctionDef) and not _awaits(each):
            continue
        rule = moving.get(id(method))
        if rule is None and left and _is_step(method):
            inner = _list_runs(method, subject, moving, left - 1)
            yield from (each._replace(effect="") for each in inner)
        if rule is None:
            continue
        is_sure = id(each) in certain
        yield _Run(rule, _spell_effect(rule, method, call, subject) if is_sure else "")


def _find_call(node: ast.stmt) -> ast.Call | None:
    """The call that a statement is, or whose outcome it keeps, gives, enters or goes through."""
    match node:
        case ast.With(items=[ast.withitem(context_expr=ast.Call() as call), *_]):
            return call
        case ast.For(iter=ast.Call() as call):
            return call  # a step of its own each time, up to the end
    if not isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
        return None
    value = node.value.value if isinstance(node.value, ast.Await) else node.value
    return value if isinstance(value, ast.Call) else None


def _awaits(node: ast.stmt) -> bool:
    return isinstance(getattr(node, "value", None), ast.Await)


def _find_method(call: ast.Call, subject: Subject) -> Function | None:
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == subject.name:
            return subject.methods.get(attribute)
    return None


def _spell_effect(rule: Rule, method: Function, call: ast.Call, subject: Subject) -> str:
    """The trigger with what it is given; "" where the language cannot say that."""
    variable, *names = rule.parameters
    given = bind_arguments(method, call) if names else {}
    values = [f"{variable}: {variable}"]
    for name in names:
        value = translate_value(given[name], subject) if name in given else None
        if value is None:
            return ""
        values.append(f"{name}: {value}")
    return f"{rule.trigger}({', '.join(values)})"
