"""Accessors that give a field of their class another name.

``set state(value) { this._state = value; this.emit('state', value); }``: what sets the one sets
the other; a setter that may refuse what it is given is another thing.
"""

import ast
from collections.abc import Collection, Iterator

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.state_setters import spell_accessor
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect


def make_scope(body: Node | None) -> Scope:
    """What names mean in the methods of a class with this body."""
    return Scope(aliases=dict(_list_accessed(body)))


def spell_accessors(body: Node | None, fields: Collection[str]) -> Iterator[str]:
    """The setters of a class that set one of these fields, as Python, for heirs in other files."""
    for name, field in _list_accessed(body):
        if field in fields:
            yield spell_accessor(name, field)


def _list_accessed(body: Node | None) -> Iterator[tuple[str, str]]:
    """The setters of a class that set a field, each with the field."""
    for item in list_children(body, "method_definition"):
        if not any(each.type == "set" for each in item.children):
            continue
        given = list_inner(item, "parameters")
        pattern = given[0].child_by_field_name("pattern") if len(given) == 1 else None
        name = read_name(item).lstrip("#")
        statements = Bodies(TypeScriptDialect(), Scope()).translate_block(
            [item.child_by_field_name("body")]
        )
        field = _find_given(statements, read_text(pattern or (given[0] if given else None)))
        if field and field != name:
            yield name, field


def _find_given(statements: Statements, parameter: str) -> str:
    """The only field that statements set to a parameter, "" where they may refuse it."""
    acting = (each for each in statements if not _is_same(each, parameter))
    nodes = [each for part in acting for each in ast.walk(part)]
    if any(isinstance(each, ast.Raise | ast.Return) for each in nodes):
        return ""
    fields = {
        target.attr
        for each in nodes
        if isinstance(each, ast.Assign)
        and isinstance(each.value, ast.Name)
        and each.value.id == parameter
        for target in each.targets
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    }
    return min(fields) if len(fields) == 1 else ""


def _is_same(node: ast.stmt, parameter: str) -> bool:
    """``if (value === this._state) return;``"""
    match node:
        case ast.If(
            test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]),
            body=[ast.Return(value=None)], orelse=[],
        ):  # fmt: skip
            return parameter in (getattr(left, "id", ""), getattr(right, "id", ""))
    return False


def find_class_body(function: Node) -> Node | None:
    """The body of the class that a method or a field's function is in; None for any other."""
    outer = function.parent
    while outer is not None and outer.type not in ("class_body", "program", "statement_block"):
        outer = outer.parent
    return outer if outer is not None and outer.type == "class_body" else None
