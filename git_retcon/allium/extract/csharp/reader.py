"""One C# file by tree-sitter.

A class is data where it is stored, where it is a record, or where it has nothing but properties.
What its methods refuse and change are rules.
"""

import ast
import functools
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.csharp.dialect import CSharpDialect
from git_retcon.allium.extract.csharp.types import GRAMMAR, read_type
from git_retcon.allium.extract.grammar.implied_members import find_members
from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.nested_types import TypeSyntax, read_types
from git_retcon.allium.extract.grammar.records import (
    Record,
    make_field,
    read_with_grammar,
)
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    read_name,
    read_text,
)
from git_retcon.allium.extract.grammar.translated_methods import (
    Method,
    Parameter,
    make_method,
    make_property,
)
from git_retcon.allium.extract.source_facts import (
    Contract,
    Declaration,
    Evidence,
    Field,
    FileFacts,
    Import,
    Operation,
    Type,
)
from git_retcon.allium.extract.spelling import spell_type_name

_STORED = frozenset({"Table", "Entity", "Key", "BsonId"})
_STORED_BASES = frozenset({"Entity", "BaseEntity", "AggregateRoot", "IdentityUser",
                           "AuditableEntity"})  # fmt: skip


def read_file(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    return read_with_grammar(
        lambda root: read_types(path, root, _SYNTAX), GRAMMAR, content.removeprefix(b"\xef\xbb\xbf")
    )


def _list_marks(node: Node) -> frozenset[str]:
    return frozenset(
        read_name(mark)
        for group in list_children(node, "attribute_list")
        for mark in list_children(group, "attribute")
    )


def _has_word(node: Node, *words: str) -> bool:
    return any(read_text(each) in words for each in list_children(node, "modifier"))


def _read_class(symbol: str, node: Node) -> Record:
    body = node.child_by_field_name("body")
    properties = [
        each
        for each in list_children(body, "property_declaration")
        if not _has_word(each, "static")
    ]
    stored = [each for each in properties if not _is_computed(each)]
    methods = [
        each for each in list_children(body, "method_declaration") if not _has_word(each, "static")
    ]
    fields = [*_list_parameters(next(list_children(node, "parameter_list"), None))]
    fields = fields if node.type == "record_declaration" else []
    made = (make_field(read_name(each), _read_type(each)) for each in stored)
    fields += [each for each in made if each is not None]
    fields += _list_private(body)
    own = [read_name(each) for each in (*properties, *methods)]
    own += [each.symbol for each in fields]
    listed = list_children(next(list_children(node, "base_list"), None))
    bases = tuple(read_text(each).partition("<")[0] for each in listed)
    marks = _list_marks(node).union(*map(_list_marks, stored))
    is_stored = bool(marks & _STORED) or not _STORED_BASES.isdisjoint(bases)
    kind = "entity" if is_stored else "value" if node.type == "record_declaration" else ""
    translated = [_translate_method(each, own) for each in methods]
    translated += [_translate_property(each, own) for each in properties if each not in stored]
    is_data = bool(stored) and not methods
    # What an interface asks for is no data.
    classes = tuple(each for each in bases if not _is_interface(each))
    return Record(symbol, fields, translated, classes, kind, is_data)


def _is_interface(name: str) -> bool:
    return name[:1] == "I" and name[1:2].isupper()


def _is_computed(node: Node) -> bool:
    """``bool IsNew => ...``, or a getter with a body."""
    accessors = node.child_by_field_name("accessors")
    return accessors is None or "{" in read_text(accessors)[1:] or "=>" in read_text(accessors)


def _list_private(body: Node | None) -> Iterator[Field]:
    """Fields that are no properties; what an interface provides is a part of the machinery."""
    for item in list_children(body, "field_declaration"):
        declaration = next(list_children(item, "variable_declaration"), None)
        if declaration is None or _has_word(item, "static", "const"):
            continue
        kind = read_text(declaration.child_by_field_name("type"))
        is_machinery = _is_interface(kind) and "<" not in kind
        for each in list_children(declaration, "variable_declarator"):
            made = make_field(read_name(each), read_type(kind))
            if made is not None and not is_machinery:
                yield made


def _read_type(node: Node) -> Type:
    part = node.child_by_field_name("type") or node.child_by_field_name("returns")
    return read_type(read_text(part))


def _list_parameters(node: Node | None) -> Iterator[Field]:
    for each in list_children(node, "parameter"):
        made = make_field(read_name(each), _read_type(each))
        if made is not None:
            yield made


def _translate_method(node: Node, own: Sequence[str]) -> Method:
    parameters = [
        Parameter(read_name(each), read_text(each.child_by_field_name("type")) == "bool")
        for each in list_children(node.child_by_field_name("parameters"), "parameter")
    ]
    body = node.child_by_field_name("body")
    members = find_members(own, body, (each.name for each in parameters))
    bodies = Bodies(CSharpDialect(), Scope("this", members))
    return make_method(read_name(node), parameters, bodies.translate_block([body]))


def _translate_property(node: Node, own: Sequence[str]) -> Method:
    """``bool IsNew => Status == Status.New``."""
    bodies = Bodies(CSharpDialect(), Scope("this", own))
    value = node.child_by_field_name("value")
    inner = next(list_children(value), None)
    return make_property(read_name(node), [ast.Return(value=bodies.translate(inner))])


def _read_contract(path: bytes, symbol: str, node: Node) -> Iterator[Declaration]:
    operations: dict[str, Operation] = {}
    for item in list_children(node.child_by_field_name("body"), "method_declaration"):
        called = make_field(read_name(item), Type("Any"))
        if called is None or item.child_by_field_name("body") is not None:
            continue
        given = item.child_by_field_name("parameters")
        parameters = {
            each.name: each
            for each in _list_parameters(given)
            if each.type.source != "CancellationToken"
        }
        is_void = read_text(item.child_by_field_name("returns")) in ("void", "Task", "ValueTask")
        result = None if is_void else _read_type(item)
        operations.setdefault(
            called.name, Operation(called.name, tuple(parameters.values()), result)
        )
    name = spell_type_name(symbol)
    if name is not None and operations:
        yield Contract(name, (Evidence(path, symbol),), tuple(operations.values()))


def _read_imports(path: bytes, root: Node) -> Mapping[str, Import]:
    """A namespace is usually a folder, below any folder above the file."""
    folder = posixpath.dirname(path)
    found = {"*": Import((posixpath.join(folder, b"*.cs"),), "*", "")}
    for each in list_children(root, "using_directive"):
        names = [*list_children(each, "identifier", "qualified_name")]
        full = read_text(names[-1]) if names else ""
        if full and not _system_pattern().match(full):
            found[f"*{full}"] = Import(tuple(_list_folders(folder, full)), "*", full)
    return found


def _list_folders(folder: bytes, full: str) -> Iterator[bytes]:
    """``Shop.People`` as ``Shop/People``, ``Shop.People`` and ``People``."""
    parts = full.encode("utf-8", "surrogateescape").split(b".")
    above = folder.split(b"/") if folder else []
    inner = [b"/".join(parts), full.encode()]
    inner += [b"/".join(parts[start:]) for start in range(1, len(parts))]
    for each in inner:
        for length in range(len(above) + 1):
            yield posixpath.join(*above[:length], each, b"*.cs")


@functools.cache
def _system_pattern() -> "re.Pattern[str]":
    return re.compile(r"(?:System|Microsoft|Newtonsoft)\b")


def _translate_service(node: Node) -> Statements:
    bodies = Bodies(CSharpDialect(), Scope("this"))
    return bodies.translate_block([node.child_by_field_name("body")])


_SYNTAX = TypeSyntax(
    ("namespace_declaration", "file_scoped_namespace_declaration"),
    "enum_member_declaration",
    _read_class,
    _read_contract,
    _read_imports,
    _translate_service,
    read_type,
)
