"""Invariants say what is true: an expression that is no condition says nothing."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope, Shape, unwrap_type
from git_retcon.allium.language.declarations import Braced, Invariant, Variant
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Block,
    Conditional,
    Constant,
    Duration,
    Expression,
    Generic,
    Let,
    ListLiteral,
    Logical,
    Loop,
    Member,
    Name,
    Number,
    ObjectLiteral,
    Quoted,
    SetLiteral,
    Text,
    Unary,
)
from git_retcon.allium.language.findings import Finding, Severity

_ARITHMETIC = frozenset("+-*/")
_NO_TRUTH = frozenset({"String", "Integer", "Decimal", "Timestamp", "Duration"})


def check_truth_values(scope: Scope) -> Iterator[Finding]:
    """Every invariant, of the module and of its entities."""
    for part in scope.parts:
        block = part.declaration
        name = block.name if isinstance(block, Braced | Variant) else None
        shape = scope.shapes.get(name.text) if name is not None else None
        for invariant in part.find(Invariant):
            for value in _list_claims(invariant.body):
                if kind := _name_kind(shape, value):
                    message = f"invariant '{invariant.name.text}' is {kind}, and not true or false"
                    code = "allium.invariant.notBoolean"
                    yield Finding(value.start, Severity.ERROR, message, code)


def _list_claims(body: Expression) -> Iterator[Expression]:
    """The expressions of which each must be true or false."""
    stack: list[Expression] = [body]
    while stack:
        match stack.pop():
            case Block(items=items):
                # Each line of a block is claimed; a let only names a value.
                stack.extend(item for item in reversed(items) if not isinstance(item, Let))
            case Loop(body=inner):
                stack.append(inner)
            case Logical(operands=operands):
                stack.extend(reversed(operands))
            case Unary(operator="not", operand=operand):
                stack.append(operand)
            case Conditional(branches=branches, otherwise=otherwise):
                stack.extend([otherwise] if otherwise is not None else [])
                stack.extend(branch.body for branch in reversed(branches))
            case value:
                yield value


def _name_kind(shape: Shape | None, value: Expression) -> str:
    """What an expression certainly is instead of a condition, "" otherwise."""
    match value:
        case Number() | Duration() | Text() | Quoted() | Constant(word="null"):
            return "a value"
        case SetLiteral() | ListLiteral() | ObjectLiteral():
            return "a collection"
        case Binary(operator=operator) if operator in _ARITHMETIC:
            return "a calculation"
        case Unary(operator="-"):
            return "a calculation"
        case Name(text=text) | Member(target=Constant(word="this"), field=Name(text=text)):
            return _name_field_kind(shape, text)
        case Member(field=Name(text="count")):
            return "a count"
    return ""


def _name_field_kind(shape: Shape | None, name: str) -> str:
    field = shape.fields.get(name) if shape is not None else None
    kind = unwrap_type(field.value) if field is not None else None
    if isinstance(kind, Alternatives | Generic):
        return f"the field '{name}'"
    if isinstance(kind, Name) and kind.text in _NO_TRUTH:
        return f"the {kind.text} '{name}'"
    return ""
