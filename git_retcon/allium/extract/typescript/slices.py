"""The reducers of slices of Redux, as functions on the type of the slice's state.

``createSlice({ name: 'jobs', initialState, reducers: { started(state) { … } } })`` with
``const initialState: JobsState`` has the function ``started`` on a ``JobsState``, and so is each
case of ``extraReducers``: ``builder.addCase(load.pending, (state) => { … })``.
"""

from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.grammar.services import Function
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Import
from git_retcon.allium.extract.typescript.class_functions import name_type, translate_body

_LIBRARY = "@reduxjs/toolkit.createSlice"
_FUNCTIONS = ("arrow_function", "function_expression", "method_definition")
_CASTS = ("as_expression", "satisfies_expression")


def list_reducers(root: Node, imports: Mapping[str, Import]) -> Iterator[Function]:
    """Those of a file's slices whose state has a type with a name."""
    making = {name for name, each in imports.items() if each.full_name == _LIBRARY}
    declared = dict(_list_declared(root)) if making else {}
    for name, value in declared.items():
        given = list_inner(value, "arguments")
        if read_text(value.child_by_field_name("function")) in making and len(given) == 1:
            members = dict(_list_members(given[0]))
            kind = _find_type(value, members.get("initialState"), declared)
            if kind:
                yield from _list_slice(name, members, kind)


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


def _list_slice(name: str, members: Mapping[str, Node], kind: str) -> Iterator[Function]:
    for key, value in _list_members(members.get("reducers")):
        inner = dict(_list_members(value)).get("reducer", value)
        yield from _make_reducer(f"{name}.{key}", key, inner, kind)
    others = members.get("extraReducers")
    for key, value in _list_members(others):
        yield from _make_case(name, key, value, kind)
    for action, value in _list_cases(others.child_by_field_name("body") if others else None):
        yield from _make_case(name, action, value, kind)


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
        if value is not None:
            yield read_text(key).strip("[]'\""), value


def _make_case(name: str, action: str, value: Node, kind: str) -> Iterator[Function]:
    """What a slice does at another's action: ``load.pending`` is ``loadPending``."""
    words = action.removesuffix(".type").split(".")
    if all(each.isidentifier() for each in words):
        called = words[0] + "".join(each[:1].upper() + each[1:] for each in words[1:])
        yield from _make_reducer(f"{name}.{'.'.join(words)}", called, value, kind)


def _make_reducer(symbol: str, name: str, value: Node, kind: str) -> Iterator[Function]:
    listed = list_inner(value, "parameters")
    state = listed[0].child_by_field_name("pattern") if listed else None
    state = state or value.child_by_field_name("parameter")
    if value.type in _FUNCTIONS and name.isidentifier() and read_text(state).isidentifier():
        yield Function(symbol, value, translate_body, name, {read_text(state): kind})
