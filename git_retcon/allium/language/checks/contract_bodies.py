"""What is in the braces of a contract: typed signatures and annotations, nothing else."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import (
    Annotation,
    Braced,
    Field,
    Item,
    OpenQuestion,
)
from git_retcon.allium.language.expressions import (
    Expression,
    Generic,
    Name,
    Nullable,
    Parameters,
    Projection,
)
from git_retcon.allium.language.findings import Finding, Severity

_ANNOTATIONS = frozenset({"invariant", "guidance"})


def check_contract_bodies(scope: Scope) -> Iterator[Finding]:
    """Every contract of the file."""
    for contract, _ in scope.find_braced("contract"):
        for item in contract.items:
            yield from _check_item(contract, item)
            if isinstance(item, Field) and isinstance(item.value, Projection):
                yield from _check_signature(scope, item.value)


def _check_item(contract: Braced, item: Item) -> Iterator[Finding]:
    match item:
        case Field(value=Projection(source=Parameters())) | OpenQuestion():
            return
        case Annotation(kind=kind) if kind in _ANNOTATIONS:
            return
    name = contract.name.text if contract.name else ""
    message = (
        f"the contract '{name}' has only signatures, 'name: (parameter: Type) -> Type', "
        "'@invariant' and '@guidance'"
    )
    # A field may be meant as an operation without parameters; a clause can mean nothing here.
    severity = Severity.WARNING if isinstance(item, Field) else Severity.ERROR
    yield Finding(item.start, severity, message, "allium.contract.invalidItem")


def _check_signature(scope: Scope, signature: Projection) -> Iterator[Finding]:
    """Types that the implementer brings along, such as ``ByteArray``, are declared nowhere.

    The language's own examples have them, so they are no mistakes.
    """
    for name in _list_types(signature):
        if name.text[0].isupper() and not scope.knows_type(name.text):
            message = f"type '{name.text}' is not declared here and not imported"
            yield Finding(name.start, Severity.INFO, message, "allium.contract.undeclaredType")


def _list_types(signature: Projection) -> Iterator[Name]:
    stack: list[Expression] = [signature.target]
    if isinstance(signature.source, Parameters):
        stack.extend(parameter.value for parameter in reversed(signature.source.items))
    while stack:
        match stack.pop():
            case Name() as name:
                yield name
            case Nullable(type=inner):
                stack.append(inner)
            case Generic(base=base, arguments=arguments):
                stack.extend([*reversed(arguments), base])
