"""Names that are declared twice where one must be meant."""

from collections.abc import Iterable, Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import (
    Annotation,
    Braced,
    Default,
    Derived,
    Field,
    Invariant,
    Literal,
    Parameter,
    Variant,
)
from git_retcon.allium.language.expressions import Alternatives, Name
from git_retcon.allium.language.findings import Finding, Severity

_TYPES = frozenset({"entity", "external entity", "value", "enum", "actor"})
# The language demands these to be unique; two types or rules of one name it accepts, and the first
# is meant.
_UNIQUE = frozenset({
    "config parameter", "given", "value", "default", "contract", "invariant", "guarantee",
})  # fmt: skip
_CODES = {
    "config parameter": "config.duplicateKey",
    "given": "context.duplicateBinding",
    "value": "enum.duplicateLiteral",
    "default": "default.duplicateName",
}


def check_uniqueness(scope: Scope) -> Iterator[Finding]:
    """Declarations of the file, then the items of each declaration."""
    seen: set[tuple[str, str]] = set()
    for part in scope.parts:
        found = part.declaration
        match found:
            case Braced(kind="config" | "given"):
                pass  # several may be written; their items count together, below
            case Braced(name=Name() as name, kind=kind):
                yield from _check_name(seen, "type" if kind in _TYPES else kind, name)
            case Variant(name=name):
                yield from _check_name(seen, "type", name)
            case Default(name=name) | Invariant(name=name):
                yield from _check_name(seen, type(found).__name__.lower(), name)
    yield from _check_shared_items(scope)
    for part in scope.parts:
        if isinstance(part.declaration, Braced | Variant):
            yield from _check_items(part.declaration)


def _check_name(seen: set[tuple[str, str]], kind: str, name: Name) -> Iterator[Finding]:
    if (kind, name.text) in seen:
        message = f"{kind} '{name.text}' is declared twice"
        severity = Severity.ERROR if kind in _UNIQUE else Severity.WARNING
        code = _CODES.get(kind, "declaration.duplicate")
        yield Finding(name.start, severity, message, f"allium.{code}")
    seen.add((kind, name.text))


def _check_shared_items(scope: Scope) -> Iterator[Finding]:
    """Parameters of the config and instances given: one set for the whole file."""
    seen: set[tuple[str, str]] = set()
    for part in scope.parts:
        match part.declaration:
            case Braced(kind="config", name=None, items=items):
                names = [item.name for item in items if isinstance(item, Parameter)]
                yield from _check_names(seen, "config parameter", names)
            case Braced(kind="given", items=items):
                names = [item.name for item in items if isinstance(item, Field)]
                yield from _check_names(seen, "given", names)


def _check_names(seen: set[tuple[str, str]], kind: str, names: Iterable[Name]) -> Iterator[Finding]:
    for name in names:
        yield from _check_name(seen, kind, name)


def _check_items(block: Braced | Variant) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    if isinstance(block, Braced) and block.kind == "enum" and block.name and not block.items:
        message = f"enum '{block.name.text}' has no values"
        yield Finding(block.name.start, Severity.WARNING, message, "allium.enum.empty")
    for item in block.items:
        if isinstance(item, Field) and isinstance(item.value, Alternatives):
            names = [name for name in item.value.items if isinstance(name, Name)]
            yield from _check_names(set(), "value", names)
        match item:
            case Field(name=name) if not (isinstance(block, Braced) and block.kind == "given"):
                yield from _check_name(seen, "field", name)
            case Derived(name=name):
                yield from _check_name(seen, "field", name)
            case Invariant(name=name) | Annotation(name=Name() as name):
                kind = item.kind if isinstance(item, Annotation) else "invariant"
                yield from _check_name(seen, kind, name)
            case Literal(start=start, end=end, text=text):
                yield from _check_name(seen, "value", Name(start, end, text))
