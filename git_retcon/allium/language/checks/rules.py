"""Rules and invariants as such: triggers, guards, effects, purity, and the config they read."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Part, Scope
from git_retcon.allium.language.checks.trigger_use import Form, list_triggers
from git_retcon.allium.language.declarations import (
    Annotation,
    Braced,
    Clause,
    Invariant,
)
from git_retcon.allium.language.expressions import Call, Constant, Member, Name
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import walk_tree

_EFFECTS = frozenset({"created", "add", "remove"})


def check_rules(scope: Scope) -> Iterator[Finding]:
    """Triggers of every rule, purity of every invariant, parameters of the config."""
    for rule, part in scope.find_braced("rule"):
        yield from _check_triggers(rule)
        yield from _check_clauses(rule, part)
    for part in scope.parts:
        for invariant in part.find(Invariant):
            yield from _check_purity(invariant)
        yield from _check_config(scope, part)


def _check_triggers(rule: Braced) -> Iterator[Finding]:
    name = rule.name.text if rule.name else ""
    triggers = list_triggers(rule)
    for trigger in triggers:
        if trigger.form is Form.INVALID:
            message = f"the trigger of '{name}' has none of the forms that 'when:' takes"
            code = "allium.rule.invalidTrigger"
            yield Finding(trigger.value.start, Severity.ERROR, message, code)
    guards = [i for i in walk_tree(rule.items) if isinstance(i, Clause) and i.keyword == "requires"]
    # An event happens once; a condition stays true, so without a guard the rule fires for ever.
    if not guards and any(trigger.form is Form.CONDITION for trigger in triggers):
        message = f"'{name}' fires by a condition and has no 'requires:' that stops it firing again"
        code = "allium.temporal.missingGuard"
        yield Finding(triggers[0].value.start, Severity.WARNING, message, code)


def _check_clauses(rule: Braced, part: Part) -> Iterator[Finding]:
    if rule.name is None:
        return
    keywords = {clause.keyword for clause in part.find(Clause)}
    keywords |= {annotation.kind for annotation in part.find(Annotation)}
    # What only refuses to work in some states demands something, and changes nothing; guidance
    # says in words what the language cannot.
    missing = {"when": {"when"}, "ensures": {"ensures", "requires", "guidance"}}
    for keyword, accepted in missing.items():
        if keywords.isdisjoint(accepted):
            message = f"rule '{rule.name.text}' has no '{keyword}:'"
            code = f"allium.rule.missing{keyword.capitalize()}"
            yield Finding(rule.name.start, Severity.WARNING, message, code)


def _check_purity(invariant: Invariant) -> Iterator[Finding]:
    """An invariant reads what is stored: it changes nothing and does not look at the clock."""
    name = invariant.name.text
    for node in walk_tree(invariant.body):
        match node:
            case Constant(word="now"):
                message = f"invariant '{name}' reads 'now', which changes at every look"
                code = "allium.invariant.volatileNow"
                yield Finding(node.start, Severity.ERROR, message, code)
            case Call(function=Member(field=Name(text=text) as field)) if text in _EFFECTS:
                message = f"invariant '{name}' has an effect, '.{text}()'"
                yield Finding(field.start, Severity.ERROR, message, "allium.invariant.sideEffect")


def _check_config(scope: Scope, part: Part) -> Iterator[Finding]:
    for member in part.find(Member):
        match member:
            case Member(target=Name(text="config"), field=Name(text=text) as field):
                if text not in scope.config:
                    message = f"the config declares no '{text}'"
                    code = "allium.config.undefinedReference"
                    yield Finding(field.start, Severity.ERROR, message, code)
