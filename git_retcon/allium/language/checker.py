"""All checks over a set of files, and what their authors asked not to hear."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from git_retcon.allium.language.checks.backticks import check_backticks
from git_retcon.allium.language.checks.collection_order import check_collection_order
from git_retcon.allium.language.checks.config_types import check_config_types
from git_retcon.allium.language.checks.configs import check_configs
from git_retcon.allium.language.checks.conflicts import check_conflicts
from git_retcon.allium.language.checks.contract_bodies import check_contract_bodies
from git_retcon.allium.language.checks.defaults import check_defaults
from git_retcon.allium.language.checks.derivations import check_derivations
from git_retcon.allium.language.checks.graphs import check_graphs
from git_retcon.allium.language.checks.lifecycles import check_lifecycles
from git_retcon.allium.language.checks.operands import check_operands
from git_retcon.allium.language.checks.present_fields import check_present_fields
from git_retcon.allium.language.checks.provided_triggers import check_provided_triggers
from git_retcon.allium.language.checks.references import check_references
from git_retcon.allium.language.checks.reminders import check_reminders
from git_retcon.allium.language.checks.rules import check_rules
from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.checks.states import check_states
from git_retcon.allium.language.checks.surface_paths import check_surface_paths
from git_retcon.allium.language.checks.surfaces import check_surfaces
from git_retcon.allium.language.checks.truth_values import check_truth_values
from git_retcon.allium.language.checks.uniqueness import check_uniqueness
from git_retcon.allium.language.checks.unused_names import check_unused_names
from git_retcon.allium.language.checks.uses import check_uses, link_scopes
from git_retcon.allium.language.checks.variables import check_variables
from git_retcon.allium.language.checks.variants import check_variants
from git_retcon.allium.language.document import Document, place_findings
from git_retcon.allium.language.findings import Diagnostic, Finding
from git_retcon.allium.language.parser.cursor import PARSE_ERROR, Comment

SILENCER: Final = "allium-ignore"  # all that the comments have in common
_CHECKS: Final[Sequence[Callable[[Scope], Iterator[Finding]]]] = (
    check_references,
    check_variants,
    check_graphs,
    check_states,
    check_variables,
    check_rules,
    check_surfaces,
    check_uniqueness,
    check_configs,
    check_conflicts,
    check_defaults,
    check_derivations,
    check_operands,
    check_surface_paths,
    check_backticks,
    check_collection_order,
    check_config_types,
    check_contract_bodies,
    check_lifecycles,
    check_present_fields,
    check_provided_triggers,
    check_truth_values,
    check_unused_names,
    check_reminders,
)


def check(documents: Iterable[Document], context: Iterable[Document] = ()) -> list[Diagnostic]:
    """What is wrong with these files, in their order, then by line; syntax errors are included.

    Files refer to each other by path. Those of ``context`` may be referred to but are not checked.
    A file with syntax errors is not looked at further: what it declares is not known.
    """
    documents = list(documents)
    readable = [found for found in (*context, *documents) if not _is_broken(found)]
    scopes = {found.path: Scope(found) for found in readable}
    broken = {found.path for found in (*context, *documents)} - scopes.keys()
    link_scopes(scopes)
    diagnostics: list[Diagnostic] = []
    for document in documents:
        found = list(document.diagnostics)
        if not _is_broken(document):
            scope = scopes[document.path]
            findings = [*check_uses(scope, scopes.keys() | broken)]
            for run in _CHECKS:
                findings.extend(run(scope))
            found += place_findings(document.path, document.source, findings)
        found.sort(key=lambda diagnostic: diagnostic[1:3])
        diagnostics.extend(_drop_ignored(document, found))
    return diagnostics


def _is_broken(document: Document) -> bool:
    return any(diagnostic.code == PARSE_ERROR for diagnostic in document.diagnostics)


def list_silencers(document: Document) -> list[Comment]:
    """The comments by which an author asked not to hear something."""
    return [each for each in document.comments if SILENCER in each.text]


def _drop_ignored(document: Document, found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """What ``-- allium-ignore code, code`` or ``all`` names, on the same line or the one above."""
    ignored: dict[int, set[str]] = {}
    for comment in list_silencers(document):
        match = _directive().fullmatch(comment.text)
        if match is not None:
            codes = {code.strip() for code in match[1].split(",")}
            ignored.setdefault(comment.line + 1, set()).update(codes)
    for diagnostic in found:
        codes = ignored.get(diagnostic.line, set()) | ignored.get(diagnostic.line - 1, set())
        if not codes & {"all", diagnostic.code}:
            yield diagnostic


@functools.cache
def _directive() -> re.Pattern[str]:
    return re.compile(r"--\s*allium-ignore\s+([A-Za-z0-9._,\- \t]+?)\s*")
