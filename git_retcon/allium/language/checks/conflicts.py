"""Rules beside each other and against themselves: same behaviour, same trigger, no way to fire."""

from collections import defaultdict
from collections.abc import Iterator

from git_retcon.allium.language.checks.effects import read_comparison, read_conducts
from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.checks.trigger_use import list_triggers
from git_retcon.allium.language.declarations import Annotation, Braced, Clause
from git_retcon.allium.language.expressions import (
    Binary,
    Block,
    Call,
    Expression,
    Logical,
    Name,
    Nullable,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import describe_shape


def check_conflicts(scope: Scope) -> Iterator[Finding]:
    """All rules of the file, in order."""
    rules = [rule for rule, _ in scope.find_braced("rule") if rule.name is not None]
    yield from _check_parameters(rules)
    yield from _check_behaviour(rules)
    for conduct in read_conducts(scope):
        yield from _check_guards(conduct.rule, conduct.bound)


def _check_parameters(rules: list[Braced]) -> Iterator[Finding]:
    """Rules with one trigger take as many parameters, those that may be left out aside."""
    counts: dict[str, tuple[int, int]] = {}
    for rule in rules:
        for trigger in list_triggers(rule):
            if not isinstance(trigger.value, Call) or not isinstance(trigger.value.function, Name):
                continue
            name, arguments = trigger.value.function.text, trigger.value.arguments
            needed = sum(not isinstance(each.value, Nullable) for each in arguments)
            least, most = counts.setdefault(name, (needed, len(arguments)))
            if needed > most or len(arguments) < least:
                message = f"the trigger '{name}' has {most} parameters in a rule above"
                code = "allium.rule.triggerParameters"
                yield Finding(trigger.value.start, Severity.WARNING, message, code)


def _check_behaviour(rules: list[Braced]) -> Iterator[Finding]:
    seen: dict[tuple[object, ...], str] = {}
    for rule in rules:
        clauses = [item for item in rule.items if not isinstance(item, Annotation)]
        shape = tuple(part for item in clauses for part in describe_shape(item))
        first = seen.setdefault(shape, rule.name.text if rule.name else "")
        has_effect = any(isinstance(item, Clause) and item.keyword == "ensures" for item in clauses)
        if has_effect and rule.name is not None and first != rule.name.text:
            message = f"'{rule.name.text}' says the same as '{first}'"
            code = "allium.rule.duplicateBehavior"
            yield Finding(rule.name.start, Severity.WARNING, message, code)


def _check_guards(rule: Braced, bound: frozenset[str]) -> Iterator[Finding]:
    """Guards that demand two different values of one field cannot hold together.

    The value of a name that the rule binds is not known.
    """
    demanded: dict[tuple[str, str], list[frozenset[str]]] = defaultdict(list)
    for item in rule.items:
        if isinstance(item, Clause) and item.keyword == "requires":
            for place, states in _list_demands(item.value):
                demanded[place].append(states)
    for (variable, field), found in demanded.items():
        is_known = not any(states & bound for states in found)
        if rule.name is not None and is_known and not frozenset.intersection(*found):
            message = f"'{rule.name.text}' demands two values of '{variable}.{field}' at once"
            yield Finding(rule.name.start, Severity.WARNING, message, "allium.rule.neverFires")


def _list_demands(value: Expression) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    stack = [value]
    while stack:
        match stack.pop():
            case Logical(operator="and", operands=operands):
                stack.extend(reversed(operands))
            case Block(items=items):
                stack.extend(reversed(items))
            case Binary() as comparison:
                yield from read_comparison(comparison)
