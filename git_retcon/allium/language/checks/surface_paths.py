"""What a surface shows: paths from its bindings, and the collections that it goes through."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope, Shape, unwrap_type
from git_retcon.allium.language.declarations import Braced, Clause, Reverse
from git_retcon.allium.language.expressions import (
    Binding,
    Loop,
    Member,
    Name,
    Where,
)
from git_retcon.allium.language.findings import Finding, Severity

_PLAIN = frozenset({"String", "Integer", "Decimal", "Boolean", "Timestamp", "Duration"})
# What every collection and every entity answers to.
_ALWAYS = frozenset({"count", "any", "all", "first", "last", "unique", "add", "remove", "created"})


def check_surface_paths(scope: Scope) -> Iterator[Finding]:
    """Every surface, as far as the types of its bindings are declared in this file."""
    for surface, part in scope.find_braced("surface"):
        bindings = dict(_list_bindings(scope, surface))
        for member in part.find(Member):
            yield from _check_path(scope, bindings, member)
        for loop in part.find(Loop):
            yield from _check_collection(bindings, loop)


def _list_bindings(scope: Scope, surface: Braced) -> Iterator[tuple[str, Shape]]:
    for item in surface.items:
        if not isinstance(item, Clause) or item.keyword not in ("facing", "context"):
            continue
        match item.value:
            case Binding(name=name, value=value):
                source = value.source if isinstance(value, Where) else value
                shape = scope.shapes.get(source.text) if isinstance(source, Name) else None
                if shape is not None and not _is_open(scope, shape):
                    yield name.text, shape


def _is_open(scope: Scope, shape: Shape) -> bool:
    """Whether it may have fields that are declared elsewhere: in variants, a base, other blocks."""
    reverse = any(part.find(Reverse) for part in scope.parts)
    return bool(shape.discriminators or shape.base or reverse or shape.kind == "external entity")


def _check_path(scope: Scope, bindings: dict[str, Shape], member: Member) -> Iterator[Finding]:
    """The first field after a binding."""
    if not isinstance(member.target, Name) or member.target.text not in bindings:
        return
    shape = bindings[member.target.text]
    name = member.field.text
    if name in _ALWAYS or name in _list_members(scope, shape):
        return
    message = f"'{shape.name.text}' has no field '{name}'"
    yield Finding(member.field.start, Severity.ERROR, message, "allium.surface.undefinedPath")


def _list_members(scope: Scope, shape: Shape) -> set[str]:
    """The names of all items of an entity: fields, derived values with parameters, and others."""
    names = (getattr(item, "name", None) for item in scope.types[shape.name.text].items)
    return {name.text for name in names if isinstance(name, Name)}


def _check_collection(bindings: dict[str, Shape], loop: Loop) -> Iterator[Finding]:
    match loop.collection:
        case Member(target=Name(text=variable), field=Name(text=text)) if variable in bindings:
            field = bindings[variable].fields.get(text)
            kind = unwrap_type(field.value) if field is not None else None
            if isinstance(kind, Name) and kind.text in _PLAIN:
                message = f"'{variable}.{text}' is no collection"
                code = "allium.surface.nonCollectionIteration"
                yield Finding(loop.collection.start, Severity.ERROR, message, code)
