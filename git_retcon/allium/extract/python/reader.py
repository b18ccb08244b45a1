"""One Python file: its classes, enums, contracts, rules and configuration, in one pass."""

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.classes.class_aliases import replace_aliases
from git_retcon.allium.extract.python.classes.classes import (
    ReadClass,
    Surroundings,
    read_contract,
    read_enum,
    read_shape,
)
from git_retcon.allium.extract.python.classes.combined_classes import (
    Kin,
    add_backrefs,
    add_fields,
    keep_shared,
    list_classes,
    list_kin,
    list_made,
    list_nested,
    list_state_enums,
    qualify_class,
    share_in_file,
)
from git_retcon.allium.extract.python.classes.compared_enums import add_compared
from git_retcon.allium.extract.python.classes.lent_members import list_members, list_properties
from git_retcon.allium.extract.python.classes.parameters import read_settings
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.lifetimes.companions import find_companions
from git_retcon.allium.extract.python.lifetimes.kept_states import find_kept
from git_retcon.allium.extract.python.lifetimes.lasting_values import keep_begun
from git_retcon.allium.extract.python.machines.class_machines import read_machines
from git_retcon.allium.extract.python.machines.observed_graphs import (
    list_given_words,
    observe_graphs,
)
from git_retcon.allium.extract.python.machines.state_machines import Pairs, list_tables
from git_retcon.allium.extract.python.machines.table_questions import list_asked
from git_retcon.allium.extract.python.rewriting.enum_groups import list_groups
from git_retcon.allium.extract.python.rewriting.enum_questions import list_answers
from git_retcon.allium.extract.python.rewriting.listed_steps import open_listed_steps
from git_retcon.allium.extract.python.rewriting.named_values import name_values, spell_named
from git_retcon.allium.extract.python.rewriting.told_answers import spell_functions
from git_retcon.allium.extract.python.rewriting.unsaved_objects import store_objects
from git_retcon.allium.extract.python.rules import behaviour
from git_retcon.allium.extract.python.rules.further_moves import read_moves
from git_retcon.allium.extract.python.rules.narrowed_steps import doubt_dropped, narrow_steps
from git_retcon.allium.extract.python.rules.object_parts import (
    Parts,
    list_containers,
    list_part_types,
    set_parts,
    sets_elements,
)
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.rules.part_rules import OwnRules, list_parts, read_part_rules
from git_retcon.allium.extract.python.rules.property_operations import is_property_operation
from git_retcon.allium.extract.python.services import list_asking, list_owned, list_services
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import (
    States,
    read_constants,
    read_named_choices,
    share_constants,
)
from git_retcon.allium.extract.python.syntax.enum_members import (
    gives_small,
    is_named_for_states,
    read_functional_members,
    read_members,
    read_plain_members,
)
from git_retcon.allium.extract.python.syntax.lone_functions import keep_answers_of
from git_retcon.allium.extract.python.syntax.names import (
    list_statements,
    read_imports,
    read_inner_imports,
    read_starred,
)
from git_retcon.allium.extract.python.syntax.newer_syntax import ParsedFile
from git_retcon.allium.extract.python.syntax.type_hints import read_alias
from git_retcon.allium.extract.python.values.annotated_states import add_states
from git_retcon.allium.extract.python.values.outside_enums import list_outside, list_unread
from git_retcon.allium.extract.python.values.plain_classes import Neighbours, read_plain_class
from git_retcon.allium.extract.python.values.present_attributes import assume_present
from git_retcon.allium.extract.service_operations import (
    find_classes_with_imported_types,
    find_heirs,
    find_sharing,
    spell_answers,
)
from git_retcon.allium.extract.source_facts import (
    Choice,
    Declaration,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Rule,
    ServiceOperation,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import is_value, spell_type_name, spell_variable
from git_retcon.allium.extract.state_setters import list_setters
from git_retcon.allium.extract.state_words import is_called_state


def read_code(path: bytes, code: bytes, parsed: ParsedFile) -> FileFacts:
    """What a file declares. ``code`` is its text without what says nothing of it. Raises
    RecursionError where it is nested beyond anything that a person writes.
    """
    return _Reader(path, code, parsed).read()


class _Reader:
    def __init__(self, path: bytes, content: bytes, parsed: ParsedFile) -> None:
        self._path = path
        self._content = content
        self._text = parsed.text
        self._statements = list(list_statements(parsed.tree.body))
        self._constants = read_constants(self._statements)
        imports = {
            **read_inner_imports(path, content, self._statements),
            **read_imports(path, self._statements),
        }
        imports |= read_starred(imports, self._statements)
        self._around = Surroundings(
            path, imports, self._constants, share_constants(content, self._statements)
        )
        self._named = read_named_choices(self._constants)
        # How the members of the file's own enums are stored, by symbol.
        self._members: dict[str, tuple[Choice, ...]] = {}
        self._answers: dict[str, Mapping[str, str]] = {}  # what enums answer, by symbol
        self._classes: dict[str, tuple[ast.ClassDef, ReadClass]] = {}
        self._own: dict[str, OwnRules] = {}
        self._tables: Mapping[str, Pairs] = {}
        self._given: frozenset[str] | None = None
        self._kin: Mapping[str, Kin] = {}
        self._made: frozenset[str] = frozenset()

    def read(self) -> FileFacts:
        found: list[Declaration] = []
        imports = self._around.imports
        aliases = {**self._read_aliases(found), **list_outside(self._statements)}
        classes = [*list_classes(self._statements)]
        nodes = [node for _, node in classes]
        groups = list_groups(nodes)
        name_values(self._content, self._text, self._statements, nodes, imports, groups)
        keep_answers_of(self._statements)
        self._tables = list_tables(self._statements, classes, self._constants, self._content)
        self._kin, self._made = list_kin(classes), list_made(classes)
        for symbol, node in classes:
            found += self._read_class(symbol, node)
        add_backrefs(self._classes)
        share_in_file(self._classes)
        types = {*self._around.imports, *self._members}
        add_compared(self._statements, self._classes, types)
        known = {**dict(classes), **dict.fromkeys(self._members)}
        aliases |= list_unread(self._statements, self._classes, known, self._constants)
        for symbol, (node, read) in self._classes.items():
            shape, rules = self._read_behaviour(symbol, node, read)
            found += [shape, *rules]
        settings = read_settings(self._path, self._content, self._statements, self._constants)
        parts = list_part_types(classes, {*types, *(symbol for symbol, _ in classes)})
        lists = spell_named(self._statements, nodes, self._constants, groups)
        return FileFacts(
            self._path, [*found, *([settings] if settings else [])], aliases,
            self._around.imports, [*self._list_services(found, parts)], self._list_choices(),
            self._list_answers(), lists, list_setters(self._classes), parts, self._tables,
        )  # fmt: skip

    def _read_aliases(self, found: list[Declaration]) -> dict[str, Type]:
        """Names for types; an enum of literals gets its name in the specification."""
        aliases: dict[str, Type] = {}
        for name, value in self._constants.items():
            spelled = spell_type_name(name)
            if spelled is not None and (members := read_functional_members(value)):
                values = tuple(each.name for each in members)
                found.append(Enumeration(spelled, (Evidence(self._path, name),), values))
                self._members[name] = members
                continue
            kind = read_alias(value)
            if kind is None:
                continue
            if len(kind.values) > 1 and spelled is not None and all(map(is_value, kind.values)):
                place = Evidence(self._path, name)
                found.append(Enumeration(spelled, (place,), kind.values))
                self._members[name] = tuple(Choice(each, "", each) for each in kind.values)
            else:
                aliases[name] = kind
        for name, choices in self._named.items():
            aliases.setdefault(name, Type("", values=tuple(each.name for each in choices)))
        return aliases

    def _read_class(self, symbol: str, node: ast.ClassDef) -> Iterator[Declaration]:
        enum = read_enum(node, symbol, self._around)
        if enum is not None:
            members = read_plain_members(node) or read_members(node)
            self._members[symbol] = members
            asked = spell_functions(node.body, self._constants)
            answers = {**asked, **spell_answers(list_answers([node]))}
            self._answers |= {symbol: answers} if answers else {}
            yield enum
            return
        replace_aliases(node, symbol, self._content)
        assume_present(self._content, node)
        open_listed_steps(node)
        keep_answers_of(node.body)
        contract = read_contract(node, symbol, self._around)
        read = read_shape(node, symbol, self._around)
        if read is None or read.shape.kind in ("", "plain"):
            kin, imports = self._kin.get(symbol, Kin()), self._around.imports
            near = Neighbours(self._constants, imports, self._members, self._made, kin)
            plain = read_plain_class(self._path, symbol, node, near)
            read = add_fields(read, plain)
        else:
            read = add_states(node, read, self._constants)
            store_objects(node)
        # What leaves operations to others may keep a state itself.
        if contract is not None and (read is None or not self._keeps_state(read)):
            yield contract
            return
        if read is not None:
            read = qualify_class(read, symbol, list_nested(node))
            if symbol in self._classes:  # one or the other: what both have is sure
                read = keep_shared(read, self._classes[symbol][1])
            self._classes[symbol] = node, read

    def _read_behaviour(
        self, symbol: str, node: ast.ClassDef, read: ReadClass
    ) -> tuple[Shape, Sequence[Rule]]:
        shape = read.shape
        subject, rules, further = self._read_own(symbol)
        parts = {n: self._read_own(kind) for n, kind in list_parts(node, self._classes).items()}
        operations = self._list_operations(symbol, shape, subject)
        rules = [*rules, *read_part_rules(operations, parts, rules)]
        place = Evidence(self._path, symbol)
        graphs, more = read_machines(place, node, shape, subject)
        places = {each.evidence for each in more}
        rules = [*(each for each in rules if each.evidence not in places), *more]
        if shape.kind == "" and rules:
            shape = shape._replace(kind="entity")
        if shape.kind == "plain":
            # Without any rule it only lends what it has, unless others move its state.
            is_own = bool(rules) or self._has_state(read)
            is_open = not is_own and bool(list_setters({symbol: (node, read)}))
            shape = shape._replace(
                kind="entity" if is_own else "value", is_abstract=not is_own, is_open=is_open
            )
        whole = {each.field for each in graphs}
        observed = observe_graphs([*rules, *further], whole, self._list_given_words)
        checks = tuple(behaviour.list_checks(node, subject))
        asked = list_asked(place, subject, rules, self._tables, self._around.imports)
        return shape._replace(
            graphs=(*graphs, *observed), invariants=(*shape.invariants, *checks),
            asked=tuple(each for each in asked if each.field not in whole),
        ), rules  # fmt: skip

    def _read_own(self, symbol: str) -> OwnRules:
        if symbol not in self._own:
            subject = self._make_subject(symbol, *self._classes[symbol])
            read_rules = functools.partial(self._read_rules, symbol)
            rules = keep_begun(subject, self._content, read_rules)
            own, further = [r for r in rules if r.trigger], [r for r in rules if not r.trigger]
            self._own[symbol] = OwnRules(subject, own, further)
        return self._own[symbol]

    def _read_rules(self, symbol: str, subject: Subject) -> Sequence[Rule]:
        shape = self._classes[symbol][1].shape
        operations = [*self._list_operations(symbol, shape, subject)]
        rules = read_moves(operations)
        narrowed = narrow_steps(rules, operations, self._content)
        has_heirs = shape.is_abstract or symbol.startswith(("Abstract", "Base"))  # they run steps
        return doubt_dropped(narrowed, rules) if has_heirs else narrowed

    def _keeps_state(self, read: ReadClass) -> bool:
        """Whether a class has a state of constants, or of an enum: of this file, or one that is
        named for states.
        """
        if any(each.choices for name, each in read.states.items() if is_called_state(name)):
            return True
        named = {each for each in list_state_enums(read) if is_named_for_states(each)}
        return self._has_state(read) or not named.isdisjoint(self._around.imports)

    def _has_state(self, read: ReadClass) -> bool:
        """Whether a class has a state of an enum that this file declares, or the class itself."""
        enums = list_state_enums(read)
        own = {f"{read.shape.evidence[0].symbol}.{each}" for each in enums}
        return not self._members.keys().isdisjoint(enums | own)

    def _make_subject(self, symbol: str, node: ast.ClassDef, read: ReadClass) -> Subject:
        """What the operations of a class work on."""
        fields, states, switched, methods, answers = list_members(node, read, self._classes)
        subject = Subject(
            "self",
            spell_variable(read.shape.name),
            fields,
            {
                name: _drop_unknown(self._complete_states(each, symbol), fields.get(name))
                for name, each in states.items()
            },
            {**self._constants, **read_constants(node.body)},
            answers,
            methods=methods,
            flags=behaviour.list_flags(read.shape) | {*switched},
        )
        companions = find_companions(methods.values(), subject)
        return subject._replace(companions=companions, kept=find_kept(subject))

    def _list_operations(
        self, symbol: str, shape: Shape, subject: Subject
    ) -> Iterator[BoundOperation]:
        # Of two methods with one name, the later one counts.
        for item in behaviour.list_methods(self._classes[symbol][0]).values():
            is_operation = behaviour.is_operation(item) or is_property_operation(item, subject)
            if not is_operation or not item.args.args:
                continue
            own = subject._replace(name=item.args.args[0].arg)
            place = Evidence(self._path, f"{symbol}.{item.name}")
            yield BoundOperation(item, own, shape.name, place)

    def _complete_states(self, states: States, symbol: str) -> States:
        """With the stored values of an enum that this file declares."""
        owner, _, name = states.enum.rpartition(".")
        above = (f"{each}.{name}" for each in self._kin.get(owner, Kin()).names if name)
        symbols = (f"{symbol}.{states.enum}", states.enum, *sorted(above))
        members = next(filter(None, map(self._members.get, symbols)), None)
        if states.enum and members:
            return states._replace(choices=members)
        return states._replace(is_small=gives_small(self._content, states.enum))

    def _list_services(
        self, found: Sequence[Declaration], parts: Parts
    ) -> Iterator[ServiceOperation]:
        """The operations that are no rules of the class that they are in."""
        known = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
        types = {*self._around.imports, *self._classes}
        shapes = [read.shape for _, read in self._classes.values()]
        asking = list_asking(self._classes, self._around.imports)
        stateful = {
            *find_classes_with_imported_types(shapes, self._around.imports),
            *find_sharing(shapes),
            *asking,
        }
        incomplete = {*find_heirs(shapes, self._around.imports), *stateful}
        containers = list_containers(list_classes(self._statements), types)
        functions = (
            each
            for each in self._list_functions()
            if each[0] not in known
            or (owner := each[0].rpartition(".")[0]) in stateful
            or not set_parts(each[1]).isdisjoint(parts.get(owner, {}))
            or (owner in containers and sets_elements(each[1]))
        )
        return list_services(
            self._path, self._content, functions, types, self._constants, incomplete, parts,
            containers, list_owned(list_classes(self._statements), incomplete),
        )  # fmt: skip

    def _list_functions(self) -> Iterator[tuple[str, Function]]:
        for node in self._statements:
            if isinstance(node, Function):
                yield node.name, node
        for symbol, owner in list_classes(self._statements):
            for name, method in behaviour.list_methods(owner).items():
                yield f"{symbol}.{name}", method

    def _list_given_words(self) -> frozenset[str]:
        if self._given is None:
            enums = {symbol.rpartition(".")[2] for symbol in self._members}
            self._given = list_given_words(self._statements, enums)
        return self._given

    def _list_answers(self) -> Mapping[str, Mapping[str, str]]:
        """Those of enums, and of classes that have states."""
        return self._answers | {
            symbol: spell_answers(found)
            for symbol, (node, read) in self._classes.items()
            if any(each.enum or each.choices for each in read.states.values())
            and (found := list_properties(node))
        }

    def _list_choices(self) -> Mapping[str, Sequence[Choice]]:
        own = {
            f"{symbol}.{name}": states.choices
            for symbol, (_, read) in self._classes.items()
            for name, states in read.states.items()
            if states.choices and not states.enum
        }
        return {**self._named, **self._members, **own}


def _drop_unknown(states: States, field: Field | None) -> States:
    """The states of a field; none of a text whose values are in another file."""
    is_text = field is not None and field.type.name in ("String", "Integer")
    return States() if is_text and states.enum and not states.choices else states
