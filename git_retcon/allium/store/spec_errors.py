"""The errors of one specification by what they are about, so that two versions can be compared."""

from typing import NamedTuple

from git_retcon.allium.language import Diagnostic, check, is_error, parse
from git_retcon.allium.store.module_text import DeclarationKey, cut_document

# A warning of the checker: of two, only the first is meant, so that the other is lost.
_DUPLICATE = "allium.declaration.duplicate"


class SpecError(NamedTuple):
    """What ``check`` says of a declaration; ``key`` is None at the top of the file."""

    key: DeclarationKey | None
    code: str
    message: str


def list_errors(content: bytes) -> frozenset[SpecError]:
    """The errors of a specification by itself: other modules are not there."""
    document = parse(content)
    errors = [each for each in check([document]) if _is_wrong(each)]
    if not errors:
        return frozenset()
    starts: list[tuple[int, DeclarationKey]] = []
    at = 0
    for each in cut_document(document).declarations:
        at = content.index(each.text, at)
        starts.append((document.source.line_at(at), each.key))
        at += len(each.text)
    return frozenset(
        SpecError(
            next((key for line, key in reversed(starts) if line <= error.line), None),
            error.code,
            error.message,
        )
        for error in errors
    )


def _is_wrong(diagnostic: Diagnostic) -> bool:
    return is_error(diagnostic) or diagnostic.code == _DUPLICATE
