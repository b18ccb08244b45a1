"""One TypeScript or JavaScript file by tree-sitter: interfaces, types, enums, classes, guards."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.grammar import syntax_nodes
from git_retcon.allium.extract.grammar.element_types import list_elements
from git_retcon.allium.extract.grammar.method_bodies import Method
from git_retcon.allium.extract.grammar.records import list_returned, read_with_grammar
from git_retcon.allium.extract.grammar.services import list_endings, list_services
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_name, read_text
from git_retcon.allium.extract.python import behaviour
from git_retcon.allium.extract.python.begun_steps import narrow_steps
from git_retcon.allium.extract.python.chained_rules import read_rules
from git_retcon.allium.extract.python.classes import find_states
from git_retcon.allium.extract.python.companions import find_companions
from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.constants import States, spell_lists
from git_retcon.allium.extract.python.further_moves import list_further
from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.operations import BoundOperation
from git_retcon.allium.extract.service_operations import (
    find_classes_with_imported_types,
    find_heirs,
    spell_answers,
    spell_method,
)
from git_retcon.allium.extract.source_facts import (
    DEFAULT,
    IDENTITIES,
    Choice,
    Declaration,
    Edge,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Graph,
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
    spell_variable,
)
from git_retcon.allium.extract.state_setters import open_tables, refuses_given, sets_given
from git_retcon.allium.extract.typescript.accessors import spell_accessors
from git_retcon.allium.extract.typescript.class_fields import let_be_missing, list_fields, read_mark
from git_retcon.allium.extract.typescript.class_functions import list_functions, name_type
from git_retcon.allium.extract.typescript.class_methods import (
    list_event_edges,
    list_methods,
    list_open_steps,
)
from git_retcon.allium.extract.typescript.constant_objects import (
    ConstantObjects,
    read_constant_objects,
)
from git_retcon.allium.extract.typescript.constant_values import Values, list_values
from git_retcon.allium.extract.typescript.declared_machines import read_machines
from git_retcon.allium.extract.typescript.imported_files import PLAIN, list_imports
from git_retcon.allium.extract.typescript.interfaces import read_interface
from git_retcon.allium.extract.typescript.module_constants import read_constants
from git_retcon.allium.extract.typescript.nested_enums import list_members, list_nested
from git_retcon.allium.extract.typescript.object_unions import (
    ObjectUnion,
    list_union_fields,
    list_unions,
    tell_apart,
)
from git_retcon.allium.extract.typescript.reached_members import list_reached
from git_retcon.allium.extract.typescript.row_stores import read_stores
from git_retcon.allium.extract.typescript.schema_folders import import_models, is_client
from git_retcon.allium.extract.typescript.slices import list_reducers
from git_retcon.allium.extract.typescript.text_states import (
    TextStates,
    find_text_states,
)
from git_retcon.allium.extract.typescript.types import read_type
from git_retcon.allium.extract.typescript.view_components import are_properties, is_component

_GRAMMAR = "tree_sitter_typescript"
_CONSTRUCTOR = ".constructor"  # what makes an object is no operation of it, nor of others
_STORED = frozenset({"Entity", "Schema", "ViewEntity", "ChildEntity", "Table"})
_DECLARING = frozenset(
    {"interface_declaration", "type_alias_declaration", "enum_declaration", "class_declaration",
     "abstract_class_declaration"}
)  # fmt: skip


def is_available() -> bool:
    """Whether the extra ``typescript`` is installed."""
    return syntax_nodes.is_available(_GRAMMAR)


def read_typescript(path: bytes, content: bytes) -> FileFacts | None:
    """What a file declares; None where it cannot be parsed at all."""
    language = "language_typescript" if path.endswith(PLAIN) else "language_tsx"
    return read_with_grammar(_Reader(path).read, _GRAMMAR, content, language)


class _Reader:
    def __init__(self, path: bytes) -> None:
        self._path = path
        self._content = b""
        self._imports: dict[str, Import] = {}
        self._aliases: dict[str, Type] = {}
        self._enums: dict[str, Enumeration] = {}
        self._objects = ConstantObjects((), {}, {})
        self._answers: dict[str, Mapping[str, str]] = {}
        self._setters: dict[str, list[str]] = {}
        self._unions: Mapping[str, ObjectUnion] = {}
        self._constants: Mapping[str, ast.expr] = {}
        self._values: Values = {}
        self._methods: dict[str, Mapping[str, Function]] = {}  # of each class, as bodies call them

    def read(self, root: Node) -> FileFacts:
        self._content = root.text or b""
        found: list[Declaration] = []
        classes: list[tuple[Node, Sequence[Node]]] = []
        for node in root.named_children:
            if node.type == "import_statement":
                self._imports |= dict(list_imports(self._path, node))
                continue
            marks = [each for each in node.named_children if each.type == "decorator"]
            declared = node
            if node.type == "export_statement":
                declared = node.child_by_field_name("declaration") or node
                if any(each.type == "default" for each in node.children):
                    self._read_default(node.child_by_field_name("value") or declared)
                if declared is node:
                    self._imports |= dict(list_imports(self._path, node))
            if declared.type in _DECLARING:
                marks += [each for each in declared.named_children if each.type == "decorator"]
                if "class" in declared.type:
                    classes.append((declared, marks))
                found += self._read_node(declared)
        for above, declared in list_nested(root.named_children):
            nested = self._read_node(declared, above)
            found += (each for each in nested if isinstance(each, Enumeration))
        self._objects = read_constant_objects(self._path, root.named_children, self._imports)
        found += self._objects.enums
        # Their enums may be below them.
        self._enums = {e.evidence[0].symbol: e for e in found if isinstance(e, Enumeration)}
        self._read_constants(root.named_children, bool(classes))
        for declared, decorators in classes:
            found += self._read_class(declared, decorators)
        names = {name for each in found for name in (each.name, each.evidence[0].symbol)}
        machines = [*read_machines(self._path, root, self._imports, names)]
        sources = {each.full_name.rpartition(".")[0] for each in self._imports.values()}
        services = [*self._list_services(root, found, any(map(is_client, sources)))]
        self._imports |= import_models(self._path, services, sorted(sources))
        return FileFacts(
            self._path, [*_merge_shapes(found), *machines], self._aliases, self._imports, services,
            self._objects.choices, self._answers, spell_lists(self._constants), self._setters,
        )  # fmt: skip

    def _read_constants(self, nodes: Sequence[Node], has_classes: bool) -> None:
        self._aliases |= self._objects.aliases
        self._constants = read_constants(nodes)
        self._unions = list_unions(nodes)
        # What belongs to an enum is a state already.
        found = list_values(nodes).items() if has_classes else ()
        self._values = {k: v for k, v in found if k.rpartition(".")[0] not in self._enums}

    def _list_services(
        self, root: Node, found: Sequence[Declaration], has_client: bool
    ) -> Iterator[ServiceOperation]:
        """The operations of the file; where it ``has_client``, schemas may have any type."""
        rules = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
        shapes = [each for each in found if isinstance(each, Shape)]
        types = {*self._imports, *(each.evidence[0].symbol for each in shapes)}
        stateful = find_classes_with_imported_types(shapes, self._imports)
        incomplete = {*find_heirs(shapes, types), *stateful}
        functions = (
            each
            for each in (*list_functions(root), *list_reducers(root, self._imports))
            if (each.symbol not in rules or each.symbol.rpartition(".")[0] in stateful)
            and not each.symbol.endswith(_CONSTRUCTOR)
        )
        endings = list_endings(types)
        elements = {each.evidence[0].symbol: list_elements(each.fields) for each in shapes}
        ended = {each[:1].upper() + each[1:] for each in endings} if has_client else ()

        def is_type(name: str) -> bool:
            return name in types or (has_client and name[:1].isupper() and name not in ended)

        stores = read_stores(root, types.__contains__)
        self._aliases |= stores.aliases
        return list_services(
            self._path, functions, name_type, is_type, incomplete, stores.by_class, self._constants,
            self._methods, endings, elements,
        )  # fmt: skip

    def _read_default(self, node: Node) -> None:
        """``export default Order``, ``export default class Order``."""
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
                yield from read_interface(body, name, place, _list_bases(node))

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

    def _read_class(self, node: Node, marks: Sequence[Node]) -> Iterator[Declaration]:
        symbol = read_text(node.child_by_field_name("name"))
        name = spell_type_name(symbol)
        if name is None:
            return
        body = node.child_by_field_name("body")
        names = {read_mark(mark)[0] for mark in marks}
        if is_component(node, names, self._imports):
            return
        is_entity = bool(names & _STORED)
        unions = dict(list_union_fields(body, self._unions))
        listed = {each[0].name: each for each in self._list_fields(body, unions, is_entity)}
        fields = {key: each.field for key, each in listed.items()}
        methods = [*list_methods(body, unions)]
        states = {e.symbol: told or self._find_states(e.type) for e, told in listed.values()}
        flags = behaviour.list_flags(
            Shape("entity" if is_entity else "", name, (), tuple(fields.values()))
        )
        subject = self._make_subject(methods, node, fields, states, flags)
        rules = self._list_rules(methods, node, subject)
        kind = "entity" if is_entity or rules else ""
        if not kind and fields and not methods:  # data alone: a transfer object
            kind = "entity" if IDENTITIES & {each.symbol for each in fields.values()} else "value"
        bases = _list_bases(node)
        is_heir = any(each.partition(".")[0] in self._imports for each in bases)
        # An abstract class that moves its own state is told itself, for all that extend it.
        moves = any(each.field for each in rules)
        is_lender = (node.type.startswith("abstract") and not moves) or not (kind or is_heir)
        is_open = not kind and bool(methods)
        graphs = _observe_graphs(rules, list_event_edges(subject))
        shape = Shape(
            kind or ("" if bases else "value"), name, (Evidence(self._path, symbol),),
            tuple(fields.values()), graphs, bases=bases, is_abstract=is_lender, is_open=is_open,
        )  # fmt: skip
        if fields or bases:
            yield shape
            yield from (each for each in rules if each.trigger)

    def _list_fields(
        self, body: Node | None, unions: Mapping[str, ObjectUnion], is_entity: bool
    ) -> Iterator[TextStates]:
        for each in list_fields(body, is_entity):
            field = tell_apart(self._objects.name_type(each, body), unions)
            if is_entity:
                yield TextStates(field)
                continue
            found = find_text_states(field, body, self._values, {*self._imports, *self._enums})
            yield found._replace(field=let_be_missing(found.field, body))

    def _find_states(self, kind: Type) -> States:
        named = self._objects.aliases.get(kind.source)
        found = find_states(named if named is not None and named.source else kind)
        enum = self._enums.get(found.enum)
        own = tuple(Choice(each, "", each) for each in enum.values) if enum is not None else ()
        choices = self._objects.choices.get(found.enum, own)
        return found._replace(choices=choices) if choices else found

    def _make_subject(
        self,
        methods: Sequence[Method],
        node: Node,
        fields: Mapping[str, Field],
        states: Mapping[str, States],
        flags: Set[str],
    ) -> Subject:
        """What the operations of a class work on."""
        symbol = read_name(node)
        returned = list_returned(methods)
        called = self._methods[symbol] = {member: node for _, node, member in methods}
        stateful = {name for name, each in states.items() if each.enum or each.choices}
        if stateful:
            self._answers[symbol] = spell_answers(returned)
            self._setters[symbol] = [
                spell_method(open_tables(method, self._constants), each)
                for each, method in called.items()
                if (sets_given(method, stateful) and method.name != "constructor")
                or refuses_given(method, stateful)
            ]
            self._setters[symbol] += spell_accessors(node.child_by_field_name("body"), stateful)
        variable = spell_variable(spell_type_name(symbol) or "")
        subject = Subject(
            "self", variable, {each.symbol: each for each in fields.values()}, states,
            self._constants, returned, methods=called, flags=flags,
        )  # fmt: skip
        return subject._replace(companions=find_companions(called.values(), subject))

    def _list_rules(
        self, methods: Sequence[Method], node: Node, subject: Subject
    ) -> Sequence[Rule]:
        symbol = read_name(node)
        name = spell_type_name(symbol) or ""
        operations = [
            BoundOperation(item, subject, name, Evidence(self._path, f"{symbol}.{method}"))
            for method, item, member in methods
            if method != "constructor" and member != method  # a property asks
        ]
        found = read_rules(operations)
        rules = self._narrow_steps([*found, *list_further(found, operations)], operations, node)
        return [*map(behaviour.drop_source_words, rules)]

    def _narrow_steps(
        self, rules: Sequence[Rule], operations: Sequence[BoundOperation], node: Node
    ) -> Sequence[Rule]:
        """Rules without transitions of private steps that nothing in the file leads to."""
        if not any(each.edges for each in rules):
            return rules
        is_abstract = node.type.startswith("abstract")
        body = node.child_by_field_name("body")
        steps = list_open_steps(body, is_abstract=is_abstract)
        return narrow_steps(rules, operations, list_reached(node, self._content), steps)


def _observe_graphs(rules: Sequence[Rule], events: Iterable[tuple[str, Edge]]) -> tuple[Graph, ...]:
    """What rules show of states, and events where there are rules."""
    seen: dict[str, dict[Edge, None]] = {}
    for rule in rules:
        if rule.edges:
            seen.setdefault(rule.field, {}).update(dict.fromkeys(rule.edges))
    for name, edge in events if rules else ():
        seen.setdefault(name, {})[edge] = None
    return tuple(Graph(each, tuple(edges), is_whole=False) for each, edges in seen.items())


def _merge_shapes(found: Sequence[Declaration]) -> Sequence[Declaration]:
    """Interfaces, and a class, with one name are one declaration: it has what all of them say."""
    merged: dict[str, Declaration] = {}
    for number, each in enumerate(found):
        key = f"{number}"
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


def _list_bases(node: Node) -> tuple[str, ...]:
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
