"""Fields that hold one of several objects, each with its own value of one member.

``private state: { kind: 'idle' } | { kind: 'busy'; job: Job } = { kind: 'idle' }`` is a field with
the states ``idle`` and ``busy``: what asks ``this.state.kind`` asks for the state, and
``this.state = { kind: 'busy', job }`` sets it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.grammar.statements import Statements, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.row_queries import read_named_values
from git_retcon.allium.extract.source_facts import Field, Type, refer
from git_retcon.allium.extract.spelling import is_value, name_values
from git_retcon.allium.extract.typescript.constructors import find_constructor


class ObjectUnion(NamedTuple):
    """The member that tells the objects apart, and the type of its values."""

    key: str
    type: Type


# The values of one member of an object, each as its source.
_Members: TypeAlias = Mapping[str, Sequence[str]]
_Types: TypeAlias = Mapping[str, Node]
_DEEPEST = 5  # types of types


def list_unions(nodes: Sequence[Node]) -> Mapping[str, ObjectUnion]:
    """Those that a file gives names, by these; their objects may have names too."""
    types = {read_name(each): each for each in _list_types(nodes)}
    found: dict[str, ObjectUnion] = {}
    for name, declared in types.items():
        value = declared.child_by_field_name("value")
        union = _read_union(value, types)
        found |= {name: union} if union is not None else {}
    return found


def _list_types(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type in ("type_alias_declaration", "interface_declaration"):
            yield declared


def list_union_fields(
    body: Node | None, unions: Mapping[str, ObjectUnion]
) -> Iterator[tuple[str, ObjectUnion]]:
    """The fields of a class that hold one of such objects, by their symbols."""
    constructor = find_constructor(body)
    given = list_inner(constructor, "parameters") if constructor is not None else []
    for item in (*list_children(body, "public_field_definition"), *given):
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        union = unions.get(read_text(kind)) or _read_union(kind, {})
        named = item.child_by_field_name("name") or item.child_by_field_name("pattern")
        words = {each.type for each in item.children}
        is_field = item not in given or bool(words & {"accessibility_modifier", "readonly"})
        if union is not None and is_field:
            yield read_text(named).lstrip("#"), union


def tell_apart(field: Field, unions: Mapping[str, ObjectUnion]) -> Field:
    """A field with the type of what tells its objects apart, if it holds one of several."""
    found = unions.get(field.symbol)
    return field._replace(type=found.type) if found is not None else field


def _read_union(node: Node | None, types: _Types) -> ObjectUnion | None:
    if node is None or node.type != "union_type":
        return None
    members: list[_Members] = []
    for each in _flatten(node, types, _DEEPEST):
        found = _read_members(each, types, _DEEPEST)
        if found is None:
            return None
        members.append(found)
    kinds: list[tuple[int, ObjectUnion]] = []
    for key in members[0] if len(members) > 1 else ():
        values = [value for each in members for value in each.get(key, ())]
        kind = _join_values(values) if all(key in each for each in members) else None
        if kind is not None and len({*values}) > 1:
            kinds.append((len({*values}), ObjectUnion(key, kind)))
    most = max((number for number, _ in kinds), default=0)
    return next((union for number, union in kinds if number == most), None)


def _flatten(node: Node, types: _Types, left: int) -> Iterator[Node]:
    """The parts of a union, and of unions that are parts of it."""
    for each in list_children(node):
        named = types.get(read_text(each)) if left else None
        inner = named.child_by_field_name("value") if named is not None else None
        if each.type == "union_type":
            yield from _flatten(each, types, left)
        elif inner is not None and inner.type == "union_type":
            yield from _flatten(inner, types, left - 1)
        elif each.type != "comment":
            yield each


def _read_members(node: Node | None, types: _Types, left: int) -> _Members | None:
    """The members of an object's type with few values; None for what is no such type."""
    named = types.get(read_text(node))
    if node is None or not left:
        return None
    if named is not None and named.type == "interface_declaration":
        found: dict[str, Sequence[str]] = {}
        for each in list_children(named, "extends_type_clause"):
            for base in list_children(each):
                # What it has from another file tells nothing apart.
                found |= _read_members(base, types, left - 1) or {}
        return found | dict(_list_constants(named.child_by_field_name("body")))
    if named is not None:
        return _read_members(named.child_by_field_name("value"), types, left - 1)
    if node.type == "parenthesized_type":
        return _read_members(node.named_children[0], types, left - 1)
    if node.type == "intersection_type":
        parts = [_read_members(each, types, left - 1) for each in list_children(node)]
        return {key: value for each in parts for key, value in (each or {}).items()}
    return dict(_list_constants(node)) if node.type == "object_type" else None


def _list_constants(node: Node | None) -> Iterator[tuple[str, Sequence[str]]]:
    """The members of an object's type that have one value or few, each with their sources."""
    for item in list_children(node, "property_signature"):
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        parts = [*_flatten(kind, {}, _DEEPEST)] if kind and kind.type == "union_type" else [kind]
        known = [read_text(each) for each in parts if each is not None and _is_constant(each)]
        if known and len(known) == len(parts):
            yield read_name(item), known


def _is_constant(kind: Node) -> bool:
    inner = kind.named_children if kind.type == "literal_type" else ()
    return kind.type == "nested_type_identifier" or bool(inner and inner[0].type == "string")


def _join_values(values: Sequence[str]) -> Type | None:
    """An enum that all values are members of, or the texts that they are."""
    owners = {each.rpartition(".")[0] for each in values if each[:1] not in "'\""}
    if owners:
        are_all = len(owners) == 1 and all(each[:1] not in "'\"" for each in values)
        return refer(min(owners)) if are_all else None
    texts = [each[1:-1] for each in dict.fromkeys(values)]
    return Type("", values=name_values(texts)) if all(map(is_value, texts)) else None


def open_unions(body: Statements, unions: Mapping[str, ObjectUnion]) -> Statements:
    """A method's body in which these fields are what their objects are told apart by."""
    if not unions:
        return body
    names = dict(_list_named(body, unions))
    tables = {
        each.targets[0].id: each.value
        for part in body
        for each in ast.walk(part)
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and isinstance(each.value, ast.Dict)
    }
    opener = _UnionOpener(unions, names, tables)
    return [opener.visit(each) for each in body]


def _list_named(body: Statements, unions: Mapping[str, ObjectUnion]) -> Iterator[tuple[str, str]]:
    """The variables that get the object that a field holds."""
    for part in body:
        for each in ast.walk(part):
            match each:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Attribute(value=ast.Name(id="self"), attr=field),
                ) if field in unions:
                    yield name, field


class _UnionOpener(ast.NodeTransformer):
    def __init__(
        self,
        unions: Mapping[str, ObjectUnion],
        names: Mapping[str, str],
        tables: Mapping[str, ast.expr],
    ) -> None:
        self._unions = unions
        self._names = names
        self._tables = tables

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node.targets:
            case [ast.Attribute(value=ast.Name(id="self"), attr=field)] if field in self._unions:
                table = node.value
                if isinstance(table, ast.Name):
                    table = self._tables.get(table.id, table)
                value = _find_value(table, self._unions[field].key)
                if value is None and _keeps(table, field):
                    return ast.Pass()
                # What has another object keeps nobody knows which state.
                node.value = value if value is not None else make_unknown()
                return node
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node.value:
            case ast.Attribute(value=ast.Name(id="self"), attr=field):
                if field in self._unions and node.attr == self._unions[field].key:
                    return node.value
            case ast.Name(id=name) if name in self._names:
                field = self._names[name]
                if node.attr == self._unions[field].key:
                    return ast.Attribute(value=ast.Name("self"), attr=field)
        self.generic_visit(node)
        return node


def _find_value(table: ast.expr, key: str) -> ast.expr | None:
    """The value of a member of an object; None where another object may have it."""
    if not isinstance(table, ast.Dict):
        return None
    spread = max((at for at, each in enumerate(table.keys) if each is None), default=-1)
    behind = ast.Dict(keys=table.keys[spread + 1 :], values=table.values[spread + 1 :])
    return read_named_values(behind).get(key)


def _keeps(table: ast.expr, field: str) -> bool:
    """Whether an object has all of the one before: ``{ ...this.state, job }``."""
    if not isinstance(table, ast.Dict):
        return False
    spread = [value for key, value in zip(table.keys, table.values, strict=True) if key is None]
    match spread:
        case [*_, ast.Attribute(value=ast.Name(id="self"), attr=name)]:
            return name == field
    return False
