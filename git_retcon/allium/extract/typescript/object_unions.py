"""Fields that hold one of several objects, each with its own value of one member.

``private state: { kind: 'idle' } | { kind: 'busy'; job: Job } = { kind: 'idle' }`` is a field with
the states ``idle`` and ``busy``: what asks ``this.state.kind`` asks for the state, and
``this.state = { kind: 'busy', job }`` sets it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.statements import Statements, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.row_queries import read_named_values
from git_retcon.allium.extract.source_facts import Field, Type, refer
from git_retcon.allium.extract.spelling import is_value, name_values


class ObjectUnion(NamedTuple):
    """The member that tells the objects apart, and the type of its values."""

    key: str
    type: Type


def list_unions(nodes: Iterable[Node]) -> Mapping[str, ObjectUnion]:
    """Those that a file gives names, by these."""
    found: dict[str, ObjectUnion] = {}
    for node in nodes:
        declared = node.child_by_field_name("declaration") or node
        if declared.type == "type_alias_declaration":
            union = _read_union(declared.child_by_field_name("value"))
            found |= {read_name(declared): union} if union is not None else {}
    return found


def list_union_fields(
    body: Node | None, unions: Mapping[str, ObjectUnion]
) -> Iterator[tuple[str, ObjectUnion]]:
    """The fields of a class that hold one of such objects, by their symbols."""
    for item in list_children(body, "public_field_definition"):
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        union = unions.get(read_text(kind)) or _read_union(kind)
        if union is not None:
            yield read_name(item).lstrip("#"), union


def tell_apart(field: Field, unions: Mapping[str, ObjectUnion]) -> Field:
    """A field with the type of what tells its objects apart, if it holds one of several."""
    found = unions.get(field.symbol)
    return field._replace(type=found.type) if found is not None else field


def _read_union(node: Node | None) -> ObjectUnion | None:
    parts = [*_flatten(node)] if node is not None and node.type == "union_type" else []
    members = [dict(_list_constants(each)) for each in parts if each.type == "object_type"]
    if len(members) < 2 or len(members) < len(parts):
        return None
    for key in members[0]:
        values = [each.get(key) for each in members]
        known = [each for each in values if each is not None]
        if len({*known}) == len(members):
            kind = _join_values(known)
            return ObjectUnion(key, kind) if kind is not None else None
    return None


def _flatten(node: Node) -> Iterator[Node]:
    for each in list_children(node):
        if each.type == "union_type":
            yield from _flatten(each)
        elif each.type != "comment":
            yield each


def _list_constants(node: Node) -> Iterator[tuple[str, str]]:
    """The members of an object's type that have one value, each with its source."""
    for item in list_children(node, "property_signature"):
        annotation = item.child_by_field_name("type")
        kind = annotation.named_children[0] if annotation and annotation.named_children else None
        inner = kind.named_children if kind is not None and kind.type == "literal_type" else ()
        is_member = kind is not None and kind.type == "nested_type_identifier"
        if is_member or (inner and inner[0].type == "string"):
            yield read_name(item), read_text(kind)


def _join_values(values: Sequence[str]) -> Type | None:
    """An enum that all values are members of, or the texts that they are."""
    owners = {each.rpartition(".")[0] for each in values if each[:1] not in "'\""}
    if owners:
        are_all = len(owners) == 1 and all(each[:1] not in "'\"" for each in values)
        return refer(min(owners)) if are_all else None
    texts = [each[1:-1] for each in values]
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
                value = read_named_values(table).get(self._unions[field].key)
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
