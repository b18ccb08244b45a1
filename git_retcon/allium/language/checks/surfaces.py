"""Surfaces: the parties, contracts, surfaces and rules that they name."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.checks.surface_entries import list_entry_names
from git_retcon.allium.language.checks.trigger_use import Form, list_triggers
from git_retcon.allium.language.declarations import Clause, Contracts
from git_retcon.allium.language.document import spell_path
from git_retcon.allium.language.expressions import Binding, Name, Qualified, Where
from git_retcon.allium.language.findings import Finding, Severity


def check_surfaces(scope: Scope) -> Iterator[Finding]:
    """Every surface against what the file declares."""
    temporal = {
        rule.name.text
        for rule, _ in scope.find_braced("rule")
        if rule.name is not None
        and any(found.form is Form.CONDITION for found in list_triggers(rule))
    }
    for surface, _ in scope.find_braced("surface"):
        for item in surface.items:
            if isinstance(item, Contracts):
                yield from _check_contracts(scope, item)
            elif isinstance(item, Clause) and item.keyword in ("facing", "context"):
                yield from _check_party(scope, item)
            elif isinstance(item, Clause) and item.keyword == "related":
                yield from _check_related(scope, item)
            elif isinstance(item, Clause) and item.keyword == "timeout":
                yield from _check_timeout(scope, item, temporal)


def _check_party(scope: Scope, clause: Clause) -> Iterator[Finding]:
    value = clause.value.value if isinstance(clause.value, Binding) else clause.value
    value = value.source if isinstance(value, Where) else value
    if isinstance(value, Name) and value.text[0].isupper() and not scope.knows_type(value.text):
        kind, code = ("actor or entity", "undefinedActor")
        if clause.keyword == "context":
            kind, code = ("entity", "undefinedContext")
        message = f"no {kind} '{value.text}' is declared here or imported"
        yield Finding(value.start, Severity.ERROR, message, f"allium.surface.{code}")


def _check_contracts(scope: Scope, item: Contracts) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for entry in item.entries:
        is_imported = isinstance(entry.contract, Qualified)
        name = entry.contract.name if isinstance(entry.contract, Qualified) else entry.contract
        # An imported contract is checked with the file that it is imported from.
        if not is_imported and name.text not in scope.names["contract"]:
            message = f"no contract '{name.text}' is declared here or imported"
            code = "allium.surface.undefinedContract"
            yield Finding(name.start, Severity.ERROR, message, code)
        spelled = spell_path(entry.contract)
        first = seen.get(name.text)
        if first not in (None, spelled):
            message = f"'{spelled}' and '{first}' are two contracts of one name in this surface"
            code = "allium.surface.contractNameClash"
            yield Finding(name.start, Severity.ERROR, message, code)
        elif first is not None:
            message = f"contract '{name.text}' is named twice in this surface"
            code = "allium.surface.duplicateContract"
            yield Finding(name.start, Severity.ERROR, message, code)
        seen.setdefault(name.text, spelled)


def _list_local_names(clause: Clause) -> Iterator[Name]:
    """Those of the entries that this file has to declare."""
    return (name for name in list_entry_names(clause.value) if isinstance(name, Name))


def _check_related(scope: Scope, clause: Clause) -> Iterator[Finding]:
    for name in _list_local_names(clause):
        if name.text not in scope.names["surface"]:
            message = f"no surface '{name.text}' is declared here"
            code = "allium.surface.relatedUndefined"
            yield Finding(name.start, Severity.ERROR, message, code)


def _check_timeout(scope: Scope, clause: Clause, temporal: set[str]) -> Iterator[Finding]:
    for name in _list_local_names(clause):
        if name.text not in temporal:
            known = name.text in scope.names["rule"]
            problem = "does not fire by time" if known else "is not declared here"
            message = f"rule '{name.text}' {problem}"
            code = "allium.surface.timeoutUndefined"
            yield Finding(name.start, Severity.WARNING, message, code)
