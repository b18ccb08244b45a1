"""The errors of one specification by what they are about, so that two versions can be compared."""

from typing import NamedTuple

from git_retcon.allium.language import Diagnostic, Document, check, is_error, parse
from git_retcon.allium.store.module_text import DeclarationKey, DeclarationText, cut_document

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
    found: set[SpecError] = set()
    for each in errors:
        declaration = find_declaration(document, each.line)
        key = declaration.key if declaration is not None else None
        found.add(SpecError(key, each.code, each.message))
    return frozenset(found)


def find_declaration(document: Document, line: int) -> DeclarationText | None:
    """The declaration that a line is in; None for the top of the file."""
    last = None
    at = 0
    for each in cut_document(document).declarations:
        at = document.source.data.index(each.text, at)
        if document.source.line_at(at) > line:
            break
        last = each
        at += len(each.text)
    return last


def _is_wrong(diagnostic: Diagnostic) -> bool:
    return is_error(diagnostic) or diagnostic.code == _DUPLICATE
