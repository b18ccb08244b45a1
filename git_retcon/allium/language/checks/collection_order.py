"""Where an order is lost: what ``+``, ``-`` and ``.unique`` make of a list has none."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.language.checks.effects import read_conducts
from git_retcon.allium.language.checks.scope import Part, Scope, Shape, unwrap_type
from git_retcon.allium.language.declarations import Braced, Variant
from git_retcon.allium.language.expressions import (
    Binary,
    Constant,
    Expression,
    Generic,
    ListLiteral,
    Member,
    Name,
)
from git_retcon.allium.language.findings import Finding, Severity

_ORDERED = frozenset({"List", "Sequence"})


def check_collection_order(scope: Scope) -> Iterator[Finding]:
    """``.first`` and ``.last`` of what has lost its order, and lists that are set to it."""
    for part in scope.parts:
        block = part.declaration
        named = block.name if isinstance(block, Braced | Variant) else None
        shape = scope.shapes.get(named.text) if named is not None else None
        yield from _check_accesses({"": shape} if shape is not None else {}, part)
    for conduct in read_conducts(scope):
        certain = {n: owner.shape for n, owner in conduct.owners.items() if owner.is_certain}
        yield from _check_accesses(certain, conduct.part)
        for assignment in conduct.part.find(Binary) if certain else ():
            yield from _check_assignment(certain, assignment)


def _check_accesses(variables: Mapping[str, Shape], part: Part) -> Iterator[Finding]:
    """``variables`` are the entities of those that are certain; of "", the one around."""
    for member in part.find(Member) if variables else ():
        if member.field.text in ("first", "last"):
            yield from _check_access(variables, member)


def _is_ordered(variables: Mapping[str, Shape], value: Expression) -> bool:
    """Whether a value is a list for certain."""
    match value:
        case ListLiteral():
            return True
        case Name(text=text) | Member(target=Constant(word="this"), field=Name(text=text)):
            shape = variables.get("")
        case Member(target=Name(text=variable), field=Name(text=text)):
            shape = variables.get(variable)
        case _:
            return False
    field = shape.fields.get(text) if shape is not None else None
    kind = unwrap_type(field.value) if field is not None else None
    return isinstance(kind, Generic) and isinstance(kind.base, Name) and kind.base.text in _ORDERED


def _name_loss(variables: Mapping[str, Shape], value: Expression) -> str:
    """What takes the order away from a value, "" where nothing certainly does."""
    match value:
        case Member(field=Name(text="unique")):
            return ".unique"
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            if any(_is_ordered(variables, side) for side in (left, right)):
                return operator
    return ""


def _check_access(variables: Mapping[str, Shape], member: Member) -> Iterator[Finding]:
    loss = _name_loss(variables, member.target)
    if loss:
        message = f"'{loss}' makes a Set, which has no order for '.{member.field.text}'"
        # The reference: set arithmetic is an error, ".first" of a Set only a warning yet.
        severity = Severity.WARNING if loss == ".unique" else Severity.ERROR
        code = "allium.expression.unorderedAccess"
        yield Finding(member.field.start, severity, message, code)


def _check_assignment(variables: Mapping[str, Shape], assignment: Binary) -> Iterator[Finding]:
    if assignment.operator != "=" or not _is_ordered(variables, assignment.left):
        return
    loss = _name_loss(variables, assignment.right)
    if loss:
        message = f"'{loss}' makes a Set, which has no order for a list"
        code = "allium.expression.unorderedValue"
        yield Finding(assignment.right.start, Severity.ERROR, message, code)
