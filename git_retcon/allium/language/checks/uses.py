"""``use`` declarations, and names with an alias before them."""

import posixpath
from collections.abc import Container, Iterator, Mapping

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import Braced, Use
from git_retcon.allium.language.expressions import Name, Qualified
from git_retcon.allium.language.findings import Finding, Severity


def link_scopes(scopes: Mapping[bytes, Scope]) -> None:
    """Let every alias lead to the file that its path names, where that file is known."""
    for scope in scopes.values():
        for use in scope.uses:
            if use.alias is not None:
                target = scopes.get(resolve_path(scope.document.path, use))
                scope.aliases.setdefault(use.alias.text, target)
                if target is not None:
                    target.importers.append(scope)


def resolve_path(file: bytes, use: Use) -> bytes:
    """The path of an imported file, below the root that all files share."""
    folder = posixpath.dirname(file)
    return posixpath.normpath(posixpath.join(folder, use.path.value.encode()))


def check_uses(scope: Scope, known: Container[bytes]) -> Iterator[Finding]:
    """Paths without a file, aliases given twice, aliases and names that are not there."""
    seen: dict[str, str] = {}
    for use in scope.uses:
        # A coordinate (host/owner/name/commit) names a file that is nowhere here.
        is_local = use.path.value.endswith(".allium")
        if is_local and resolve_path(scope.document.path, use) not in known:
            message = f'no file is at the path "{use.path.value}"'
            yield Finding(use.path.start, Severity.WARNING, message, "allium.use.unresolvedPath")
        if use.alias is not None:
            path = seen.setdefault(use.alias.text, use.path.value)
            if path != use.path.value:
                message = f"the alias '{use.alias.text}' already means \"{path}\""
                code = "allium.use.duplicateAlias"
                yield Finding(use.alias.start, Severity.ERROR, message, code)
    yield from _check_aliases(scope)


def _check_aliases(scope: Scope) -> Iterator[Finding]:
    for part in scope.parts:
        match part.declaration:
            case Braced(kind="config", start=start, name=Name(text=alias)):
                if alias not in scope.aliases:
                    yield _report_alias(start, alias)
        for reference in part.find(Qualified):
            alias, name = reference.alias.text, reference.name.text
            if alias not in scope.aliases:
                yield _report_alias(reference.start, alias)
                continue
            target = scope.aliases[alias]
            if target is not None and not target.offers(name):
                message = f"'{alias}' declares no '{name}'"
                code = "allium.reference.unknownName"
                yield Finding(reference.start, Severity.WARNING, message, code)


def _report_alias(offset: int, alias: str) -> Finding:
    message = f"no 'use' declares the alias '{alias}'"
    return Finding(offset, Severity.ERROR, message, "allium.reference.undefinedImportedAlias")
