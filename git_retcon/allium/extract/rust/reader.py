"""One Rust file by tree-sitter.

A struct is data where it derives a form to be stored or sent in, or where all of its fields are
there for others to read. Enums with data in their variants are states only where they say so.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.records import (
    Member,
    Record,
    describe_record,
    list_choices,
    list_returned,
    make_enumeration,
    make_field,
    read_with_grammar,
)
from git_retcon.allium.extract.grammar.services import Function, list_services
from git_retcon.allium.extract.grammar.statements import Statements, list_set_fields
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.grammar.translated_methods import Method, Parameter, make_method
from git_retcon.allium.extract.rust.dialect import RustDialect, translate_body
from git_retcon.allium.extract.rust.types import GRAMMAR, read_type
from git_retcon.allium.extract.service_operations import spell_answers
from git_retcon.allium.extract.source_facts import (
    Contract,
    Declaration,
    Evidence,
    Field,
    FileFacts,
    Import,
    Operation,
    Rule,
    Type,
)
from git_retcon.allium.extract.spelling import spell_type_name, spell_words

_STORED = frozenset(
    {"Queryable", "Insertable", "Identifiable", "FromRow", "DeriveEntityModel", "Selectable"}
)
_SENT = frozenset(
    {"Serialize", "Deserialize", "Message", "ToSchema", "JsonSchema", "BorshSerialize"}
)
_STATE_NAMES = ("State", "Status", "Phase", "Stage")
_PLAIN_METHODS = frozenset({"new", "default", "fmt", "clone", "eq", "from", "as_str", "builder"})


def read_file(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    return read_with_grammar(lambda root: _read_items(path, root), GRAMMAR, content)


def _read_items(path: bytes, root: Node) -> FileFacts:
    items = [*_list_items(root)]
    methods: dict[str, list[Node]] = {}
    for node, _ in items:
        if node.type == "impl_item":
            name = read_text(node.child_by_field_name("type")).partition("<")[0]
            methods.setdefault(name, []).extend(_list_methods(node))
    enums = {
        read_name(node): _list_members(node)
        for node, marks in items
        if node.type == "enum_item" and _is_plain_enum(node, marks)
    }
    found: list[Declaration] = []
    for name, members in enums.items():
        enum = make_enumeration(path, name, members)
        found += [enum] if enum is not None else []
    aliases: dict[str, Type] = {}
    answers: dict[str, Mapping[str, str]] = {}
    for node, marks in items:
        if node.type == "struct_item":
            record = _read_struct(node, marks, methods.get(read_name(node), []))
            answers[record.symbol] = spell_answers(list_returned(record.methods))
            found += describe_record(path, record, enums)
        elif node.type == "trait_item":
            found += _read_contract(path, node)
        elif node.type == "type_item":
            aliases[read_name(node)] = read_type(read_text(node.child_by_field_name("type")))
    services = list_services(path, _list_functions(items, found), _name_type, lambda name: True)
    imports = _read_imports(path, root)
    return FileFacts(path, found, aliases, imports, [*services], list_choices(enums), answers)


def _list_functions(
    items: Sequence[tuple[Node, str]], found: Sequence[Declaration]
) -> Iterator[Function]:
    """The functions, and the methods that are no rules of their own type."""
    rules = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
    for node, _ in items:
        if node.type == "function_item":
            yield Function(read_name(node), node, _translate_function)
        elif node.type == "impl_item":
            owner = read_text(node.child_by_field_name("type")).partition("<")[0]
            for each in list_children(node.child_by_field_name("body"), "function_item"):
                symbol = f"{owner}.{read_name(each)}"
                if symbol not in rules:
                    yield Function(symbol, each, _translate_function)


def _translate_function(node: Node) -> Statements:
    bodies = Bodies(RustDialect(), Scope("self"))
    return translate_body(node.child_by_field_name("body"), bodies)


def _name_type(node: Node) -> str:
    kind = read_type(read_text(node))
    return "" if kind.arguments else kind.source


def _list_items(root: Node) -> Iterator[tuple[Node, str]]:
    """The items of a file with the text of their attributes; what is only for tests is none."""
    marks = ""
    for node in root.named_children:
        if node.type == "attribute_item":
            marks += read_text(node)
            continue
        if not node.type.endswith("comment"):
            if "cfg(test)" not in marks:
                yield node, marks
            marks = ""


def _list_derived(marks: str) -> frozenset[str]:
    """What attributes derive, by the last parts of the names."""
    words = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in marks)
    return frozenset(words.split())


# Enums


def _is_plain_enum(node: Node, marks: str) -> bool:
    variants = [*list_children(node.child_by_field_name("body"), "enum_variant")]
    is_unit = all(each.child_by_field_name("body") is None for each in variants)
    name = read_name(node)
    is_error = name.endswith("Error") or "Error" in _list_derived(marks)
    return bool(variants) and not is_error and (is_unit or name.endswith(_STATE_NAMES))


def _list_members(node: Node) -> list[Member]:
    names = [
        read_name(each) for each in list_children(node.child_by_field_name("body"), "enum_variant")
    ]
    return [Member(each, spell_words(each)) for each in names]


# Structs


def _read_struct(node: Node, marks: str, methods: Sequence[Node]) -> Record:
    name = read_name(node)
    fields: list[Field] = []
    is_open = True
    for item in list_children(node.child_by_field_name("body"), "field_declaration"):
        kind = read_type(read_text(item.child_by_field_name("type")))
        is_open = is_open and any(each.type == "visibility_modifier" for each in item.children)
        made = make_field(read_name(item), kind)
        fields += [made] if made is not None else []
    derived = _list_derived(marks)
    is_plain = all(read_name(each) in _PLAIN_METHODS for each in methods)
    is_data = not derived.isdisjoint(_SENT | _STORED) or (is_open and is_plain and bool(fields))
    kind_name = "entity" if not derived.isdisjoint(_STORED) and fields else ""
    translated = [
        method
        for each in methods
        if read_name(each) not in _PLAIN_METHODS
        and not _changes_copy(each, method := _translate_method(each), name)
    ]
    return Record(name, fields, translated, (), kind_name, is_data)


def _list_methods(node: Node) -> Iterator[Node]:
    """The methods of an ``impl`` that work on an object; those of traits are the traits'."""
    if node.child_by_field_name("trait") is not None:
        return
    for item in list_children(node.child_by_field_name("body"), "function_item"):
        if any(each.type == "self_parameter" for each in list_inner(item, "parameters")):
            yield item


def _translate_method(node: Node) -> Method:
    parameters = [
        Parameter(
            read_text(each.child_by_field_name("pattern")),
            read_text(each.child_by_field_name("type")) == "bool",
        )
        for each in list_children(node.child_by_field_name("parameters"), "parameter")
    ]
    return make_method(read_name(node), parameters, _translate_function(node))


def _changes_copy(node: Node, method: Method, owner: str) -> bool:
    """Whether a method sets fields of a ``self`` that it takes by value and does not return."""
    taken = next(
        (each for each in list_inner(node, "parameters") if each.type == "self_parameter"), None
    )
    result = read_text(node.child_by_field_name("return_type"))
    is_returned = re.search(rf"\b(?:Self|{re.escape(owner)})\b", result) is not None
    is_lent = read_text(taken).startswith("&")
    return not is_lent and not is_returned and any(list_set_fields(method.node.body))


# Traits


def _read_contract(path: bytes, node: Node) -> Iterator[Declaration]:
    """A trait's methods that others must write."""
    operations: dict[str, Operation] = {}
    for item in list_children(node.child_by_field_name("body"), "function_signature_item"):
        called = make_field(read_name(item), Type("Any"))
        parameters: dict[str, Field] = {}
        for each in list_children(item.child_by_field_name("parameters"), "parameter"):
            kind = read_type(read_text(each.child_by_field_name("type")))
            made = make_field(read_text(each.child_by_field_name("pattern")), kind)
            if made is not None:
                parameters[made.name] = made
        if called is not None:
            result = _read_result(read_text(item.child_by_field_name("return_type")))
            operations[called.name] = Operation(called.name, tuple(parameters.values()), result)
    name = spell_type_name(read_name(node))
    if name is not None and operations:
        yield Contract(name, (Evidence(path, read_name(node)),), tuple(operations.values()))


def _read_result(text: str) -> Type | None:
    is_nothing = not text or text == "()" or text.replace(" ", "").startswith("Result<()")
    return None if is_nothing else read_type(text)


# Imports


def _read_imports(path: bytes, root: Node) -> Mapping[str, Import]:
    found: dict[str, Import] = {}
    for node in list_children(root, "use_declaration"):
        for full, name in _list_uses(node.child_by_field_name("argument"), ""):
            module, _, symbol = full.rpartition("::")
            targets = tuple(_list_files(path, module))
            if targets:
                key = f"*{full}" if symbol == "*" else name
                found[key] = Import(targets, symbol, full)
    return found


def _list_uses(node: Node | None, before: str) -> Iterator[tuple[str, str]]:
    """Each name that a ``use`` brings, in full and as it is called here."""
    if node is None:
        return
    text = read_text(node)
    match node.type:
        case "scoped_use_list":
            path = before + read_text(node.child_by_field_name("path")) + "::"
            for each in list_inner(node, "list"):
                yield from _list_uses(each, path)
        case "use_list":
            for each in list_children(node):
                yield from _list_uses(each, before)
        case "use_as_clause":
            full = before + read_text(node.child_by_field_name("path"))
            yield full, read_text(node.child_by_field_name("alias"))
        case "use_wildcard" | "scoped_identifier" | "identifier":
            yield before + text, text.rpartition("::")[2]


def _list_files(path: bytes, module: str) -> Iterator[bytes]:
    """The files that a module of this crate may be; another crate's are none."""
    parts = module.encode("utf-8", "surrogateescape").split(b"::")
    folder = _find_own_folder(path)
    if parts[0] == b"crate":
        root, found, _ = (path.rpartition(b"src/")[0] + b"src", b"src/" in path, b"")
        folder = root if found else b""
        parts = parts[1:]
    elif parts[0] in (b"self", b"super"):
        while parts and parts[0] in (b"self", b"super"):
            folder = posixpath.dirname(folder) if parts[0] == b"super" else folder
            parts = parts[1:]
    if not parts:
        yield from (posixpath.join(folder, each) for each in (b"mod.rs", b"lib.rs", b"main.rs"))
        yield folder + b".rs"
        return
    base = posixpath.join(folder, *parts)
    yield base + b".rs"
    yield posixpath.join(base, b"mod.rs")


def _find_own_folder(path: bytes) -> bytes:
    """Where the modules of a file lie: ``a.rs`` has them in ``a/``, ``a/mod.rs`` beside it."""
    folder, _, name = path.rpartition(b"/")
    if name in (b"mod.rs", b"lib.rs", b"main.rs"):
        return folder
    return posixpath.join(folder, name.removesuffix(b".rs"))
