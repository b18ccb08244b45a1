"""What is no mistake but still to be done: questions, missing hints, entities without a source."""

from collections.abc import Collection, Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import Annotation, Braced, Deferred, OpenQuestion
from git_retcon.allium.language.document import list_entries, spell_path
from git_retcon.allium.language.findings import Finding, Severity

_HINTS = (b'"', b"http://", b"https://", b"-- see:")
# Comments above a declaration that say where it was read, or where more is said of it.
_CITATIONS = ("Source: ", "see:")


def check_reminders(scope: Scope) -> Iterator[Finding]:
    """Everything that the author should come back to."""
    cited = _list_cited(scope)
    for part in scope.parts:
        declaration = part.declaration
        for question in part.find(OpenQuestion):
            message = f"open question: {question.text.value}"
            yield Finding(question.start, Severity.WARNING, message, "allium.openQuestion.present")
        if isinstance(declaration, Deferred):
            yield from _check_hint(scope, declaration)
        elif isinstance(declaration, Braced):
            yield from _check_source(scope, declaration, cited)
            yield from _check_guidance(declaration)


def _check_hint(scope: Scope, deferred: Deferred) -> Iterator[Finding]:
    """A hint is a string, a web address, or a comment ``-- see: path``, on the same line."""
    data = scope.document.source.data
    rest = data[deferred.path.end :].partition(b"\n")[0]
    if not any(hint in rest for hint in _HINTS):
        path = spell_path(deferred.path)
        message = f"'{path}' is deferred without saying where it is; add '-- see: PATH'"
        code = "allium.deferred.missingLocationHint"
        yield Finding(deferred.start, Severity.WARNING, message, code)


def _list_cited(scope: Scope) -> frozenset[int]:
    """Where the declarations begin that cite something."""
    return frozenset(
        entry.start
        for entry in list_entries(scope.document)
        if any(comment.startswith(_CITATIONS) for comment in entry.comments)
    )


def _check_source(scope: Scope, block: Braced, cited: Collection[int]) -> Iterator[Finding]:
    """The language's own tool knows ``use`` alone. A citation says as much where the source has
    what no specification describes, such as a class of a library.
    """
    is_external = block.kind == "external entity" and block.name is not None
    if is_external and block.name is not None and not scope.uses and block.start not in cited:
        name = block.name.text
        message = f"external entity '{name}' has no 'use' or '-- see:' that says who specifies it"
        code = "allium.externalEntity.missingSourceHint"
        yield Finding(block.name.start, Severity.WARNING, message, code)


def _check_guidance(block: Braced) -> Iterator[Finding]:
    """``@guidance`` closes a declaration."""
    for item in block.items[:-1]:
        if isinstance(item, Annotation) and item.kind == "guidance":
            message = "'@guidance' comes after everything else in its block"
            code = "allium.annotation.guidanceNotLast"
            yield Finding(item.start, Severity.WARNING, message, code)
