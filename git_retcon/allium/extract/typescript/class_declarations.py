"""A class of TypeScript: its fields, the states that they have, and the rules of its methods."""

import ast
import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.constant_groups import is_group
from git_retcon.allium.extract.grammar.records import list_returned
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_name
from git_retcon.allium.extract.grammar.translated_methods import Method
from git_retcon.allium.extract.python.classes.classes import find_states
from git_retcon.allium.extract.python.classes.overriding_methods import list_overriding
from git_retcon.allium.extract.python.flow.answered_conditions import read_answer
from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.lifetimes.companions import find_companions
from git_retcon.allium.extract.python.lifetimes.fixed_flags import keep_possible
from git_retcon.allium.extract.python.lifetimes.kept_states import find_kept
from git_retcon.allium.extract.python.lifetimes.lasting_values import keep_begun
from git_retcon.allium.extract.python.machines.observed_graphs import list_doubted
from git_retcon.allium.extract.python.rules import behaviour
from git_retcon.allium.extract.python.rules.further_moves import list_unread, read_moves
from git_retcon.allium.extract.python.rules.narrowed_steps import narrow_steps
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import Constants, States
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.service_operations import spell_answers, spell_method
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    IDENTITIES,
    Choice,
    Declaration,
    Doubt,
    Edge,
    Enumeration,
    Evidence,
    Field,
    Graph,
    Import,
    Rule,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import spell_type_name, spell_variable
from git_retcon.allium.extract.state_setters import open_tables, refuses_given, sets_given
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.typescript.accessors import (
    list_set_operations,
    spell_accessors,
)
from git_retcon.allium.extract.typescript.blind_settings import list_blind
from git_retcon.allium.extract.typescript.browser_types import open_browser_type
from git_retcon.allium.extract.typescript.class_fields import (
    let_be_missing,
    list_bits,
    list_fields,
    read_mark,
)
from git_retcon.allium.extract.typescript.class_methods import (
    list_beginning,
    list_open_steps,
    read_methods,
)
from git_retcon.allium.extract.typescript.constant_objects import ConstantObjects
from git_retcon.allium.extract.typescript.constant_values import Values
from git_retcon.allium.extract.typescript.event_edges import list_event_edges
from git_retcon.allium.extract.typescript.interfaces import list_bases
from git_retcon.allium.extract.typescript.known_names import KnownNames
from git_retcon.allium.extract.typescript.left_states import keep_entered
from git_retcon.allium.extract.typescript.made_fields import (
    list_inherited,
    list_made,
    list_made_later,
    name_imported,
)
from git_retcon.allium.extract.typescript.object_unions import (
    ObjectUnion,
    list_union_fields,
    tell_apart,
)
from git_retcon.allium.extract.typescript.own_constants import find_own_states, list_own_values
from git_retcon.allium.extract.typescript.reached_members import list_reached
from git_retcon.allium.extract.typescript.taken_constants import NO_NAMES, OuterNames
from git_retcon.allium.extract.typescript.text_states import TextStates, find_text_states
from git_retcon.allium.extract.typescript.view_components import is_component, is_element

_STORED = frozenset({"Entity", "Schema", "ViewEntity", "ChildEntity", "Table"})


class ClassSurroundings(NamedTuple):
    """What the file of a class says besides it."""

    path: bytes
    content: bytes
    imports: Mapping[str, Import]
    enums: Mapping[str, Enumeration]
    objects: ConstantObjects
    unions: Mapping[str, ObjectUnion]
    constants: Constants
    values: Values
    words: Callable[[], frozenset[str]] = frozenset  # those that may give something a state
    outer: OuterNames = NO_NAMES

    def know(self, types: Collection[str]) -> KnownNames:
        """What a class may name, beside other ``types`` of its file."""
        return KnownNames(self.values, self.imports, types, *self.outer)


class ClassFacts(NamedTuple):
    """What a class declares; its methods as bodies call them, those that answer or set states for
    other files, the texts that it gives fields whose types others have, by the names of these, and
    the constants of types that others may declare.
    """

    declarations: Sequence[Declaration] = ()
    methods: Mapping[str, Function] = {}
    answers: Mapping[str, str] = {}
    setters: Sequence[str] = ()
    texts: Sequence[tuple[str, Sequence[str]]] = ()
    choices: Mapping[str, tuple[Choice, ...]] = {}


def read_class(node: Node, marks: Sequence[Node], around: ClassSurroundings) -> ClassFacts:
    """What a class, with its decorators ``marks``, declares."""
    symbol = read_name(node)
    name = spell_type_name(symbol)
    names = {read_mark(mark)[0] for mark in marks}
    if name is None or is_component(node, names, around.imports):
        return ClassFacts()
    body = node.child_by_field_name("body")
    is_entity = bool(names & _STORED)
    unions = dict(list_union_fields(body, around.unions))
    listed = {each.field.name: each for each in _list_fields(body, unions, is_entity, around)}
    fields = {key: each.field for key, each in listed.items()}
    methods = read_methods(body, unions)
    states = _list_states(listed.values(), body, around)
    shape = Shape("entity" if is_entity else "", name, (), tuple(fields.values()))
    subject = _make_subject(methods, shape, states, body, around)
    rules = _list_rules(methods, node, subject, around)
    bases = list_bases(node)
    stateful = {name for name, each in states.items() if each.enum or each.choices}
    setters = [*_list_setters(body, subject, stateful)] if stateful else ()
    words = None if setters else around.words
    named = ((each.member.removesuffix("()"), each.node) for each in methods)
    blind = {*list_blind(body, symbol, states)}
    taking = {k for k, e in listed.items() if e.takes_over or e.field.symbol in blind}
    events = list_event_edges(subject, None if setters else rules, [*list_beginning(body)])
    shape = shape._replace(
        kind=_find_kind(shape, methods, rules), evidence=(Evidence(around.path, symbol),),
        graphs=_observe_graphs(rules, events, words, taking), bases=bases,
        overriding=tuple(list_overriding(named)) if bases else (),
    )  # fmt: skip
    if is_element(node) and not shape.graphs:
        return ClassFacts()
    told = [each for each in rules if each.trigger]
    return ClassFacts(
        (_open_shape(shape, node, methods, rules, around), *told) if fields or bases else (),
        subject.methods,
        spell_answers(subject.properties) if stateful else {},
        setters,
        [] if is_entity else [*_list_texts(body, fields.values(), around)],
        {each.field.type.source: each.named for each in listed.values() if each.named},
    )


def _list_states(
    listed: Iterable[TextStates], body: Node | None, around: ClassSurroundings
) -> Mapping[str, States]:
    bits = list_bits(body)
    return {
        e.symbol: States() if e.symbol in bits else own or _find_states(e.type, around)
        for e, own, *_ in listed
    }


def _find_kind(shape: Shape, methods: Sequence[Method], rules: Sequence[Rule]) -> str:
    if shape.kind or rules:
        return "entity"
    if not shape.fields or methods:
        return ""
    # Data alone: a transfer object.
    return "entity" if IDENTITIES & {each.symbol for each in shape.fields} else "value"


def _open_shape(
    shape: Shape,
    node: Node,
    methods: Sequence[Method],
    rules: Sequence[Rule],
    around: ClassSurroundings,
) -> Shape:
    """A class with what it is to other classes."""
    is_heir = any(each.partition(".")[0] in around.imports for each in shape.bases)
    # An abstract class that moves its own state is told itself, for all that extend it.
    moves = any(each.field for each in rules)
    is_lender = (node.type.startswith("abstract") and not moves) or not (shape.kind or is_heir)
    return shape._replace(
        kind=shape.kind or ("" if shape.bases else "value"),
        is_abstract=is_lender, is_open=(is_lender or not shape.kind) and bool(methods),
    )  # fmt: skip


def _list_fields(
    body: Node | None,
    unions: Mapping[str, ObjectUnion],
    is_entity: bool,
    around: ClassSurroundings,
) -> Iterator[TextStates]:
    around = around._replace(values={**around.values, **list_own_values(body)})
    for each in list_fields(body, is_entity):
        opened = open_browser_type(each, around.imports, around.content)
        field = tell_apart(around.objects.name_type(opened, body), unions)
        if is_entity:
            yield TextStates(field)
            continue
        found = _find_own(field, body)
        if found is not None:
            yield found
            continue
        found = find_text_states(field, body, around.know(around.enums))
        yield found._replace(field=let_be_missing(found.field, body))
    yield from () if is_entity else _list_made(body, around)


def _list_made(body: Node | None, around: ClassSurroundings) -> Sequence[TextStates]:
    """The states that only methods name, and flags beside them."""
    known = around.know({*around.enums, *around.objects.aliases})
    named: list[TextStates] = []
    flags: list[TextStates] = []
    for made in (*list_made(around.path, body), *list_inherited(body)):
        each = name_imported(made, around.imports)
        found = _find_own(made, body) or find_text_states(each, body, known)
        if found.states or found.field.type.values or is_group(found.field.type.source):
            named.append(found)
        elif each.type.source.partition(".")[0] in {*around.imports, *known.types}:
            named.append(TextStates(each))
        elif each.type == BOOLEAN:
            flags.append(found)
    for each in list_made_later(around.path, body) if not _is_heir(body, around) else ():
        found = find_text_states(each, body, known, is_made=True)
        named += [found] if found.states or found.field.type.values else []
    return [*named, *flags] if named else []


def _list_texts(
    body: Node | None, fields: Iterable[Field], around: ClassSurroundings
) -> Iterator[tuple[str, Sequence[str]]]:
    """The texts that a class gives each field whose type is an imported one."""
    for each in fields:
        source = each.type.source
        if source.partition(".")[0] in around.imports and is_called_state(each.symbol):
            plain = each._replace(type=ANY)
            found = find_text_states(plain, body, around.know(around.enums))
            if found.states is None and found.field.type.values:
                yield source, found.field.type.values


def _find_own(field: Field, body: Node | None) -> TextStates | None:
    """A field with the states that an object of its class's own has for it."""
    found = find_own_states(field, body)
    if found is None:
        return None
    kind = Type("", values=tuple(each.name for each in found.choices))
    return TextStates(field._replace(type=kind), found)


def _is_heir(body: Node | None, around: ClassSurroundings) -> bool:
    """Whether a class may have fields of another one of its project."""
    node = body.parent if body is not None else None
    bases = list_bases(node) if node is not None else ()
    sources = (around.imports[each].full_name for each in bases if each in around.imports)
    declared = rf"\bclass\s+(?:{'|'.join(map(re.escape, bases))})\b".encode()
    is_near = bool(bases) and re.search(declared, around.content) is not None
    return is_near or any(each.startswith(".") for each in sources)


def _find_states(kind: Type, around: ClassSurroundings) -> States:
    named = around.objects.aliases.get(kind.source)
    found = find_states(named if named is not None and named.source else kind)
    enum = around.enums.get(found.enum)
    own = tuple(Choice(each, "", each) for each in enum.values) if enum is not None else ()
    choices = around.objects.choices.get(found.enum, own)
    return found._replace(choices=choices) if choices else found


def _make_subject(
    methods: Sequence[Method],
    shape: Shape,
    states: Mapping[str, States],
    body: Node | None,
    around: ClassSurroundings,
) -> Subject:
    """What the operations of a class work on."""
    called: Mapping[str, Function] = {member: node for _, node, member in methods}
    subject = Subject(
        "self", spell_variable(shape.name), {each.symbol: each for each in shape.fields}, states,
        around.constants, _list_answers(methods), methods=called, flags=behaviour.list_flags(shape),
    )  # fmt: skip
    beginning = [*list_beginning(body)]
    companions = find_companions(called.values(), subject, beginning)
    return subject._replace(companions=companions, kept=find_kept(subject, beginning))


def _list_answers(methods: Sequence[Method]) -> Mapping[str, ast.expr]:
    """What methods return, also where they leave early."""
    listed = ((m, read_answer(n)) for _, n, m in methods if isinstance(n, ast.FunctionDef))
    early = {m: each for m, each in listed if each is not None and _is_whole(each)}
    return {**early, **list_returned(methods)}


def _is_whole(answer: ast.expr) -> bool:
    """Whether all of an answer is known: what depends on the arguments of a call is followed there,
    and heirs have another one to what is yes or no in any case.
    """
    names = {each.id for each in walk_nodes(answer) if isinstance(each, ast.Name)}
    return "self" in names and names.isdisjoint(("unknown", "_"))


def _list_setters(body: Node | None, subject: Subject, stateful: Set[str]) -> Iterator[str]:
    """The methods that give an object a state that they are given, or refuse by one."""
    for each, method in subject.methods.items():
        gives = sets_given(method, stateful) and method.name != "constructor"
        if gives or refuses_given(method, stateful):
            yield spell_method(open_tables(method, subject.constants), each)
    yield from spell_accessors(body, stateful)


def _list_rules(
    methods: Sequence[Method], node: Node, subject: Subject, around: ClassSurroundings
) -> Sequence[Rule]:
    read = functools.partial(_read_rules, methods, node, around)
    beginning = [*list_beginning(node.child_by_field_name("body"))]
    rules = keep_begun(subject, around.content, read, beginning)
    if any(each.edges for each in rules):
        rules = keep_possible(rules, subject, read)
        rules = keep_entered(rules, node.child_by_field_name("body"), subject)
    return [*map(behaviour.drop_source_words, rules)]


def _read_rules(
    methods: Sequence[Method], node: Node, around: ClassSurroundings, subject: Subject
) -> Sequence[Rule]:
    symbol = read_name(node)
    name = spell_type_name(symbol) or ""
    operations = [
        BoundOperation(item, subject, name, Evidence(around.path, f"{symbol}.{method}"))
        for method, item, member in methods
        if method != "constructor" and member != method  # a property asks
    ]
    body = node.child_by_field_name("body")
    given = {each for each, states in subject.states.items() if states.choices}
    operations += [
        BoundOperation(item, subject, name, Evidence(around.path, f"{symbol}.{method}"))
        for method, item in list_set_operations(body, given)
    ]
    rules = read_moves(operations)
    if any(each.edges for each in rules):
        rules = [*rules, *list_unread(operations, rules)]
        # Private steps that nothing in the file leads to have no transitions.
        is_abstract = node.type.startswith("abstract")
        steps = list_open_steps(body, is_abstract=is_abstract)
        content, beginning = list_reached(node, around.content), [*list_beginning(body)]
        for _ in range(2 if subject.fixed else 1):  # then by what no such object runs
            rules = narrow_steps(rules, operations, content, steps, beginning)
    return rules


def _observe_graphs(
    rules: Sequence[Rule],
    events: Iterable[tuple[str, Edge]],
    words: Callable[[], frozenset[str]] | None,
    taking: Collection[str],
) -> tuple[Graph, ...]:
    """What rules show of states, and events where there are rules. Where there are no ``words``, or
    a rule moves a field from nobody knows where, others may give it a state; fields that are
    ``taking`` those of other objects may leave any.
    """
    anywhere = Doubt("", Edge(ANY_STATE, ANY_STATE))
    seen: dict[str, dict[Edge, None]] = {}
    doubtful = {each.field for each in rules if each.trigger and not each.edges}
    for rule in rules:
        if rule.edges:
            seen.setdefault(rule.field, {}).update(dict.fromkeys(rule.edges))
    for name, edge in events if rules else ():
        seen.setdefault(name, {})[edge] = None
    return tuple(
        Graph(
            each, tuple(edges), is_whole=False,
            given=None if each in doubtful or words is None else words(),
            doubted=(*list_doubted(rules, each), *[anywhere] * (each in taking)),
        )
        for each, edges in seen.items()
    )  # fmt: skip
