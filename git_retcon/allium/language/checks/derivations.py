"""Derived values that depend on themselves, and relationships that do not lead back."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.configs import leads_back
from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import Braced, Derived, Field, Item, Variant
from git_retcon.allium.language.expressions import (
    Alternatives,
    Call,
    Constant,
    Expression,
    Generic,
    Member,
    Name,
    Nullable,
    Qualified,
    Where,
    With,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import Node, walk_tree


def check_derivations(scope: Scope) -> Iterator[Finding]:
    """The fields of every entity, value and variant."""
    for part in scope.parts:
        block = part.declaration
        if isinstance(block, Variant) or (isinstance(block, Braced) and "entity" in block.kind):
            yield from _check_circles(block.items)
            yield from _check_relationships(block.items)
        elif isinstance(block, Braced) and block.kind == "value":
            yield from _check_circles(block.items)


def _check_circles(items: tuple[Item, ...]) -> Iterator[Finding]:
    found = {item.name.text: item for item in items if isinstance(item, Field | Derived)}
    reads = {name: list_read_fields(item.value) & found.keys() for name, item in found.items()}
    for name, item in found.items():
        if leads_back(reads, name):
            message = f"'{name}' is derived from itself"
            code = "allium.derived.circularDependency"
            yield Finding(item.name.start, Severity.ERROR, message, code)


def list_read_fields(value: Expression) -> set[str]:
    """The entity's own fields that a value reads.

    What follows a dot belongs to another entity, and so do names in the condition that selects
    from a collection, and a type of a field's name is no reading of it.
    """
    names: set[str] = set()
    match value:
        # The whole of a field with a capital is its type: ``User: User?``.
        case Name(text=text) | Nullable(type=Name(text=text)) if text[:1].isupper():
            return names
        # Names that are alternatives are the values of an enum: ``closed: closing | closed``.
        case Alternatives():
            return names
    stack: list[Node] = [value]
    while stack:
        match stack.pop():
            case Member(target=Constant(word="this"), field=Name(text=text)):
                names.add(text)
            case Member(target=target):
                stack.append(target)
            case Where(source=source):
                stack.append(source)
            # The elements of a collection are of a type.
            case With() | Qualified() | Generic():
                continue
            # A function is black box, even where a field has its name.
            case Call(arguments=arguments):
                stack.append(arguments)
            case Name(text=text):
                names.add(text)
            case node:
                stack.extend(child for child in node if isinstance(child, tuple))
    return names


def _check_relationships(items: tuple[Item, ...]) -> Iterator[Finding]:
    for item in items:
        match item:
            case Field(value=With(condition=condition)) if not _says_this(condition):
                message = f"'{item.name.text}' does not lead back: compare a field with 'this'"
                code = "allium.relationship.missingBackreference"
                yield Finding(condition.start, Severity.ERROR, message, code)
            case Field(value=Where(condition=condition)) if _is_only_this(condition):
                message = f"'{item.name.text}' is a relationship: write 'with', not 'where'"
                code = "allium.relationship.whereWithThis"
                yield Finding(condition.start, Severity.ERROR, message, code)


def _says_this(condition: Expression) -> bool:
    return any(isinstance(node, Constant) and node.word == "this" for node in walk_tree(condition))


def _is_only_this(condition: Expression) -> bool:
    """``this`` by itself; ``this.field`` is a value like any other."""
    owners = {id(node.target) for node in walk_tree(condition) if isinstance(node, Member)}
    return any(
        isinstance(node, Constant) and node.word == "this" and id(node) not in owners
        for node in walk_tree(condition)
    )
