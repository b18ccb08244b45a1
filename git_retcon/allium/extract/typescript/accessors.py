"""Accessors of a class, and what assignments to them do.

``set state(value) { this._state = value; this.emit('state', value); }`` gives a field another name:
what sets the one sets the other. A setter that may refuse what it is given does so wherever it is
given something.
"""

import ast
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from git_retcon.allium.extract.assigned_properties import make_setter, open_assignments, read_setter
from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.state_setters import spell_accessor
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.held_values import list_holders, open_holders
from git_retcon.allium.extract.typescript.private_members import is_marked_private

_ANSWER = re.compile(r"\{\s*return\s+this\s*\.\s*#?([\w$]+)\s*;?\s*\}")


def make_scope(body: Node | None) -> Scope:
    """What names mean in the methods of a class with this body."""
    return Scope(aliases=dict(_list_accessed(body)))


def spell_accessors(body: Node | None, fields: Collection[str]) -> Iterator[str]:
    """The setters of a class that set one of these fields, as Python, for other files."""
    for node in _list_setters(body):
        field = _find_given(node)
        if not node.name.isidentifier():
            continue  # Python has no such name, other files do without it
        if field in fields and field != node.name:
            yield spell_accessor(node.name, field)
        elif not field and not {*fields}.isdisjoint(_list_given(ast.walk(node), _name_given(node))):
            yield ast.unparse(ast.fix_missing_locations(node))


def open_accessors(body: Node | None, methods: Iterable[Function]) -> None:
    """Write what setters that are no other names do in place of the assignments of methods. The
    methods themselves are changed.
    """
    listed = (each for each in _list_setters(body) if not _find_given(each))
    setters = {each.name: found for each in listed if (found := read_setter(each)) is not None}
    for method in methods if setters else ():
        open_assignments(method, "self", setters)


@functools.lru_cache(maxsize=1)  # every field of a class asks, one class after another
def _list_accessed(body: Node | None) -> Sequence[tuple[str, str]]:
    """The setters of a class that set a field, each with the field."""
    given = ((node.name, _find_given(node)) for node in _list_setters(body))
    return [(name, field) for name, field in given if field and field != name]


def list_set_operations(
    body: Node | None, fields: Collection[str]
) -> Iterator[tuple[str, Function]]:
    """The setters of a class by which others give one of these fields a state, with their names."""
    items = list_children(body, "method_definition")
    own = {read_name(each) for each in items if is_marked_private(each)}
    for node, given in _list_giving(body):
        name = node.name
        is_open = name.isidentifier() and not name.startswith("_") and name not in own
        if is_open and not given.isdisjoint(fields):
            operation = copy_tree(node)
            operation.name = spell_words(name)  # what marks it as a setter names its rule
            yield name, operation


def list_accessors(body: Node | None, symbol: str) -> Iterator[str]:
    """The setters of a class that are other names of a field."""
    yield from (name for name, field in _list_accessed(body) if field == symbol)


def list_getters(body: Node | None, symbol: str) -> Iterator[str]:
    """The getters of a class that answer what a field is."""
    yield from (name for name, field in _list_answering(body) if field == symbol)


@functools.lru_cache(maxsize=1)
def _list_answering(body: Node | None) -> Sequence[tuple[str, str]]:
    """The getters of a class that only answer what a field is, each with the field."""
    methods = list_children(body, "method_definition")
    getters = (each for each in methods if any(part.type == "get" for part in each.children))
    texts = ((each, read_text(each.child_by_field_name("body"))) for each in getters)
    plain = ((each, _ANSWER.fullmatch(text)) for each, text in texts)
    return [(read_name(each).lstrip("#"), found[1]) for each, found in plain if found]


def list_refusing_setters(body: Node | None, symbol: str) -> Iterator[str]:
    """The setters of a class that give a field what they are given, or nothing."""
    for node, fields in _list_giving(body):
        parameter = _name_given(node)
        is_given = symbol in fields and symbol != node.name
        if is_given and parameter not in {*_list_assigned(node, symbol), *_list_sorted(node)}:
            yield node.name


@functools.lru_cache(maxsize=1)
def _list_giving(body: Node | None) -> Sequence[tuple[Function, frozenset[str]]]:
    """The setters of a class, each with the fields that it may give what it is given."""
    setters = _list_setters(body)
    return [(e, frozenset(_list_given(ast.walk(e), _name_given(e)))) for e in setters]


def _list_sorted(node: Function) -> Iterator[str]:
    """What a setter asks something of by itself, and leaves out where it does not raise an error:
    it may never give all that it is given.
    """
    for each in ast.walk(node):
        if isinstance(each, ast.If) and not isinstance(each.body[-1], ast.Raise):
            names = {part.id for part in ast.walk(each.test) if isinstance(part, ast.Name)}
            yield from names if "self" not in names else ()


def _list_assigned(node: Function, symbol: str) -> Iterator[str]:
    """The variables that a setter gives a value; all that it is given where it gives the field
    anything else.
    """
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    is_name = isinstance(value, ast.Name) and value.id == _name_given(node)
                    if isinstance(target, ast.Attribute) and target.attr == symbol and not is_name:
                        yield _name_given(node)
                    elif isinstance(target, ast.Name):
                        yield target.id


@functools.lru_cache(maxsize=1)
def _list_setters(body: Node | None) -> Sequence[Function]:
    """The setters of a class, as Python has them, for all who ask: nobody changes them."""
    return [*_read_setters(body)]


def _read_setters(body: Node | None) -> Iterator[Function]:
    holders = list_holders(body)
    for item in list_children(body, "method_definition"):
        given = list_inner(item, "parameters")
        if len(given) != 1 or not any(each.type == "set" for each in item.children):
            continue
        name = read_name(item).lstrip("#")
        parameter = read_text(given[0].child_by_field_name("pattern") or given[0])
        if name.replace("$", "_").isidentifier() and parameter.isidentifier():
            statements = Bodies(TypeScriptDialect(), Scope()).translate_block(
                [item.child_by_field_name("body")]
            )
            yield make_setter(name, parameter, open_holders(statements, holders))


def _name_given(node: Function) -> str:
    return node.args.args[1].arg


def _find_given(node: Function) -> str:
    """The only field that a setter sets to what it is given, "" where it may not."""
    parameter = _name_given(node)
    acting = [each for each in node.body if not _is_same(each, parameter)]
    nodes = [each for part in acting for each in ast.walk(part)]
    if any(isinstance(each, ast.Raise | ast.Return) for each in nodes):
        return ""
    fields = {*_list_given(nodes, parameter)}
    sure = {*_list_given(_list_sure(acting, parameter), parameter)}
    return min(fields) if len(fields) == 1 and fields == sure else ""


def _list_given(nodes: Iterable[ast.AST], parameter: str) -> Iterator[str]:
    """The fields that statements set to a parameter."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Name(id=given)) if given == parameter:
                for target in targets:
                    match target:
                        case ast.Attribute(value=ast.Name(id="self"), attr=field):
                            yield field


def _list_sure(statements: Iterable[ast.stmt], parameter: str) -> Iterator[ast.stmt]:
    """What is always done, unless what is given is there already."""
    for node in statements:
        match node:
            case ast.If(test=ast.Compare(ops=[ast.NotEq()]) as test, body=body, orelse=[]) if (
                _compares(test, parameter)
            ):
                yield from _list_sure(body, parameter)
            case ast.With(body=body) | ast.Try(body=body):
                yield from _list_sure(body, parameter)
        yield node


def _compares(node: ast.Compare, parameter: str) -> bool:
    """Whether a comparison is of a parameter."""
    sides = (node.left, *node.comparators)
    return any(isinstance(each, ast.Name) and each.id == parameter for each in sides)


def _is_same(node: ast.stmt, parameter: str) -> bool:
    """``if (value === this._state) return;``"""
    match node:
        case ast.If(
            test=ast.Compare(ops=[ast.Eq()]) as test, body=[ast.Return(value=None)], orelse=[],
        ):  # fmt: skip
            return _compares(test, parameter)
    return False


def find_class_body(function: Node) -> Node | None:
    """The body of the class that a method or a field's function is in; None for any other."""
    outer = function.parent
    while outer is not None and outer.type not in ("class_body", "program", "statement_block"):
        outer = outer.parent
    return outer if outer is not None and outer.type == "class_body" else None
