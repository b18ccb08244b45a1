"""Where an order is lost: what ``+``, ``-`` and ``.unique`` make of a list has none."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.language.checks.effects import find_owners, read_effects
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
        variables = _list_owners(scope, part)
        for member in part.find(Member):
            if member.field.text in ("first", "last"):
                yield from _check_access(variables, member)
        if variables and isinstance(part.declaration, Braced) and part.declaration.kind == "rule":
            for assignment in part.find(Binary):
                yield from _check_assignment(variables, assignment)


def _list_owners(scope: Scope, part: Part) -> dict[str, Shape]:
    """The entity of each variable that is certain; of "" and ``this``, the one around."""
    block = part.declaration
    if isinstance(block, Braced) and block.kind == "rule":
        found = find_owners(scope, block, read_effects(block))
        return {name: owner.shape for name, owner in found.items() if owner.is_certain}
    if isinstance(block, Braced | Variant) and block.name is not None:
        shape = scope.shapes.get(block.name.text)
        return {"": shape} if shape is not None else {}
    return {}


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
