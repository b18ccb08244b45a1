"""What surfaces provide must be a stimulus that some rule listens for."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.checks.surface_entries import list_entry_names
from git_retcon.allium.language.checks.trigger_use import Form, list_triggers
from git_retcon.allium.language.declarations import Clause
from git_retcon.allium.language.expressions import Call, Name, Qualified
from git_retcon.allium.language.findings import Finding, Severity


def check_provided_triggers(scope: Scope) -> Iterator[Finding]:
    """Every ``provides:`` of the file."""
    stimuli = list_stimuli(scope)
    for surface, _ in scope.find_braced("surface"):
        for item in surface.items:
            if not isinstance(item, Clause) or item.keyword != "provides":
                continue
            for action in list_entry_names(item.value):
                yield from _check_action(scope, stimuli, action)


def list_stimuli(scope: Scope) -> set[str]:
    """The events that rules of a file listen for; those of another file as ``alias/Name``."""
    found: set[str] = set()
    for rule, _ in scope.find_braced("rule"):
        for trigger in list_triggers(rule):
            if trigger.form is Form.EVENT and isinstance(trigger.value, Call):
                match trigger.value.function:
                    case Name(text=text):
                        found.add(text)
                    case Qualified(alias=alias, name=name):
                        found.add(f"{alias.text}/{name.text}")
    return found


def _check_action(scope: Scope, stimuli: set[str], action: Name | Qualified) -> Iterator[Finding]:
    if isinstance(action, Qualified):
        spelled = f"{action.alias.text}/{action.name.text}"
        target = scope.aliases.get(action.alias.text)
        # A file that is not at hand may have any rule.
        is_known = target is None or action.name.text in list_stimuli(target)
    else:
        spelled = action.text
        # The language's own examples also name the rule itself.
        is_known = any(action.text in scope.names[kind] for kind in ("rule", "deferred"))
        # A rule of a file that imports this one may listen, by a name with its alias for it.
        is_known = is_known or scope.is_named_outside(action.text)
    if not is_known and spelled not in stimuli:
        message = f"no rule has the trigger '{spelled}'"
        code = "allium.surface.undefinedProvidesTrigger"
        # Specifications grow: in public ones the rule is often still to be written.
        yield Finding(action.start, Severity.WARNING, message, code)
