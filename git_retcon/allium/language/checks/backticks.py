"""Enum values in backticks: which characters they have, and where they may be."""

import unicodedata
from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Part, Scope
from git_retcon.allium.language.declarations import (
    Clause,
    Default,
    Field,
    Literal,
    Parameter,
    Presence,
)
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Quoted,
    SetLiteral,
    Transition,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.traversal import Node, walk_tree

_COMPARISONS = frozenset({"=", "!=", "in", "not in"})


def check_backticks(scope: Scope) -> Iterator[Finding]:
    """Every backtick literal of the file."""
    for part in scope.parts:
        quoted = part.find(Quoted)
        written = [(each.start, each.value) for each in quoted]
        written += [(each.start, each.text) for each in part.find(Literal) if each.is_quoted]
        for start, text in written:
            yield from _check_characters(start, text)
        if quoted:
            allowed = _list_allowed(part)
            for each in quoted:
                if id(each) not in allowed:
                    message = (
                        f"`{each.value}` is a value of an enum: it is declared, compared or set"
                    )
                    code = "allium.enum.misplacedLiteral"
                    yield Finding(each.start, Severity.ERROR, message, code)


def _check_characters(start: int, text: str) -> Iterator[Finding]:
    for character in text:
        # Letters, marks, numbers, punctuation and symbols; not separators or control characters.
        if unicodedata.category(character)[0] not in "LMNPS":
            shown = "a space" if character == " " else f"U+{ord(character):04X}"
            message = f"the value in backticks has {shown}; it may have printable characters only"
            yield Finding(start, Severity.ERROR, message, "allium.enum.invalidLiteral")
            return


def _list_allowed(part: Part) -> set[int]:
    """The nodes that are declared, compared, or somewhere in what a rule ensures."""
    allowed: set[int] = set()
    if isinstance(part.declaration, Default):
        allowed.update(map(id, walk_tree(part.declaration)))
    for clause in part.find(Clause):
        if clause.keyword == "ensures":
            allowed.update(map(id, walk_tree(clause.value)))
    for kind in (Alternatives, Presence, Transition):
        for node in part.find(kind):
            allowed.update(_list_near(node))
    for field in part.find(Field):
        allowed.add(id(field.value))  # an enum of one value
    for parameter in part.find(Parameter):
        allowed.update((id(parameter.type), id(parameter.default)))
    for comparison in part.find(Binary):
        # What a sum says of it is another finding, so it is not named twice.
        allowed.update(_list_near(comparison))
        for side in (comparison.left, comparison.right):
            if comparison.operator in _COMPARISONS and isinstance(side, SetLiteral):
                allowed.update(_list_near(side))
    return allowed


def _list_near(node: Node) -> Iterator[int]:
    """A node's children, and those in its lists."""
    for child in node:
        yield id(child)
        if type(child) is tuple:
            yield from map(id, child)
