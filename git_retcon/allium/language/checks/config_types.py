"""The types of a config's defaults: of references to other modules, and of arithmetic."""

from collections.abc import Iterator, Mapping
from typing import Final

from git_retcon.allium.language.checks.scope import Scope, unwrap_type
from git_retcon.allium.language.declarations import Parameter
from git_retcon.allium.language.expressions import (
    Binary,
    Constant,
    Duration,
    Expression,
    Member,
    Name,
    Number,
    Qualified,
    Text,
    Unary,
)
from git_retcon.allium.language.findings import Finding, Severity

_INTEGER, _DECIMAL, _DURATION = "Integer", "Decimal", "Duration"
_KNOWN: Final = frozenset({_INTEGER, _DECIMAL, _DURATION, "String", "Boolean", "Timestamp"})
# The reference's table of type compatibility: left, operators, right, result.
_TABLE: Final = (
    (_INTEGER, "+-*/", _INTEGER, _INTEGER),
    (_DURATION, "+-", _DURATION, _DURATION),
    (_DURATION, "*/", _INTEGER, _DURATION),
    (_INTEGER, "*", _DURATION, _DURATION),
    (_DECIMAL, "+-*/", _DECIMAL, _DECIMAL),
    (_DECIMAL, "*/", _INTEGER, _DECIMAL),
    (_INTEGER, "*", _DECIMAL, _DECIMAL),
)
_RESULTS: Final[Mapping[tuple[str, str, str], str]] = {
    (left, operator, right): result
    for left, operators, right, result in _TABLE
    for operator in operators
}


def check_config_types(scope: Scope) -> Iterator[Finding]:
    """Every default of the module's own config, as far as its types are certain."""
    for parameter in scope.config.values():
        if parameter.default is None:
            continue
        yield from _check_arithmetic(scope, parameter.default)
        declared = _name_declared(parameter)
        if _is_reference(parameter.default):
            found = _name_type(scope, parameter.default)
            if found and declared and found != declared:
                message = f"'{parameter.name.text}' is {declared}, and what it refers to is {found}"
                code = "allium.config.typeMismatch"
                yield Finding(parameter.default.start, Severity.ERROR, message, code)


def _name_declared(parameter: Parameter) -> str:
    """The plain type that a parameter is declared with, "" for any other."""
    kind = unwrap_type(parameter.type) if parameter.type is not None else None
    return kind.text if isinstance(kind, Name) and kind.text in _KNOWN else ""


def _is_reference(value: Expression) -> bool:
    return isinstance(value, Member) and isinstance(value.target, Qualified)


def _name_type(scope: Scope, value: Expression) -> str:
    """The type of a default, "" where it is not certain."""
    # Operators are a chain to the left: without a stack, a long one would recurse too deep.
    operators: list[Binary] = []
    while isinstance(value, Binary):
        operators.append(value)
        value = value.left
    found = _name_operand(scope, value)
    for operation in reversed(operators):
        right = _name_operand(scope, operation.right)
        found = _RESULTS.get((found, operation.operator, right), "")
    return found


def _name_operand(scope: Scope, value: Expression) -> str:
    match value:
        case Number(value=digits):
            return _DECIMAL if "." in digits else _INTEGER
        case Duration():
            return _DURATION
        case Text():
            return "String"
        case Constant(word="true" | "false"):
            return "Boolean"
        case Unary(operator="-", operand=operand) if not isinstance(operand, Unary):
            return _name_operand(scope, operand)
        case Name(text=text) | Member(target=Name(text="config"), field=Name(text=text)):
            return _name_declared(scope.config[text]) if text in scope.config else ""
        case Member(target=Qualified(alias=Name(text=alias), name=Name(text="config")), field=name):
            target = scope.aliases.get(alias)
            found = target.config.get(name.text) if target is not None else None
            return _name_declared(found) if found is not None else ""
    return ""


def _check_arithmetic(scope: Scope, default: Expression) -> Iterator[Finding]:
    stack = [default]
    while stack:
        match stack.pop():
            case Unary(operand=operand):
                stack.append(operand)
            case Binary(operator=operator, left=left, right=right) as operation:
                stack.extend([right, left])
                types = _name_type(scope, left), _name_type(scope, right)
                if (
                    operator in "+-*/"
                    and all(types)
                    and (types[0], operator, types[1]) not in _RESULTS
                ):
                    message = f"'{operator}' takes no {types[0]} and {types[1]}"
                    code = "allium.config.typeMismatch"
                    yield Finding(operation.start, Severity.ERROR, message, code)
