"""What is on both sides of an operator, in lists, and what is asked of collections."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.language.checks.scope import Part, Scope, Shape, unwrap_type
from git_retcon.allium.language.checks.variants import list_variable_types
from git_retcon.allium.language.declarations import Braced, Field
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Call,
    Constant,
    Duration,
    Expression,
    Generic,
    ListLiteral,
    Member,
    Name,
    Number,
    Quoted,
    Text,
)
from git_retcon.allium.language.findings import Finding, Severity

_ORDERED = frozenset({"<", "<=", ">", ">="})
_ARITHMETIC = frozenset("+-*/")


def check_operands(scope: Scope) -> Iterator[Finding]:
    """Every operation of the file whose operands are certain."""
    for part in scope.parts:
        for operation in part.find(Binary):
            yield from _check_types(operation)
        for call in part.find(Call):
            yield from _check_lambda(call)
        for found in part.find(ListLiteral):
            yield from _check_elements(found)
        yield from _check_inline_enums(scope, part)
        yield from _check_order(scope, part)


def _name_kind(value: Expression) -> str:
    """The kind of a literal, "" for anything else."""
    match value:
        case Text():
            return "string"
        case Number():
            return "number"
        case Duration():
            return "duration"
        case Quoted():
            return "enum value"
        case Constant(word="true" | "false"):
            return "boolean"
    return ""


def _check_types(operation: Binary) -> Iterator[Finding]:
    left, right = _name_kind(operation.left), _name_kind(operation.right)
    operator = operation.operator
    message = ""
    if "enum value" in (left, right) and operator in _ARITHMETIC:
        message = f"'{operator}' counts with an enum value"
    elif "string" in (left, right) and operator in _ORDERED | _ARITHMETIC - {"+"}:
        message = f"'{operator}' does not apply to a string"
    elif "boolean" in (left, right) and operator in _ORDERED | _ARITHMETIC:
        message = f"'{operator}' does not apply to a Boolean"
    elif left and right and left != right and operator in {"=", "!=", "+", "-", *_ORDERED}:
        message = f"'{operator}' takes a {left} and a {right}"
    if message:
        code = "allium.expression.typeMismatch"
        yield Finding(operation.start, Severity.ERROR, message, code)


def _check_lambda(call: Call) -> Iterator[Finding]:
    match call.function:
        case Member(field=Name(text="any" | "all" as operator)) if len(call.arguments) == 1:
            value = call.arguments[0].value
            if isinstance(value, Name | Member):
                message = f"'.{operator}()' takes a lambda: write 'item => item.field'"
                code = "allium.expression.implicitLambda"
                yield Finding(value.start, Severity.ERROR, message, code)


def _check_elements(found: ListLiteral) -> Iterator[Finding]:
    kinds = list(dict.fromkeys(kind for item in found.items if (kind := _name_kind(item))))
    if len(kinds) > 1:
        message = f"the list has a {kinds[0]} and a {kinds[1]}"
        yield Finding(found.start, Severity.ERROR, message, "allium.list.mixedElementTypes")


def _check_inline_enums(scope: Scope, part: Part) -> Iterator[Finding]:
    """Two inline enums are two types, even where their values are spelled the same."""
    block = part.declaration
    own = scope.shapes.get(block.name.text) if isinstance(block, Braced) and block.name else None
    types = list_variable_types(block) if isinstance(block, Braced) and block.kind == "rule" else {}
    for operation in part.find(Binary):
        if operation.operator not in ("=", "!="):
            continue
        left, right = (
            _find_field(scope, own, types, side) for side in (operation.left, operation.right)
        )
        if left is None or right is None or left is right or not _is_compared(part, operation):
            continue
        if all(isinstance(unwrap_type(field.value), Alternatives) for field in (left, right)):
            message = (
                f"'{left.name.text}' and '{right.name.text}' are inline enums, which cannot be "
                "compared; declare one 'enum' for both"
            )
            code = "allium.expression.inlineEnumComparison"
            yield Finding(operation.start, Severity.ERROR, message, code)


def _is_compared(part: Part, operation: Binary) -> bool:
    """``=`` in an effect assigns; it is certainly a comparison outside of rules."""
    is_rule = isinstance(part.declaration, Braced) and part.declaration.kind == "rule"
    return operation.operator == "!=" or not is_rule


def _find_field(
    scope: Scope, own: Shape | None, types: Mapping[str, str], value: Expression
) -> Field | None:
    match value:
        case Name(text=text) if own is not None:
            return own.fields.get(text)
        case Member(target=Name(text=variable), field=Name(text=text)):
            shape = scope.shapes.get(types.get(variable, ""))
            return shape.fields.get(text) if shape is not None else None
    return None


def _check_order(scope: Scope, part: Part) -> Iterator[Finding]:
    """``.first`` and ``.last`` of a field that is a ``Set``, in the entity that declares it."""
    block = part.declaration
    own = scope.shapes.get(block.name.text) if isinstance(block, Braced) and block.name else None
    for member in part.find(Member):
        if own is None or member.field.text not in ("first", "last"):
            continue
        field = _find_field(scope, own, {}, member.target)
        kind = unwrap_type(field.value) if field is not None else None
        if isinstance(kind, Generic) and isinstance(kind.base, Name) and kind.base.text == "Set":
            message = f"a Set has no order, so '.{member.field.text}' may be any of it"
            code = "allium.expression.unorderedAccess"
            yield Finding(member.field.start, Severity.WARNING, message, code)
