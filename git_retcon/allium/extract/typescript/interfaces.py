"""Interfaces of TypeScript: those of data, those of methods alone, and what they extend."""

from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.source_facts import (
    IDENTITIES,
    Contract,
    Declaration,
    Evidence,
    Field,
    Operation,
    Shape,
)
from git_retcon.allium.extract.spelling import spell_field_name
from git_retcon.allium.extract.typescript.types import read_type


def read_interface(
    body: Node | None, name: str, place: tuple[Evidence, ...], bases: tuple[str, ...]
) -> Iterator[Declaration]:
    """An interface of data is a value or an entity, one of methods alone a contract."""
    fields: dict[str, Field] = {}
    operations: dict[str, Operation] = {}
    for item in body.named_children if body is not None else ():
        symbol = read_text(item.child_by_field_name("name")).strip("'\"")
        spelled = spell_field_name(symbol)
        if spelled is None:
            continue
        if item.type == "property_signature":
            annotation = item.child_by_field_name("type")
            inner = (
                annotation.named_children[0] if annotation and annotation.named_children else None
            )
            if inner is not None and inner.type == "function_type":
                continue
            kind = read_type(annotation)
            is_optional = any(each.type == "?" for each in item.children)
            kind = kind._replace(is_optional=kind.is_optional or is_optional)
            fields.setdefault(spelled, Field(spelled, kind, symbol))
        elif item.type == "method_signature":
            result = read_type(item.child_by_field_name("return_type"))
            is_void = read_text(item.child_by_field_name("return_type")).strip(": ") in (
                "void", "Promise<void>",
            )  # fmt: skip
            parameters = tuple(_list_parameters(item.child_by_field_name("parameters")))
            operation = Operation(spelled, parameters, None if is_void else result)
            operations.setdefault(spelled, operation)
    if fields or bases:
        is_entity = bool(IDENTITIES & {each.symbol for each in fields.values()})
        kind_name = ("entity" if is_entity else "value") if fields else ""
        yield Shape(kind_name, name, place, tuple(fields.values()), bases=bases)
    elif operations:
        yield Contract(name, place, tuple(operations.values()))


def _list_parameters(node: Node | None) -> Iterator[Field]:
    seen: set[str] = set()
    for each in node.named_children if node is not None else ():
        symbol = read_text(each.child_by_field_name("pattern"))
        spelled = spell_field_name(symbol)
        if spelled is not None and spelled not in seen:
            seen.add(spelled)
            kind = read_type(each.child_by_field_name("type"))
            is_optional = kind.is_optional or each.type == "optional_parameter"
            yield Field(spelled, kind._replace(is_optional=is_optional), symbol)


def list_bases(node: Node) -> tuple[str, ...]:
    """The names of what an interface or a class extends."""
    found: list[str] = []
    for part in node.named_children:
        if part.type == "class_heritage":
            part = next(
                (each for each in part.named_children if each.type == "extends_clause"), part
            )
        if part.type in ("extends_clause", "extends_type_clause"):
            # A mixin or a call has no name.
            found += [
                read_text(each.child_by_field_name("name") or each).partition("<")[0]
                for each in part.named_children
                if each.type in ("identifier", "type_identifier", "generic_type")
            ]
    return tuple(found)
