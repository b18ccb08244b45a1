"""The fields that a default sets, against those of its type."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope, Shape, unwrap_type
from git_retcon.allium.language.declarations import Default, Field
from git_retcon.allium.language.expressions import (
    Argument,
    ListLiteral,
    Name,
    ObjectLiteral,
)
from git_retcon.allium.language.findings import Finding, Severity

_PLAIN = frozenset({"String", "Integer", "Decimal", "Boolean", "Timestamp", "Duration"})


def check_defaults(scope: Scope) -> Iterator[Finding]:
    """Every default whose type this file declares."""
    for part in scope.parts:
        match part.declaration:
            case Default(type=Name(text=text), value=ObjectLiteral(fields=fields)):
                shape = scope.shapes.get(text)
                # What a variant has from a base in another file is not known.
                if shape is not None and (not shape.base or shape.base in scope.shapes):
                    for field in fields:
                        yield from _check_field(scope, shape, field)


def _check_field(scope: Scope, shape: Shape, given: Argument) -> Iterator[Finding]:
    if given.name is None:
        return
    base = scope.shapes.get(shape.base)
    name = given.name.text
    field = shape.fields.get(name) or (base.fields.get(name) if base else None)
    if field is None:
        message = f"'{shape.name.text}' has no field '{name}'"
        yield Finding(given.name.start, Severity.ERROR, message, "allium.default.unknownField")
    elif isinstance(given.value, ListLiteral) and not given.value.items and not _is_list(field):
        message = f"'{shape.name.text}.{name}' is no list, so '[]' says nothing"
        code = "allium.list.emptyListNoElementType"
        yield Finding(given.value.start, Severity.ERROR, message, code)


def _is_list(field: Field) -> bool:
    """Whether ``[]`` may be its value: all but a field of one plain type may."""
    kind = unwrap_type(field.value)
    return not isinstance(kind, Name) or kind.text not in _PLAIN
