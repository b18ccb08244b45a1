"""The syntax tree above expressions: declarations, and the items in their braces."""

from typing import NamedTuple, TypeAlias, Union

from git_retcon.allium.language.expressions import (
    Block,
    Expression,
    Let,
    Member,
    Name,
    Qualified,
    Quoted,
    Text,
)


class Clause(NamedTuple):
    """``keyword: value``; of ``facing`` and ``context`` the value is a binding."""

    start: int
    end: int
    keyword: str
    value: Expression


class Presence(NamedTuple):
    """``when status = shipped | delivered`` after a field's type: when the field exists."""

    start: int
    end: int
    field: Name
    states: tuple[Name | Quoted, ...]

    @property
    def values(self) -> frozenset[str]:
        """The states as text."""
        return frozenset(
            state.value if isinstance(state, Quoted) else state.text for state in self.states
        )


class Field(NamedTuple):
    """``name: value``: a field, relationship, projection, derived value or operation."""

    start: int
    end: int
    name: Name
    value: Expression
    presence: Presence | None


class Parameter(NamedTuple):
    """``name: Type = default`` of a config; in ``alias/config`` without a type."""

    start: int
    end: int
    name: Name
    type: Expression | None
    default: Expression | None


class Derived(NamedTuple):
    """``name(parameters): value``."""

    start: int
    end: int
    name: Name
    parameters: tuple[Name, ...]
    value: Expression


class Reverse(NamedTuple):
    """``Entity.field: value``: a field declared from the other side."""

    start: int
    end: int
    path: Member
    value: Expression


class ItemLoop(NamedTuple):
    """``for x in collection where condition:`` over items."""

    start: int
    end: int
    bindings: tuple[Name, ...]
    collection: Expression
    condition: Expression | None
    items: "tuple[Item, ...]"


class ItemBranch(NamedTuple):
    start: int
    end: int
    condition: Expression
    items: "tuple[Item, ...]"


class ItemConditional(NamedTuple):
    """``if``, ``else if`` and ``else`` over items; ``otherwise`` is None without ``else``."""

    start: int
    end: int
    branches: tuple[ItemBranch, ...]
    otherwise: "tuple[Item, ...] | None"


class Obligation(NamedTuple):
    """``demands Contract`` or ``fulfils alias/Contract``."""

    start: int
    end: int
    direction: str
    contract: Name | Qualified


class Contracts(NamedTuple):
    """The ``contracts:`` clause of a surface."""

    start: int
    end: int
    entries: tuple[Obligation, ...]


class Annotation(NamedTuple):
    """``@invariant``, ``@guarantee`` or ``@guidance`` and the comment lines below it."""

    start: int
    end: int
    kind: str
    name: Name | None
    prose: tuple[str, ...]


class Edge(NamedTuple):
    start: int
    end: int
    source: Name
    target: Name


class Transitions(NamedTuple):
    """``transitions field { a -> b  terminal: c }``."""

    start: int
    end: int
    field: Name
    edges: tuple[Edge, ...]
    terminal: tuple[Name, ...]


class Literal(NamedTuple):
    """One value of an enum; ``is_quoted`` where it is written in backticks."""

    start: int
    end: int
    text: str
    is_quoted: bool


class OpenQuestion(NamedTuple):
    start: int
    end: int
    text: Text


class Invariant(NamedTuple):
    """``invariant Name { expression }``, at the top or in an entity."""

    start: int
    end: int
    name: Name
    body: Block


class Unreadable(NamedTuple):
    """What the parser could make no sense of, and said so."""

    start: int
    end: int


Item: TypeAlias = Union[  # noqa: UP007 -- a union of forward references reads better so
    Clause, Field, Parameter, Derived, Reverse, Let, ItemLoop, ItemConditional, Contracts,
    Annotation, Transitions, Literal, OpenQuestion, Invariant, Unreadable,
]  # fmt: skip


class Use(NamedTuple):
    """``use "path" as alias``."""

    start: int
    end: int
    path: Text
    alias: Name | None


class Braced(NamedTuple):
    """``keyword Name { items }``.

    ``kind`` is ``entity``, ``external entity``, ``value``, ``enum``, ``rule``, ``surface``,
    ``actor``, ``contract``, ``given`` or ``config``. A given has no name, nor has the module's own
    config; the name of an imported module's config is its alias.
    """

    start: int
    end: int
    kind: str
    name: Name | None
    items: tuple[Item, ...]


class Variant(NamedTuple):
    """``variant Name : Base { items }``; the braces may be missing."""

    start: int
    end: int
    name: Name
    base: Name | Qualified
    items: tuple[Item, ...]


class Default(NamedTuple):
    """``default Type name = value``."""

    start: int
    end: int
    type: Name | Qualified | None
    name: Name
    value: Expression


class Deferred(NamedTuple):
    """``deferred Name.member``, and where the detail is, if a string says so."""

    start: int
    end: int
    path: Expression
    hint: Text | None


Declaration: TypeAlias = (
    Use | Braced | Variant | Default | Deferred | OpenQuestion | Invariant | Unreadable
)


class Module(NamedTuple):
    """One file. ``version`` is None without a version marker."""

    start: int
    end: int
    version: int | None
    declarations: tuple[Declaration, ...]
