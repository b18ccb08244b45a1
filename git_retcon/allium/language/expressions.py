"""The syntax tree of expressions: small immutable values, each with the bytes it covers.

``start`` and ``end`` are byte offsets, half open. Operators that work alike are one class with the
operator's spelling; what means something of its own (``where``, ``with``, ``->``) has a class.
"""

from typing import NamedTuple, TypeAlias, Union


class Name(NamedTuple):
    """An identifier; any keyword may be one."""

    start: int
    end: int
    text: str


class Text(NamedTuple):
    """``"..."``, without quotes and escapes. ``names`` are those interpolated in braces."""

    start: int
    end: int
    value: str
    names: tuple[str, ...]


class Quoted(NamedTuple):
    """A backtick literal: an enum value of another standard, byte for byte."""

    start: int
    end: int
    value: str


class Number(NamedTuple):
    start: int
    end: int
    value: str


class Duration(NamedTuple):
    """``24.hours``; the unit without its plural s."""

    start: int
    end: int
    amount: str
    unit: str


class Constant(NamedTuple):
    """``true``, ``false``, ``null``, ``now``, ``this`` or ``within``."""

    start: int
    end: int
    word: str


class Qualified(NamedTuple):
    """``alias/Name``: a name of an imported module."""

    start: int
    end: int
    alias: Name
    name: Name


class Argument(NamedTuple):
    """One value of a call or an object literal, with its name if it has one."""

    start: int
    end: int
    name: Name | None
    value: "Expression"


class Match(NamedTuple):
    """One field of a join lookup; without a value, the variable of the same name is meant."""

    start: int
    end: int
    name: Name
    value: "Expression | None"


class SetLiteral(NamedTuple):
    start: int
    end: int
    items: "tuple[Expression, ...]"


class ListLiteral(NamedTuple):
    start: int
    end: int
    items: "tuple[Expression, ...]"


class ObjectLiteral(NamedTuple):
    start: int
    end: int
    fields: tuple[Argument, ...]


class Generic(NamedTuple):
    """``Set<T>``."""

    start: int
    end: int
    base: "Expression"
    arguments: "tuple[Expression, ...]"


class Nullable(NamedTuple):
    """``T?``; in a trigger's parameters, one that may be left out."""

    start: int
    end: int
    type: "Expression"


class Member(NamedTuple):
    """``a.b`` or ``a?.b``."""

    start: int
    end: int
    target: "Expression"
    operator: str
    field: Name


class Call(NamedTuple):
    start: int
    end: int
    function: "Expression"
    arguments: tuple[Argument, ...]


class Lookup(NamedTuple):
    """``Entity{field, other: value}``: the one instance whose fields match."""

    start: int
    end: int
    entity: "Expression"
    matches: tuple[Match, ...]


class Unary(NamedTuple):
    """``not``, ``exists``, ``not exists`` or ``-``."""

    start: int
    end: int
    operator: str
    operand: "Expression"


class Binary(NamedTuple):
    """Arithmetic, comparison (``=`` also assigns), membership and ``??``."""

    start: int
    end: int
    operator: str
    left: "Expression"
    right: "Expression"


class Logical(NamedTuple):
    """``and``, ``or`` (two operands or more) and ``implies`` (two)."""

    start: int
    end: int
    operator: str
    operands: "tuple[Expression, ...]"


class Alternatives(NamedTuple):
    """``a | b | c``: an inline enum, or a discriminator's variants."""

    start: int
    end: int
    items: "tuple[Expression, ...]"


class Where(NamedTuple):
    """``source where condition``: selects from a collection."""

    start: int
    end: int
    source: "Expression"
    condition: "Expression"


class With(NamedTuple):
    """``Entity with field = this``: declares a relationship."""

    start: int
    end: int
    source: "Expression"
    condition: "Expression"


class Projection(NamedTuple):
    """``source -> field``; in a contract, ``(parameters) -> Type``."""

    start: int
    end: int
    source: "Expression"
    target: "Expression"


class Transition(NamedTuple):
    """``Entity.status transitions_to state`` or ``becomes state``."""

    start: int
    end: int
    operator: str
    subject: "Expression"
    state: "Expression"


class Guarded(NamedTuple):
    """``action when condition``."""

    start: int
    end: int
    action: "Expression"
    condition: "Expression"


class Lambda(NamedTuple):
    start: int
    end: int
    parameter: "Expression"
    body: "Expression"


class Branch(NamedTuple):
    """One condition of an ``if`` and what holds then."""

    start: int
    end: int
    condition: "Expression"
    body: "Expression"


class Conditional(NamedTuple):
    start: int
    end: int
    branches: tuple[Branch, ...]
    otherwise: "Expression | None"


class Loop(NamedTuple):
    """``for x in collection where condition: body``."""

    start: int
    end: int
    bindings: tuple[Name, ...]
    collection: "Expression"
    condition: "Expression | None"
    body: "Expression"


class Binding(NamedTuple):
    """``name: expression``, where a clause binds a name."""

    start: int
    end: int
    name: Name
    value: "Expression"


class Parameters(NamedTuple):
    """``(a: T, b: T)`` of a contract's operation."""

    start: int
    end: int
    items: tuple[Binding, ...]


class Let(NamedTuple):
    """``let name = value``."""

    start: int
    end: int
    name: Name
    value: "Expression"


class Block(NamedTuple):
    """The expressions of an indented block, unless it is exactly one."""

    start: int
    end: int
    items: "tuple[Expression, ...]"


Expression: TypeAlias = Union[  # noqa: UP007 -- a union of forward references reads better so
    Name, Text, Quoted, Number, Duration, Constant, Qualified, SetLiteral, ListLiteral,
    ObjectLiteral, Generic, Nullable, Member, Call, Lookup, Unary, Binary, Logical, Alternatives,
    Where, With, Projection, Transition, Guarded, Lambda, Conditional, Loop, Binding, Parameters,
    Let, Block,
]  # fmt: skip
