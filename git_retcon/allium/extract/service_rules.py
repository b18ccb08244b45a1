"""The rules that operations of other classes are, where the types of their objects are known."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.asked_classes import ROWS, STORED
from git_retcon.allium.extract.bean_accessors import read_accessors
from git_retcon.allium.extract.known_rules import KnownRules
from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function, list_named_edges
from git_retcon.allium.extract.python.rewriting.enum_questions import (
    answer_in_copy,
    answer_question,
)
from git_retcon.allium.extract.python.rules import behaviour
from git_retcon.allium.extract.python.rules.narrowed_steps import narrow_inherited
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.rule_effects import (
    moves_state,
    names_field,
    refuses_state,
    takes_state,
)
from git_retcon.allium.extract.source_facts import (
    Enumeration,
    Evidence,
    FileFacts,
    Handled,
    Rule,
    ServiceOperation,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import spell_variable
from git_retcon.allium.extract.started_steps import Moves, begin_handed, keep_begun, keep_started
from git_retcon.allium.extract.state_setters import (
    find_methods,
    find_runners,
    name_accessed,
    parse_operation,
    sets_field,
)
from git_retcon.allium.extract.symbol_finder import DEEPEST, Found
from git_retcon.allium.extract.traced_tree import SourceTree
from git_retcon.allium.extract.used_names import NO_STATES, FoundStates

# Elsewhere a method that begins with "set" does more than that.
_BEANS = b".java"
_MEMBERS = (b".py", b".pyi")


class ServiceRule(NamedTuple):
    """The rule of an operation, and the place of the entity that it is about; ``is_own`` where the
    file says it of its class already.
    """

    rule: Rule
    entity: Evidence
    is_own: bool = False

    @property
    def is_beside(self) -> bool:
        """Whether it is about an object of another class than the operation's own."""
        place = self.rule.evidence[0]
        return (place.path, place.symbol.rpartition(".")[0]) != self.entity


FindFiles = Callable[[Evidence], Iterable[bytes]]


class ServiceRules:
    """Reads the operations of one source tree, each once.

    ``paths`` are files that may have some; ``find_files`` says which others work on a type. Of
    trees in which everything is where its evidence says, ``known`` keeps what operations do.
    """

    def __init__(
        self,
        tree: SourceTree,
        paths: Collection[bytes] = (),
        find_files: FindFiles = lambda place: (),
        known: "KnownRules[ServiceRule] | None" = None,
    ) -> None:
        self._paths = paths
        self._find_files = find_files
        self._read_before = known or KnownRules()
        read = self._read_before.trees.open(tree)
        self.finder, self._tree, self._names = read.finder, read.tree, read.names
        self.tables, self.shapes, self._moved_shapes = read.tables, read.shapes, read.moved_shapes
        self._known: dict[bytes, Sequence[Sequence[ServiceRule]]] = {}
        self._moving: dict[Evidence, list[ServiceRule]] | None = None
        self._moves: Moves = {}

    def list_rules(
        self, facts: FileFacts, is_placed: Callable[[bytes], bool]
    ) -> Iterator[ServiceRule]:
        """The rules of a file's operations, at most one of each: of the first object whose file the
        specification may speak of, as ``is_placed`` says. The second place that a rule cites is
        that of its entity, if it is in another file.
        """
        own = {e.evidence[0] for e in facts.declarations if isinstance(e, Rule)}
        for found in self._read_all(facts):
            placed = (e for e in found if all(is_placed(c.path) for c in e.rule.evidence[1:]))
            first = next(placed, None)
            # What a class says of itself goes before what it does to its parts.
            is_told = first is not None and first.is_beside and first.rule.evidence[0] in own
            if first is not None and not first.is_own and not is_told:
                yield first

    def _read_all(self, facts: FileFacts) -> Sequence[Sequence[ServiceRule]]:
        """What each operation of a file does to each of its objects."""
        if facts.services and facts.path not in self._known:
            read, path = self._read_before.read, facts.path
            found = [read(self._tree, path, e, self._read_rules) for e in facts.services]
            self._known[facts.path] = [*_start_steps(facts.services, found, self._moves)]
        return self._known.get(facts.path, ())

    def list_movers(self, entity: Evidence, field: str) -> Sequence[ServiceRule]:
        """What operations move an entity's field of which its own file does not know the states:
        those of other classes, and of its own where another file has them.
        """
        if self._moving is None:
            self._moving = {}
            for path in self._paths:
                for each in self._list_all(path):
                    self._moving.setdefault(each.entity, []).append(each)
        found = [*self._moving.get(entity, ())]
        for path in sorted({*self._find_files(entity)}.difference(self._paths)):
            found += (each for each in self._list_all(path) if each.entity == entity)
        return [each for each in found if each.rule.field == field and each.rule.edges]

    def _list_all(self, path: bytes) -> Iterator[ServiceRule]:
        """What each operation does to its first object, of each state that it moves, and to the
        first one beside where that is its own.
        """
        facts = self._tree.read(path)
        for found in self._read_all(facts) if facts is not None else ():
            entities = [*dict.fromkeys(each.entity for each in found)]
            wanted = entities[: 1 if not found or found[0].is_beside else 2]
            yield from (each for each in found if each.entity in wanted)

    def find_entities(self, path: bytes, other: "ServiceRules") -> Set[bytes]:
        """The files of entities with which a file's operations do something else than in another
        tree.
        """
        one, two = [*self._list_all(path)], [*other._list_all(path)]
        if one == two:
            return frozenset()  # for the most part the same objects, which need no hashes
        return {each.entity.path for each in {*one} ^ {*two}}

    def find_moved(
        self, facts: FileFacts, shape: Shape, is_placed: Callable[[bytes], bool]
    ) -> Shape | None:
        """The entity that a class is which operations move, or refuse by a state, as other files
        tell; None for any other.
        """
        place = shape.evidence[0]
        if not shape.is_open:
            return None
        is_moved = any(each.entity == place for each in self.list_rules(facts, is_placed))
        named = (each.name for each in shape.fields if each.type.values or each.type.source)
        is_moved = is_moved or any(self.list_movers(place, each) for each in named)
        return self._join_moved(facts.path, shape) if is_moved else None

    def _join_moved(self, path: bytes, shape: Shape) -> Shape | None:
        whole = self._moved_shapes.join(path, shape)
        return whole._replace(kind="entity", is_abstract=False) if whole is not None else None

    def declares_any(self, facts: FileFacts, is_placed: Callable[[bytes], bool]) -> bool:
        """Whether a file declares anything."""
        return bool(facts.declarations) or any(self.list_rules(facts, is_placed))

    def declares(self, facts: FileFacts, symbol: str, is_placed: Callable[[bytes], bool]) -> bool:
        """Whether a file declares what has this symbol in the source."""
        place = Evidence(facts.path, symbol)
        rules = (each.rule for each in self.list_rules(facts, is_placed))
        declared = (*facts.declarations, *rules)
        return any(place in each.evidence for each in declared)

    def _read_rules(self, path: bytes, operation: ServiceOperation) -> Iterator[ServiceRule]:
        for each in operation.handled:
            shape = self._find_shape(path, each.type)
            node = parse_operation(operation.code, each.name) if shape is not None else None
            if shape is not None and node is not None:
                node = name_accessed(self._tree, node, shape, each.name)
                if operation.place.path.endswith(_BEANS):
                    node = copy_tree(node)
                fields = {one.symbol or one.name: one for one in shape.fields}
                found = {name: self._names.find_values(shape, one) for name, one in fields.items()}
                node = answer_in_copy(node, self._names.find_member_answers(found.values()))
                yield from self._read_fields(_Work(operation, each, shape, node, found))

    def _read_fields(self, work: "_Work") -> Iterator[ServiceRule]:
        """The rule of an operation, and what it would be of each other state that it moves."""
        shape, found = work.shape, work.found
        rule = self._read_rule(work)
        if rule is None:
            return
        own = self._find_own_rule(rule) if work.is_own else None
        moved = next((each for each in shape.fields if each.name == rule.field), None)
        held = found[moved.symbol or moved.name] if moved is not None else NO_STATES
        is_near = self._is_near(work.operation.place, held.place)
        is_known = is_near or (moved is not None and bool(moved.type.values))
        is_open = bool(own and own.doubted) and self._names.asks_rules(work.operation, work.node)
        is_told = is_near or (own is not None and bool(own.edges or not rule.edges))
        if own and own.field == rule.field and is_known and is_told and not is_open:
            # There all methods of the class are known, and here what other files say of its states.
            yield ServiceRule(own, shape.evidence[0], is_own=True)
            return
        if own is not None and own.field == rule.field and moved is not None:
            # What runs a step is known there too.
            rule = rule._replace(edges=keep_begun(rule.edges, own, held.states))
        yield ServiceRule(rule, shape.evidence[0])
        for name, field in ((each.symbol or each.name, each.name) for each in shape.fields):
            if field != rule.field and found[name].states.choices and sets_field(work.node, name):
                only = {name: found[name]}
                other = self._read_rule(work._replace(found=only))
                if other is not None and other.field == field:
                    yield ServiceRule(other, shape.evidence[0])

    def _find_shape(self, path: bytes, kind: str) -> Shape | None:
        found = self.finder.find_symbol(path, kind) or self.finder.find_symbol(path, STORED + kind)
        found = found or self.finder.find_around(path, kind) or self.finder.find_part(path, kind)
        # A service keeps what its repository keeps.
        for _ in range(DEEPEST if kind.endswith(ROWS) else 0):
            if found is not None and isinstance(found.meaning, Type):
                found = self.finder.find_symbol(found.path, found.meaning.source)
        if found is not None and isinstance(found.meaning, Enumeration):
            found = self._find_holder(found.path, found.meaning)
        if found is None or not isinstance(found.meaning, Shape):
            return None
        shape = self.shapes.join(found.path, found.meaning)
        if (shape is None or shape.is_abstract) and found.meaning.is_open:
            shape = self._join_moved(found.path, found.meaning)
        if shape is None or shape.is_abstract or shape.kind not in ("entity", "value"):
            return None
        return shape

    def _find_holder(self, path: bytes, enum: Enumeration) -> Found | None:
        """The only class beside an enum, or around it, that has a field of it."""
        facts = self._tree.read(path)
        symbol = enum.evidence[0].symbol
        names = {symbol, symbol.rpartition(".")[2]}
        holders = [
            each
            for each in (facts.declarations if facts is not None else ())
            if isinstance(each, Shape) and any(f.type.source in names for f in each.fields)
        ]
        return Found(path, holders[0]) if len(holders) == 1 else None

    def _read_rule(self, work: "_Work") -> Rule | None:
        operation, handled, shape, node, found = work
        subject = self._make_subject(work)
        fields = subject.fields
        place = operation.place
        if place.path.endswith(_BEANS):
            read_accessors(node, handled.name, fields)
        rule = behaviour.read_rule(BoundOperation(node, subject, shape.name, place))
        if rule is None or self._contradicts(rule, shape):
            return None
        if shape.is_open and not rule.edges and place.path != shape.evidence[0].path:
            return None  # nothing says that it is an entity
        # A value that is refused is input that is checked.
        is_entity = shape.kind == "entity" or (work.is_own and bool(shape.switched))
        is_asked = is_entity and refuses_state(rule, subject)
        is_step = operation.is_private or shape.is_open
        is_given = work.is_own and not is_step and takes_state(rule, subject)
        if not (is_asked or is_given or moves_state(rule, subject)):
            return None
        used = (
            each.place for name, each in found.items() if names_field(rule, subject, fields[name])
        )
        others = [shape.evidence[0], *(each for each in used if each is not None)]
        # One citation a file; where a tree's types moved since, a file as it was.
        locate = self._tree.locate
        cited = {locate(each): each for each in reversed(others) if locate(each) != locate(place)}
        if work.is_own and operation.runners and rule.edges:
            runners = find_runners(self._tree, operation, shape, handled.name)
            rule = narrow_inherited(rule, node, subject, runners)
        elif work.is_own and operation.handers and rule.edges:
            handers = find_runners(self._tree, operation, shape, handled.name)
            rule = begin_handed(rule, node, subject, handers, self._moves)
        rule = behaviour.drop_source_words(rule)
        is_part = (operation.is_private and not work.is_own) or handled.is_guessed
        is_part |= self._is_beside(work, rule)
        place_of_state = f"{rule.parameters[0]}.{rule.field} "
        if is_part and not any(place_of_state in text for text in rule.requires):
            # From which states it comes, others say: what it is a step of, or what finds it.
            rule = rule._replace(edges=list_named_edges(node, subject, rule.field))
        return rule._replace(evidence=(place, *reversed(cited.values())))

    def _is_beside(self, work: "_Work", rule: Rule) -> bool:
        """Whether an operation moves an object beside its own, which it has for a reason of its
        own.
        """
        owner = work.operation.place.symbol.rpartition(".")[0]
        is_first = work.handled == work.operation.handled[0]
        is_beside = not is_first and work.operation.handled[0].type == owner
        return not work.is_own and (is_beside or self._find_own_rule(rule) is not None)

    def _contradicts(self, rule: Rule, shape: Shape) -> bool:
        """Whether the entity's own transitions do not have what the operation does."""
        field = next((each for each in shape.fields if each.name == rule.field), None)
        table = self.tables.find(shape, field) if field is not None and rule.edges else None
        graphs = [*shape.graphs, *([table.graph] if table is not None else [])]
        edges = {each for each in rule.edges if each.source != ANY_STATE}
        whole = (each for each in graphs if each.field == rule.field and each.is_whole)
        return any(not edges <= {*each.edges} for each in whole)

    def _make_subject(self, work: "_Work") -> Subject:
        operation, handled, shape, node, found = work
        # A boolean that a class gives itself may be anything, unless it goes on by it.
        answers = self._names.find_answers(shape, handled.name)
        said = self._names.find_member_answers(found.values())
        answers = {name: answer_question(each, said) for name, each in answers.items()}
        flags: Set[str] = {*shape.switched} if work.is_own else behaviour.list_flags(shape)
        run = find_methods(self._tree, operation, shape, handled.name)
        methods = {name: answer_in_copy(each, said) for name, each in run.items()}
        asking = (node, *answers.values(), *methods.values())
        return Subject(
            handled.name, spell_variable(shape.name),
            {each.symbol or each.name: each for each in shape.fields},
            {name: each.states for name, each in found.items()},
            self._names.find_constants(operation, asking), answers, flags=flags, methods=methods,
        )  # fmt: skip

    def _is_near(self, place: Evidence, enum: Evidence | None) -> bool:
        """Whether a class is read with the members of its enum: Python's, of that file."""
        if enum is None or not place.path.endswith(_MEMBERS):
            return False
        return self._tree.locate(enum) == self._tree.locate(place)

    def _find_own_rule(self, rule: Rule) -> Rule | None:
        """The rule that the file of an operation has of its class already."""
        facts = self._tree.read(self._tree.locate(rule.evidence[0]))
        read = (each for each in (facts.declarations if facts else ()) if isinstance(each, Rule))
        return next((each for each in read if each.evidence[0] == rule.evidence[0]), None)


class _Work(NamedTuple):
    """An operation's code, one of the objects that it works on, and what states its fields have."""

    operation: ServiceOperation
    handled: Handled
    shape: Shape
    node: Function
    found: Mapping[str, FoundStates]

    @property
    def is_own(self) -> bool:
        """Whether the operation is a method of the object's class."""
        return self.operation.place.symbol.rpartition(".")[0] == self.handled.type


def _start_steps(
    operations: Sequence[ServiceOperation],
    found: Sequence[Sequence[ServiceRule]],
    moves: Moves,
) -> Iterator[Sequence[ServiceRule]]:
    """What operations do, where those that others run begin."""
    beside: dict[Evidence, list[Rule]] = {}
    for each in (rule for listed in found for rule in listed):
        beside.setdefault(each.entity, []).append(each.rule)
    for operation, listed in zip(operations, found, strict=True):
        kept = ((e, keep_started(e.rule, operation, beside[e.entity], moves)) for e in listed)
        yield [e if rule is e.rule else e._replace(rule=rule) for e, rule in kept]
