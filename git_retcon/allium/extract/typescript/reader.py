"""One TypeScript or JavaScript file by tree-sitter: interfaces, types, enums, classes, guards."""

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar import syntax_nodes
from git_retcon.allium.extract.grammar.element_types import list_elements, list_parts
from git_retcon.allium.extract.grammar.records import read_with_grammar
from git_retcon.allium.extract.grammar.services import list_endings, list_services, sets_other
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.constants import spell_all_lists
from git_retcon.allium.extract.service_operations import (
    find_classes_with_imported_types,
    find_heirs,
)
from git_retcon.allium.extract.source_facts import (
    DEFAULT,
    Choice,
    Contract,
    Declaration,
    Enumeration,
    Evidence,
    FileFacts,
    Import,
    Rule,
    ServiceOperation,
    Shape,
    Type,
    refer,
)
from git_retcon.allium.extract.spelling import (
    name_values,
    spell_type_name,
)
from git_retcon.allium.extract.typescript.applied_events import apply_events
from git_retcon.allium.extract.typescript.browser_types import list_browser_values
from git_retcon.allium.extract.typescript.class_declarations import ClassSurroundings, read_class
from git_retcon.allium.extract.typescript.class_functions import list_functions, name_type
from git_retcon.allium.extract.typescript.constant_objects import (
    ConstantObjects,
    read_constant_objects,
    read_exported,
)
from git_retcon.allium.extract.typescript.constant_values import Values, list_alone, list_values
from git_retcon.allium.extract.typescript.copied_objects import move_copied
from git_retcon.allium.extract.typescript.declared_machines import read_machines
from git_retcon.allium.extract.typescript.given_names import (
    list_symbols,
    name_classes,
    name_kept,
    name_members,
    name_twice_imported,
    place_symbols,
)
from git_retcon.allium.extract.typescript.given_words import list_given_words
from git_retcon.allium.extract.typescript.hidden_names import name_hidden
from git_retcon.allium.extract.typescript.imported_files import (
    PLAIN,
    find_exported,
    list_imports,
    list_required,
)
from git_retcon.allium.extract.typescript.imported_tables import ask_imported
from git_retcon.allium.extract.typescript.interfaces import list_bases, read_interface
from git_retcon.allium.extract.typescript.method_tables import lift_tables
from git_retcon.allium.extract.typescript.mixed_fields import set_mixed
from git_retcon.allium.extract.typescript.module_constants import read_constants
from git_retcon.allium.extract.typescript.nested_enums import is_ambient, list_members, list_nested
from git_retcon.allium.extract.typescript.object_unions import (
    ObjectUnion,
    list_unions,
)
from git_retcon.allium.extract.typescript.opened_props import open_props
from git_retcon.allium.extract.typescript.outer_statements import (
    find_kept,
    find_registered,
    list_statements,
)
from git_retcon.allium.extract.typescript.outside_types import (
    list_outside_choices,
    list_outside_enums,
    list_outside_texts,
)
from git_retcon.allium.extract.typescript.refusing_methods import refuse_by_methods
from git_retcon.allium.extract.typescript.row_stores import read_stores
from git_retcon.allium.extract.typescript.schema_folders import import_models, is_client
from git_retcon.allium.extract.typescript.slices import list_reducers
from git_retcon.allium.extract.typescript.spelled_constants import spell_constants
from git_retcon.allium.extract.typescript.state_predicates import read_predicates
from git_retcon.allium.extract.typescript.taken_constants import NO_NAMES, list_outer_names
from git_retcon.allium.extract.typescript.types import read_type
from git_retcon.allium.extract.typescript.value_classes import write_enums
from git_retcon.allium.extract.typescript.valued_states import ask_valued
from git_retcon.allium.extract.typescript.view_components import are_properties

_GRAMMAR = "tree_sitter_typescript"
# What is done to a source before it is read, one after the other.
_REWRITING = (
    name_hidden, spell_constants, open_props, set_mixed, move_copied, write_enums, ask_valued,
    apply_events, lift_tables, ask_imported,
)  # fmt: skip
_CONSTRUCTOR = ".constructor"  # what makes an object is no operation of it, nor of others
_DECLARING = frozenset(
    {"interface_declaration", "type_alias_declaration", "enum_declaration", "class_declaration",
     "abstract_class_declaration", "class"}
)  # fmt: skip


def is_available() -> bool:
    """Whether the extra ``typescript`` is installed."""
    return syntax_nodes.is_available(_GRAMMAR)


def read_typescript(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    language = "language_typescript" if path.endswith(PLAIN) else "language_tsx"
    symbols = list_symbols(content)
    content = name_kept(name_twice_imported(content))
    content = name_members(name_classes(content), symbols)
    if path.endswith(PLAIN):
        for rewrite in _REWRITING:
            content = rewrite(content, _GRAMMAR, language)
    found = read_with_grammar(_Reader(path).read, _GRAMMAR, content, language)
    if found is None or not symbols:
        return found
    return found._replace(declarations=place_symbols(found.declarations, symbols))


class _Reader:
    def __init__(self, path: bytes) -> None:
        self._path = path
        self._content = b""
        self._imports: dict[str, Import] = {}
        self._aliases: dict[str, Type] = {}
        self._enums: dict[str, Enumeration] = {}
        self._objects = ConstantObjects((), {}, {})
        self._answers: dict[str, Mapping[str, str]] = {}
        self._setters: dict[str, Sequence[str]] = {}
        self._unions: Mapping[str, ObjectUnion] = {}
        self._constants: Mapping[str, ast.expr] = {}
        self._values: Values = {}
        self._outer = NO_NAMES
        self._named: dict[str, tuple[Choice, ...]] = {}
        self._exported: tuple[Choice, ...] = ()
        self._alone: Mapping[str, Sequence[Choice]] = {}
        self._predicates: Mapping[str, ast.Lambda] = {}
        self._methods: dict[str, Mapping[str, Function]] = {}  # of each class, as bodies call them

    def read(self, root: Node) -> FileFacts:
        self._content = root.text or b""
        found: list[Declaration] = []
        classes: list[tuple[Node, Sequence[Node]]] = []
        statements = [*list_statements(root.named_children)]
        for node in statements:
            declared = self._open_statement(node)
            if declared.type in _DECLARING:
                marks = [e for e in node.named_children if e.type == "decorator"]
                inner = () if declared is node else declared.named_children
                marks += [each for each in inner if each.type == "decorator"]
                if "class" in declared.type:
                    classes.append((declared, marks))
                found += self._read_node(declared)
        found += self._read_nested(statements, classes)
        self._objects = read_constant_objects(self._path, statements, self._imports)
        found += self._objects.enums
        # Their enums may be below them.
        self._enums |= {e.evidence[0].symbol: e for e in found if isinstance(e, Enumeration)}
        self._read_constants(statements, bool(classes))
        words = functools.cache(lambda: list_given_words(root, self._objects.choices))
        found += self._read_classes(classes, words)
        self._aliases |= list_outside_enums(self._content, self._imports) if classes else {}
        names = {name for each in found for name in (each.name, each.evidence[0].symbol)}
        machines = [*read_machines(self._path, root, self._imports, names)]
        sources = {each.full_name.rpartition(".")[0] for each in self._imports.values()}
        services = [*self._list_services(root, found, any(map(is_client, sources)))]
        self._imports |= import_models(self._path, services, sorted(sources))
        return FileFacts(
            self._path, [*_merge_shapes(found), *machines], self._aliases, self._imports, services,
            {**list_outside_choices(self._aliases), **self._alone, **self._objects.choices,
             **self._named, DEFAULT: self._exported}, self._answers,
            self._spell_lists(), self._setters,
        )  # fmt: skip

    def _read_nested(
        self, statements: Sequence[Node], classes: list[tuple[Node, Sequence[Node]]]
    ) -> Iterator[Enumeration]:
        """The enums inside namespaces, also under the names that these have there; the classes are
        added to those at the top.
        """
        nested = [*list_nested(statements)]
        names = [read_name(each) for each in (*statements, *(each for _, each in nested))]
        names += [read_name(each) for each, _ in classes]
        for above, declared in nested:
            name = read_name(declared)
            is_one = names.count(name) == 1 and name not in self._imports
            if "class" in declared.type and is_one and not is_ambient(declared):
                classes.append((declared, [*list_children(declared, "decorator")]))
            for each in self._read_node(declared, above):
                if isinstance(each, Enumeration):
                    if is_one:
                        self._enums[name] = each
                        self._aliases[name] = refer(f"{above}{name}")
                    yield each

    def _open_statement(self, node: Node) -> Node:
        """What a statement at the top declares; what it imports and exports is noted."""
        declared = node
        match node.type:
            case "import_statement":
                self._imports |= dict(list_imports(self._path, node))
            case "export_statement":
                declared = node.child_by_field_name("declaration") or node
                if any(each.type == "default" for each in node.children):
                    self._read_default(node.child_by_field_name("value") or declared)
                if declared is node:
                    self._imports |= dict(list_imports(self._path, node))
                declared = find_registered(declared) or declared
            case "lexical_declaration" | "variable_declaration":
                self._imports |= dict(list_required(self._path, node))
                declared = find_registered(node) or node
            case "expression_statement":
                exported = find_exported(node)
                if exported is not None:
                    self._read_default(exported)
                    return exported
                declared = find_kept(node) or node
        return declared

    def _spell_lists(self) -> Mapping[str, str]:
        """The lists, and the answers about what is given, that other files may name."""
        answers = {name: ast.unparse(each) for name, each in self._predicates.items()}
        return {**spell_all_lists(self._constants), **answers}

    def _read_constants(self, nodes: Sequence[Node], has_classes: bool) -> None:
        self._aliases |= self._objects.aliases
        constants = read_constants(nodes)
        self._predicates = read_predicates(nodes, constants)
        self._constants = {**constants, **self._predicates}
        self._unions = list_unions(nodes)
        # What belongs to an enum is a state already.
        found = list_values(nodes)
        self._outer = list_outer_names(nodes) if has_classes else self._outer
        self._alone = list_alone(found)
        browser = list_browser_values(self._content, self._imports) if has_classes else {}
        listed = {**browser, **found}.items() if has_classes else ()
        self._values = {k: v for k, v in listed if k.rpartition(".")[0] not in self._enums}

    def _read_classes(
        self,
        classes: Iterable[tuple[Node, Sequence[Node]]],
        words: Callable[[], frozenset[str]],
    ) -> Iterator[Declaration]:
        around = ClassSurroundings(
            self._path, self._content, self._imports, self._enums, self._objects, self._unions,
            self._constants, self._values, words, self._outer,
        )  # fmt: skip
        texts: list[tuple[str, Sequence[str]]] = []
        for declared, marks in classes:
            read, symbol = read_class(declared, marks, around), read_name(declared)
            texts += read.texts
            self._methods[symbol] = read.methods
            self._answers |= {symbol: read.answers} if read.answers else {}
            self._setters |= {symbol: read.setters} if read.setters else {}
            self._named |= read.choices
            yield from read.declarations
        self._aliases |= list_outside_texts(texts)

    def _list_services(
        self, root: Node, found: Sequence[Declaration], has_client: bool
    ) -> Iterator[ServiceOperation]:
        """The operations of the file; where it ``has_client``, schemas may have any type."""
        rules = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
        shapes = [each for each in found if isinstance(each, Shape)]
        types = {*self._imports, *(each.evidence[0].symbol for each in shapes)}
        stateful = find_classes_with_imported_types(shapes, self._imports)
        incomplete = {*find_heirs(shapes, types), *stateful}
        elements = {each.evidence[0].symbol: list_elements(each.fields) for each in shapes}
        parts = {each.evidence[0].symbol: list_parts(each.fields, self._methods) for each in shapes}
        functions = (
            each
            for each in (*list_functions(root), *list_reducers(root, self._imports))
            if (
                each.symbol not in rules
                or (owner := each.symbol.rpartition(".")[0]) in stateful
                or ((elements.get(owner) or parts.get(owner)) and sets_other(each.node))
            )
            and not each.symbol.endswith(_CONSTRUCTOR)
        )
        endings = list_endings(types)
        ended = {each[:1].upper() + each[1:] for each in endings} if has_client else ()

        def is_type(name: str) -> bool:
            return name in types or (has_client and name[:1].isupper() and name not in ended)

        stores = read_stores(root, types.__contains__)
        self._aliases |= stores.aliases
        refusing = refuse_by_methods(functions, incomplete)
        return list_services(
            self._path, refusing, name_type, is_type, incomplete, stores.by_class, self._constants,
            self._methods, endings, elements, parts,
        )  # fmt: skip

    def _read_default(self, node: Node) -> None:
        """``export default Order``, ``export default class Order``, ``export default { NEW: 1 }``,
        under the name that is for any that an import gives it.
        """
        self._exported = read_exported(node)
        if self._exported:
            self._aliases[DEFAULT] = Type("", values=tuple(each.name for each in self._exported))
        named = node if node.type == "identifier" else node.child_by_field_name("name")
        if named is not None:
            self._aliases[DEFAULT] = refer(read_text(named))

    def _read_node(self, node: Node, above: str = "") -> Iterator[Declaration]:
        symbol = above + read_text(node.child_by_field_name("name"))
        name = spell_type_name(symbol)
        if name is None or are_properties(self._path, symbol):
            return
        place = (Evidence(self._path, symbol),)
        match node.type:
            case "enum_declaration":
                values = name_values(list_members(node.child_by_field_name("body")))
                if values:
                    yield Enumeration(name, place, values)
            case "type_alias_declaration":
                yield from self._read_alias(node, symbol, name, place)
            case "interface_declaration":
                body = node.child_by_field_name("body")
                yield from read_interface(body, name, place, list_bases(node))

    def _read_alias(
        self, node: Node, symbol: str, name: str, place: tuple[Evidence, ...]
    ) -> Iterator[Declaration]:
        value = node.child_by_field_name("value")
        if value is not None and value.type == "object_type":
            yield from read_interface(value, name, place, ())
            return
        kind = read_type(value)
        if len(kind.values) > 1:
            yield Enumeration(name, place, kind.values)
        elif kind.name != "Any":
            self._aliases[symbol] = kind


def _merge_shapes(found: Sequence[Declaration]) -> Sequence[Declaration]:
    """Interfaces, and a class, with one name are one declaration: it has what all of them say. One
    of methods alone says no more of a class than how these are called.
    """
    merged: dict[str, Declaration] = {}
    shapes = {
        each.evidence[0].symbol for each in found if isinstance(each, Shape) and each.evidence
    }
    for number, each in enumerate(found):
        key = f"{number}"
        if isinstance(each, Contract) and each.evidence[0].symbol in shapes:
            continue
        if isinstance(each, Shape):
            key = f"{number}" if not each.evidence else f"shape {each.evidence[0].symbol}"
            other = merged.get(key)
            if isinstance(other, Shape):
                each = _merge_pair(other, each)
        merged[key] = each
    return [*merged.values()]


def _merge_pair(one: Shape, two: Shape) -> Shape:
    names = {each.name for each in one.fields}
    fields = (*one.fields, *(each for each in two.fields if each.name not in names))
    kind = "entity" if "entity" in (one.kind, two.kind) else one.kind or two.kind
    return two._replace(
        kind=kind, fields=fields, graphs=(*one.graphs, *two.graphs),
        bases=tuple(dict.fromkeys((*one.bases, *two.bases))),
    )  # fmt: skip
