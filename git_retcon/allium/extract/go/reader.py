"""One Go file by tree-sitter.

A struct is data where its fields have tags, or are all there for others to read. The constants of a
type are its enum. All files of a folder see one another.
"""

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.go.dialect import GoDialect, list_late_nodes
from git_retcon.allium.extract.go.types import GRAMMAR, read_type
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
from git_retcon.allium.extract.grammar.statements import Statements, forget_field, list_set_fields
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.grammar.translated_methods import Method, Parameter, make_method
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

# Bases and tags that say: this is stored, with an identity.
_STORED_BASES = frozenset({"gorm.Model", "bun.BaseModel", "ent.Schema", "mgm.DefaultModel"})
_STORED_TAGS = ("gorm:", "bun:", "xorm:", "db:", "pg:", 'bson:"_id')
_HIDDEN_TAGS = ('gorm:"-"', 'bun:"-"', 'db:"-"')
# Methods that only say how the data is shown, stored or compared; where one sets a state to a
# constant, its name is a verb of the domain.
_PLAIN_METHODS = frozenset(
    {"String", "GoString", "Error", "TableName", "MarshalJSON", "UnmarshalJSON", "MarshalText",
     "UnmarshalText", "Value", "Scan", "Validate", "Equal", "Clone", "Copy", "Reset"}
)  # fmt: skip


def read_file(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    return read_with_grammar(_Reader(path, _is_generated(content)).read, GRAMMAR, content)


def _is_generated(content: bytes) -> bool:
    """By the line that Go itself asks of generators (``go help generate``)."""
    pattern = rb"(?m)^// Code generated .* DO NOT EDIT\.\r?$"
    return re.search(pattern, content) is not None


class _Reader:
    def __init__(self, path: bytes, is_generated: bool) -> None:
        self._path = path
        self._is_generated = is_generated
        self._enums: dict[str, list[Member]] = {}
        self._scalars: dict[str, Type] = {}
        self._constants: dict[str, ast.expr] = {}
        self._answers: dict[str, Mapping[str, str]] = {}

    def read(self, root: Node) -> FileFacts:
        specs = [
            spec
            for node in list_children(root, "type_declaration")
            for spec in list_children(node, "type_spec", "type_alias")
        ]
        types = {read_name(each): each.child_by_field_name("type") for each in specs}
        self._scalars = {
            name: read_type(read_text(written))
            for name, written in types.items()
            if written is not None
            and written.type in ("type_identifier", "qualified_type", "slice_type")
        }
        for group in list_children(root, "const_declaration"):
            self._read_constants(group)
        methods = self._group_methods(root)
        found: list[Declaration] = []
        for name, members in self._enums.items():
            enum = make_enumeration(self._path, name, members)
            found += [enum] if enum is not None else []
        for name, written in types.items():
            found += self._declare_type(name, written, methods.get(name, []))
        aliases = {
            name: kind
            for name, kind in self._scalars.items()
            if name not in self._enums and kind.source != name
        }
        services = list_services(
            self._path, self._list_functions(root, found), _name_type, lambda name: True
        )
        return FileFacts(
            self._path, found, aliases, _read_imports(self._path, root), [*services],
            list_choices(self._enums), self._answers,
        )  # fmt: skip

    def _list_functions(self, root: Node, found: Sequence[Declaration]) -> Iterator[Function]:
        """The functions, and the methods that are no rules of their own type."""
        rules = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
        for node in list_children(root, "function_declaration"):
            yield Function(read_name(node), node, self._translate_body)
        for owner, methods in self._group_methods(root).items():
            for node in methods:
                symbol = f"{owner}.{read_name(node)}"
                if symbol not in rules:
                    yield Function(symbol, node, self._translate_body)

    def _declare_type(
        self, name: str, node: Node | None, methods: Sequence[Node]
    ) -> Iterator[Declaration]:
        if node is None:
            return
        if node.type == "interface_type":
            yield from _read_contract(self._path, name, node)
        elif node.type == "struct_type":
            record = self._read_struct(name, node, methods)
            self._answers[name] = spell_answers(list_returned(record.methods))
            yield from describe_record(self._path, record, self._enums)

    # Constants

    def _read_constants(self, group: Node) -> None:
        """``const ( New Status = iota; Paid )``: a constant without a value repeats the last."""
        kind = ""
        for spec in list_children(group, "const_spec"):
            has_value = spec.child_by_field_name("value") is not None
            written = read_text(spec.child_by_field_name("type"))
            kind = written if has_value else kind
            if kind in self._scalars and self._scalars[kind].name in ("String", "Integer"):
                for name in spec.children_by_field_name("name"):
                    self._add_member(kind, read_text(name))

    def _add_member(self, kind: str, symbol: str) -> None:
        if symbol == "_":
            return
        name = _strip_type(symbol, kind)
        self._enums.setdefault(kind, []).append(Member(symbol, name))
        self._constants[symbol] = _name_value(kind, name)

    # Structs

    def _read_struct(self, name: str, node: Node, methods: Sequence[Node]) -> Record:
        fields: list[Field] = []
        bases: list[str] = []
        tags: list[str] = []
        is_open = True
        for item in list_children(next(list_children(node), None), "field_declaration"):
            tag = read_text(item.child_by_field_name("tag")).strip("`")
            tags += [tag] if tag else []
            kind = read_text(item.child_by_field_name("type"))
            names = [read_text(each) for each in item.children_by_field_name("name")]
            if not names:
                bases.append(kind.lstrip("*").partition("[")[0])
            if any(each in tag for each in _HIDDEN_TAGS):
                continue
            is_open = is_open and all(each[:1].isupper() for each in names)
            made = (make_field(each, read_type(kind)) for each in names)
            fields += [each for each in made if each is not None]
        is_stored = not _STORED_BASES.isdisjoint(bases) or any(
            each in tag for tag in tags for each in _STORED_TAGS
        )
        # What is checked when data is shown or stored is no operation on it.
        operations = [
            (each, method)
            for each in methods
            if not self._is_plain(method := self._translate_method(each, fields), fields)
        ]
        is_data = bool(tags) or (is_open and not operations and name[:1].isupper())
        translated = [method for node, method in operations if not _changes_copy(node, method)]
        kind = "entity" if is_stored else ""
        return Record(name, fields, translated, tuple(bases), kind, is_data)

    def _is_plain(self, method: Method, fields: Sequence[Field]) -> bool:
        if method.symbol not in _PLAIN_METHODS:
            return False
        kinds = {each.symbol: each.type.source.rpartition(".")[2] for each in fields}
        return self._is_generated or not any(
            isinstance(value, ast.Attribute)
            and isinstance(value.value, ast.Name)
            and value.value.id == kinds.get(name)
            for name, value in list_set_fields(method.node.body)
        )

    def _translate_method(self, node: Node, fields: Sequence[Field]) -> Method:
        constants = {**self._constants, **_guess_constants(node, fields, self._constants)}
        parameters = [
            Parameter(read_text(name), read_text(each.child_by_field_name("type")) == "bool")
            for each in list_inner(node, "parameters")
            for name in each.children_by_field_name("name")
        ]
        return make_method(read_name(node), parameters, self._translate(node, constants))

    def _translate_body(self, node: Node) -> Statements:
        return self._translate(node, self._constants)

    def _translate(self, node: Node, constants: Mapping[str, ast.expr]) -> Statements:
        receiver = next(list_children(node.child_by_field_name("receiver")), None)
        subject = read_name(receiver) if receiver is not None else ""
        bodies = Bodies(GoDialect(), Scope(subject, (), constants))
        block = node.child_by_field_name("body")
        body = bodies.translate_block([block])
        # What runs when the method is over, or beside it, may undo what the method itself sets.
        late = bodies.translate_block(list_late_nodes(block))
        for name in {name for name, _ in list_set_fields(late)}:
            forget_field(body, name)
        return body

    def _group_methods(self, root: Node) -> Mapping[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in list_children(root, "method_declaration"):
            receiver = next(list_children(node.child_by_field_name("receiver")), None)
            kind = receiver.child_by_field_name("type") if receiver is not None else None
            name = read_text(kind).lstrip("*").partition("[")[0]
            found.setdefault(name, []).append(node)
        return found


def _name_type(node: Node) -> str:
    kind = read_type(read_text(node))
    return "" if kind.arguments else kind.source


def _changes_copy(node: Node, method: Method) -> bool:
    """Whether a method sets fields of a receiver that is its own copy, and does not return it."""
    receiver = next(list_children(node.child_by_field_name("receiver")), None)
    kind = receiver.child_by_field_name("type") if receiver is not None else None
    if kind is None or kind.type == "pointer_type":
        return False
    name = read_text(kind).partition("[")[0]
    result = read_text(node.child_by_field_name("result"))
    is_returned = re.search(rf"\b{re.escape(name)}\b", result) is not None
    return not is_returned and any(list_set_fields(method.node.body))


def _strip_type(symbol: str, kind: str) -> str:
    """``StatusInWork`` of the type ``Status`` or ``OrderStatus`` → ``in_work``."""
    words = spell_words(kind).split("_")
    name = spell_words(symbol)
    for length in range(len(words), 0, -1):
        prefix = "_".join(words[-length:]) + "_"
        if name.startswith(prefix) and name != prefix:
            return name.removeprefix(prefix)
    return name


def _name_value(kind: str, name: str) -> ast.expr:
    return ast.Attribute(value=ast.Name(kind.rpartition(".")[2]), attr=name.upper())


def _guess_constants(
    node: Node, fields: Sequence[Field], known: Mapping[str, ast.expr]
) -> Mapping[str, ast.expr]:
    """Constants of enums in other files, which begin with the name of their type."""
    kinds = {each.type.source for each in fields if each.type.source and not each.type.arguments}
    found: dict[str, ast.expr] = {}
    for name in _list_names(node):
        for kind in kinds:
            last = kind.rpartition(".")[2]
            rest = name.removeprefix(last)
            if rest != name and rest[:1].isupper() and name not in known:
                found[name] = _name_value(last, spell_words(rest))
    return found


def _list_names(node: Node) -> Iterator[str]:
    if node.type in ("identifier", "field_identifier"):
        yield read_text(node)
    for each in node.named_children:
        yield from _list_names(each)


def _read_contract(path: bytes, symbol: str, node: Node) -> Iterator[Declaration]:
    """An interface with methods that others can have."""
    name = spell_type_name(symbol)
    operations: dict[str, Operation] = {}
    for item in list_children(node, "method_elem"):
        called = make_field(read_name(item), Type("Any"))
        if called is None or not called.symbol[:1].isupper():
            continue
        parameters: dict[str, Field] = {}
        for each in list_inner(item, "parameters"):
            kind = read_text(each.child_by_field_name("type"))
            for given in each.children_by_field_name("name"):
                made = make_field(read_text(given), read_type(kind))
                if made is not None and kind != "context.Context":
                    parameters[made.name] = made
        result = _read_result(item.child_by_field_name("result"))
        operations[called.name] = Operation(called.name, tuple(parameters.values()), result)
    if name is not None and operations and symbol[:1].isupper():
        yield Contract(name, (Evidence(path, symbol),), tuple(operations.values()))


def _read_result(node: Node | None) -> Type | None:
    """What is returned beside an error."""
    if node is None:
        return None
    listed = list_children(node) if node.type == "parameter_list" else iter([node])
    texts = [read_text(each.child_by_field_name("type") or each) for each in listed]
    kinds = [text for text in texts if text != "error"]
    if not kinds:
        return None
    return read_type(kinds[0]) if len(kinds) == 1 else Type("Any")


def _read_imports(path: bytes, root: Node) -> Mapping[str, Import]:
    folder = posixpath.dirname(path)
    found = {"*": Import((posixpath.join(folder, b"*.go"),), "*", "")}
    for declaration in list_children(root, "import_declaration"):
        specs = [*list_children(declaration, "import_spec")]
        for group in list_children(declaration, "import_spec_list"):
            specs += list_children(group, "import_spec")
        for spec in specs:
            full = read_text(spec.child_by_field_name("path")).strip('"`')
            name = read_name(spec) or full.rpartition("/")[2]
            found[name] = Import(tuple(_list_folders(folder, full)), "", full)
    return found


def _list_folders(folder: bytes, full: str) -> Iterator[bytes]:
    """The folders that a package may be, below any folder above the file; the longest first.

    What begins with no host, such as ``errors``, is the standard library's.
    """
    parts = full.encode("utf-8", "surrogateescape").split(b"/")
    above = folder.split(b"/") if folder else []
    for start in range(1, len(parts)):
        for length in range(len(above) + 1):
            yield posixpath.join(*above[:length], *parts[start:], b"*.go")
