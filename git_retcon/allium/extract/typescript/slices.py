"""The reducers of slices of Redux, as functions on the type of the slice's state.

``createSlice({ name: 'jobs', initialState, reducers: { started(state) { … } } })`` with
``const initialState: JobsState`` has the function ``started`` on a ``JobsState``, and so is each
case of ``extraReducers``: ``builder.addCase(load.pending, (state) => { … })``. What it returns is
what it sets. Of a slice with a reducer that cannot be read, none is.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.services import Function
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Import
from git_retcon.allium.extract.typescript.class_functions import name_type, translate_body
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect

_LIBRARY = "@reduxjs/toolkit.createSlice"
_FUNCTIONS = ("arrow_function", "function_expression", "method_definition")
_CASTS = ("as_expression", "satisfies_expression")
_OTHERS = (".addMatcher(", ".addDefaultCase(")


class _Slice(NamedTuple):
    """A slice by its constant, with the type of its state, and how that begins: the name of the
    constant, and its members in Python.
    """

    name: str
    type: str
    first: str
    members: ast.expr


def list_reducers(root: Node, imports: Mapping[str, Import]) -> Iterator[Function]:
    """Those of a file's slices whose state has a type with a name."""
    making = {name for name, each in imports.items() if each.full_name == _LIBRARY}
    declared = dict(_list_declared(root)) if making else {}
    for name, value in declared.items():
        given = list_inner(value, "arguments")
        if read_text(value.child_by_field_name("function")) in making and len(given) == 1:
            members = dict(_list_members(given[0]))
            first = members.get("initialState")
            kind = _find_type(value, first, declared)
            if kind:
                held = declared.get(read_text(first), first)
                made = _translate(_unwrap(held)) if held is not None else ast.Constant(None)
                found = [*_list_slice(_Slice(name, kind, read_text(first), made), members)]
                functions = [each for each in found if each is not None]
                yield from functions if len(functions) == len(found) else ()


def _list_declared(root: Node) -> Iterator[tuple[str, Node]]:
    """The constants at the top of a file, by their names."""
    for node in root.named_children:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "lexical_declaration":
            for each in list_children(declared, "variable_declarator"):
                value = each.child_by_field_name("value")
                if value is not None:
                    yield read_name(each), value


def _find_type(made: Node, first: Node | None, declared: Mapping[str, Node]) -> str:
    """The type of a slice's state, "" where no name says it."""
    if first is not None and first.type in ("identifier", "shorthand_property_identifier"):
        first = declared.get(read_text(first))
        owner = first.parent if first is not None else None
        kind = owner.child_by_field_name("type") if owner is not None else None
        if kind is not None:
            return name_type(kind)
    if first is not None and first.type in _CASTS:
        return name_type(first.named_children[-1])
    listed = list_inner(made, "type_arguments")
    return name_type(listed[0]) if listed else ""


def _list_slice(one: _Slice, members: Mapping[str, Node]) -> Iterator[Function | None]:
    """What a slice does; None for what cannot be read."""
    own, others = members.get("reducers"), members.get("extraReducers")
    if own is not None and own.type != "object":
        yield None
    for key, value in _list_members(own):
        inner = dict(_list_members(value)).get("reducer", value)
        yield _make_reducer(one, key, key, inner)
    cases = [*_list_members(others)]
    if others is not None and others.type != "object":
        body = others.child_by_field_name("body")
        if body is None or any(each in read_text(body) for each in _OTHERS):
            yield None
        cases += _list_cases(body)
    for action, value in cases:
        words = action.removesuffix(".type").split(".")
        called = words[0] + "".join(each[:1].upper() + each[1:] for each in words[1:])
        yield _make_reducer(one, ".".join(words), called, value)


def _list_cases(node: Node | None) -> Iterator[tuple[str, Node]]:
    """What a builder is given, in the order in which it is."""
    for each in list_children(node):
        yield from _list_cases(each)
    made = node.child_by_field_name("function") if node is not None else None
    given = list_inner(node, "arguments")
    if read_text(made).endswith(".addCase") and len(given) == 2:
        yield read_text(given[0]), given[1]


def _list_members(node: Node | None) -> Iterator[tuple[str, Node]]:
    """The members of an object by their keys, of which computed ones are as they are written."""
    for each in list_children(node) if node is not None and node.type == "object" else ():
        value = each.child_by_field_name("value") if each.type == "pair" else each
        key = each.child_by_field_name("key") or each.child_by_field_name("name") or each
        if value is not None and each.type != "comment":
            yield read_text(key).strip("[]'\""), value


def _make_reducer(one: _Slice, action: str, name: str, value: Node) -> Function | None:
    listed = list_inner(value, "parameters")
    given = listed[0].child_by_field_name("pattern") if listed else None
    state = read_text(given or value.child_by_field_name("parameter")) or "state"
    if value.type not in _FUNCTIONS or not name.isidentifier() or not state.isidentifier():
        return None
    body = _translate_reducer(value, state, one)
    if body is None:
        return None
    return Function(f"{one.name}.{action}", value, lambda _: body, name, {state: one.type})


def _translate_reducer(node: Node, state: str, one: _Slice) -> Statements | None:
    body = node.child_by_field_name("body")
    inner = _unwrap(body) if body is not None else None
    if inner is None or inner.type in ("statement_block", "assignment_expression"):
        found = translate_body(node) if inner is body else _make_bodies().translate_block([inner])
    else:
        found = [ast.Return(_translate(inner))]
    opener = _Returns(state, one)
    opened = ast.Module(found, [])
    opener.visit(opened)
    return opened.body if opener.is_known else None


class _Returns(ast.NodeTransformer):
    """Sets what a reducer returns."""

    def __init__(self, state: str, one: _Slice) -> None:
        self._state = state
        self._slice = one
        self.is_known = True

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return [*self._list_set(node.value), ast.Return(None)]

    def _list_set(self, value: ast.expr | None) -> Iterator[ast.stmt]:
        match value:
            case None | ast.Constant(value=None):
                return
            case ast.Name(id=name) if name == self._state:
                return
            case ast.Name(id=name) if name == self._slice.first:
                yield from self._list_set(self._slice.members)
            case ast.Dict(keys=keys, values=values):
                for key, each in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        place = ast.Attribute(ast.Name(self._state), key.value)
                        yield ast.Assign([place], each)
                    else:
                        yield from self._list_set(each if key is None else ast.Constant(0))
            case _:
                # A function that is given the state changes it in place.
                named = value.args if isinstance(value, ast.Call) else []
                self.is_known &= any(
                    isinstance(each, ast.Name) and each.id == self._state for each in named
                )


def _make_bodies() -> Bodies:
    return Bodies(TypeScriptDialect(), Scope())


def _translate(node: Node) -> ast.expr:
    return _make_bodies().translate(node)


def _unwrap(node: Node) -> Node:
    while node.type in ("parenthesized_expression", *_CASTS) and node.named_children:
        node = node.named_children[0]
    return node
