"""One Java file by tree-sitter.

A class is data where a mapper stores it, where it is a record, or where its methods only read and
set its fields. What its methods refuse and change are rules.
"""

import posixpath
from collections.abc import Iterator, Mapping, Sequence

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
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.grammar.translated_methods import Method, Parameter, make_method
from git_retcon.allium.extract.java.dialect import JavaDialect
from git_retcon.allium.extract.java.types import GRAMMAR, read_type
from git_retcon.allium.extract.source_facts import (
    Contract,
    Declaration,
    Evidence,
    Field,
    FileFacts,
    Import,
    Operation,
    Type,
    collect,
)
from git_retcon.allium.extract.spelling import spell_type_name, spell_words

_STORED = frozenset({"Entity", "Document", "Table", "MappedSuperclass", "RedisHash", "Node"})
_VALUES = frozenset({"Embeddable", "Value"})
_DATA = frozenset({"Data", "Getter", "Builder", "JsonInclude", "XmlRootElement"})
_RELATIONS = frozenset({"OneToMany", "ManyToMany", "ManyToOne", "OneToOne"})


def read_file(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    return read_with_grammar(lambda root: read_types(path, root, _SYNTAX), GRAMMAR, content)


def _list_marks(node: Node) -> Mapping[str, Node]:
    """The annotations of a declaration by their names."""
    return {
        read_name(mark).rpartition(".")[2]: mark
        for words in list_children(node, "modifiers")
        for mark in list_children(words, "annotation", "marker_annotation")
    }


def _has_word(node: Node, word: str) -> bool:
    return any(
        each.type == word for words in list_children(node, "modifiers") for each in words.children
    )


def _read_class(symbol: str, node: Node) -> Record:
    marks = _list_marks(node).keys()
    body = node.child_by_field_name("body")
    fields = [*_list_fields(body)]
    is_record = node.type == "record_declaration"
    for each in list_inner(node, "parameters") if is_record else ():
        made = make_field(read_name(each), _read_type(each))
        fields += [made] if made is not None else []
    methods = [
        each for each in list_children(body, "method_declaration") if not _has_word(each, "static")
    ]
    own = [each.symbol for each in fields] + [read_name(each) for each in methods]
    kind = "entity" if marks & _STORED else "value" if marks & _VALUES or is_record else ""
    known = {each.symbol.lower() for each in fields}
    is_data = bool(marks & _DATA) or all(_is_accessor(each, known) for each in methods)
    base = node.child_by_field_name("superclass")
    bases = tuple(read_text(each).partition("<")[0] for each in list_children(base))
    translated = [_translate_method(each, own) for each in methods]
    return Record(symbol, fields, translated, bases, kind, is_data and bool(fields))


def _is_accessor(node: Node, fields: set[str]) -> bool:
    """``getTotal``, ``setTotal``, ``isOpen``, and what compares and shows."""
    name = read_name(node)
    stem = name.removeprefix("get").removeprefix("set").removeprefix("is").lower()
    return stem in fields or name in ("equals", "hashCode", "toString", "compareTo")


def _list_fields(body: Node | None) -> Iterator[Field]:
    for item in list_children(body, "field_declaration"):
        marks = _list_marks(item)
        if _has_word(item, "static") or "Transient" in marks or _has_word(item, "transient"):
            continue
        kind = _relate_type(_read_type(item), marks)
        for each in list_children(item, "variable_declarator"):
            made = make_field(read_name(each), kind)
            if made is not None:
                yield made


def _read_type(node: Node) -> Type:
    text = read_text(node.child_by_field_name("type"))
    return read_type(text)


def _relate_type(kind: Type, marks: Mapping[str, Node]) -> Type:
    """``@OneToMany(mappedBy = "order") List<Line>``; a column that may be null."""
    relation = next((mark for name, mark in marks.items() if name in _RELATIONS), None)
    is_many = bool(kind.arguments)
    target = kind.arguments[0] if is_many else kind
    if relation is not None and target.source:
        found = target._replace(is_relation=True)
        back = _read_word(relation, "mappedBy")
        if not is_many:
            return found
        # Which field leads back is known only where there is one: an own table has both sides.
        is_owned = back and "OneToMany" in marks
        return found._replace(back=spell_words(back)) if is_owned else collect(found, "Set")
    is_nullable = "Nullable" in marks or (
        "Column" in marks and _read_word(marks["Column"], "nullable") == "true"
    )
    return kind._replace(is_optional=True) if is_nullable and not is_many else kind


def _read_word(mark: Node, word: str) -> str:
    for pair in list_inner(mark, "arguments"):
        if read_text(pair.child_by_field_name("key")) == word:
            return read_text(pair.child_by_field_name("value")).strip('"')
    return ""


def _translate_method(node: Node, own: Sequence[str]) -> Method:
    parameters = [
        Parameter(read_name(each), read_text(each.child_by_field_name("type")) == "boolean")
        for each in list_children(node.child_by_field_name("parameters"), "formal_parameter")
    ]
    body = node.child_by_field_name("body")
    members = find_members(own, body, (each.name for each in parameters))
    bodies = Bodies(JavaDialect(), Scope("this", members))
    return make_method(read_name(node), parameters, bodies.translate_block([body]))


def _read_contract(path: bytes, symbol: str, node: Node) -> Iterator[Declaration]:
    operations: dict[str, Operation] = {}
    for item in list_children(node.child_by_field_name("body"), "method_declaration"):
        called = make_field(read_name(item), Type("Any"))
        if called is None or item.child_by_field_name("body") is not None:
            continue
        parameters = {
            made.name: made
            for each in list_children(item.child_by_field_name("parameters"), "formal_parameter")
            if (made := make_field(read_name(each), _read_type(each))) is not None
        }
        is_void = read_text(item.child_by_field_name("type")) == "void"
        result = None if is_void else _read_type(item)
        operations.setdefault(
            called.name, Operation(called.name, tuple(parameters.values()), result)
        )
    name = spell_type_name(symbol)
    if name is not None and operations:
        yield Contract(name, (Evidence(path, symbol),), tuple(operations.values()))


def _read_imports(path: bytes, root: Node) -> Mapping[str, Import]:
    """The files of a package lie in the folder of its name, all below one root."""
    folder = posixpath.dirname(path)
    package = next(list_children(root, "package_declaration"), None)
    name = read_text(next(list_children(package), None)).replace(".", "/").encode()
    root_folder = folder.removesuffix(name).rstrip(b"/") if folder.endswith(name) else folder
    found = {"*": Import((posixpath.join(folder, b"*.java"),), "*", "")}
    for each in list_children(root, "import_declaration"):
        full = read_text(next(list_children(each), None))
        place = posixpath.join(root_folder, full.replace(".", "/").encode())
        if any(child.type == "asterisk" for child in each.children):
            found[f"*{full}"] = Import((posixpath.join(place, b"*.java"),), "*", full)
        else:
            symbol = full.rpartition(".")[2]
            found[symbol] = Import((place + b".java",), symbol, full)
    return found


def _translate_service(node: Node) -> Statements:
    bodies = Bodies(JavaDialect(), Scope("this"))
    return bodies.translate_block([node.child_by_field_name("body")])


_SYNTAX = TypeSyntax(
    (), "enum_constant", _read_class, _read_contract, _read_imports, _translate_service, read_type
)
