"""The repositories and services that a class has, and the rows that they keep.

``@InjectRepository(Order) private readonly orders: Repository<Order>`` keeps orders. Of a class of
the project, ``private readonly jobs: JobRepository``, its own file says it: it extends something
of ``JobEntity``, or is called for the entity that its own repository keeps.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.asked_classes import ROWS, Stores
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import Type, refer
from git_retcon.allium.extract.typescript.class_fields import read_mark

_STORE = re.compile(r"\w*(?:Repository|Model|ModelType|Repo|Service|Store)(?:Base)?|Base\w+")
_OF_PROJECT = re.compile(r"[A-Z]\w*(?:Repository|Repo|Service|Store|Dal)")
_SUFFIX = re.compile(r"(?:Repository|Repo|Service|Store|Dal)$")
_PREFIX = re.compile(r"^(?:TypeOrm|MikroOrm|Mongo|Mongoose|Sql|Prisma|Base)")
_KEEPERS = ("Repository", "Repo", "Store", "Dal")
_INJECTING = frozenset({"InjectRepository", "InjectModel"})
# What the type of a row is called beside the class that keeps it.
_ENDINGS = ("", "Entity", "Model", "Document", "Row")


class RowStores(NamedTuple):
    """What each class of a file keeps, and what its own name means to others."""

    by_class: Mapping[str, Stores]
    aliases: Mapping[str, Type]


def read_stores(root: Node, is_type: Callable[[str], bool]) -> RowStores:
    """The stores of the classes of a file; ``is_type`` says whether it knows a name as a type's."""
    by_class: dict[str, Stores] = {}
    aliases: dict[str, Type] = {}
    for node in root.named_children:
        declared = node.child_by_field_name("declaration") or node
        if declared.type not in ("class_declaration", "abstract_class_declaration"):
            continue
        symbol = read_name(declared)
        fields = dict(_list_fields(declared.child_by_field_name("body")))
        own = _find_own(symbol, [*_list_bound(declared)], fields, is_type)
        if fields or own:
            by_class[symbol] = Stores(fields, own)
        if own:
            aliases[f"{symbol}{ROWS}"] = refer(own)
    return RowStores(by_class, aliases)


def _find_own(
    symbol: str, bound: Sequence[str], fields: Mapping[str, str], is_type: Callable[[str], bool]
) -> str:
    """The rows that a class itself keeps: those of the type that it extends its base class with, or
    those that it is called for, if one of its members keeps them or if it is a repository.
    """
    stem = _PREFIX.sub("", _SUFFIX.sub("", symbol))
    named = [stem + each for each in _ENDINGS]
    found = next((each for each in named if each in bound), "")
    if found or len(bound) == 1:
        return found or bound[0]
    if not _OF_PROJECT.fullmatch(symbol):
        return ""
    kept = {*fields.values()}
    stores = (f"{stem}{each}{ROWS}" for each in _KEEPERS if f"{stem}{each}" != symbol)
    found = next((each for each in (*named, *stores) if each in kept), "")
    if found or not symbol.endswith(_KEEPERS):
        return found
    return next(filter(is_type, named), "")


def _list_bound(node: Node) -> Iterator[str]:
    """The types that a class extends its base class with."""
    for part in list_children(node, "class_heritage"):
        for clause in list_children(part, "extends_clause"):
            base = clause.child_by_field_name("value")
            if base is None or _STORE.fullmatch(read_text(base)) is None:
                continue
            for given in list_children(clause, "type_arguments"):
                yield from (read_text(each) for each in list_children(given, "type_identifier"))


def _list_fields(body: Node | None) -> Iterator[tuple[str, str]]:
    """The members of a class that keep rows, with the type of these."""
    waiting: list[Node] = []
    for item in list_children(body):
        if item.type == "decorator":
            waiting.append(item)
            continue
        marks, waiting = waiting, []
        if item.type == "public_field_definition":
            marks += list_children(item, "decorator")
            kept = _find_kept(item, marks)
            if kept:
                yield read_name(item).lstrip("#"), kept
        elif item.type == "method_definition" and read_name(item) == "constructor":
            for given in list_inner(item, "parameters"):
                kept = _find_kept(given, [*list_children(given, "decorator")])
                name = read_text(given.child_by_field_name("pattern"))
                if kept and name.isidentifier():
                    yield name, kept


def _find_kept(node: Node, marks: list[Node]) -> str:
    """The type of the rows that a field or a parameter keeps, "" for any other."""
    for mark in marks:
        name, given = read_mark(mark)
        if name in _INJECTING and given:
            return read_text(given[0]).removesuffix(".name") if _is_name(given[0]) else ""
    annotation = node.child_by_field_name("type")
    kind = annotation.named_children[0] if annotation and annotation.named_children else None
    if kind is None:
        return ""
    if kind.type == "type_identifier" and _OF_PROJECT.fullmatch(read_text(kind)):
        return read_text(kind) + ROWS
    if kind.type == "generic_type" and _STORE.fullmatch(read_name(kind)):
        given = [each for part in list_children(kind, "type_arguments") for each in
                 part.named_children]  # fmt: skip
        if given and given[0].type == "type_identifier":
            return read_text(given[0])
    return ""


def _is_name(node: Node) -> bool:
    text = read_text(node).removesuffix(".name")
    return text.isidentifier() and text[:1].isupper()
