"""What extraction finds: declarations as small values, each with the places that prove it.

A reader of a language makes the facts of one file. There a type of the source has the name that the
file gives it (``Type.source``). ``joining`` finds what such names mean in other files, and gives
the same values with the name and the module of the specification; ``spelling`` makes text of them.
"""

import operator
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias


class Evidence(NamedTuple):
    """Where something was read. ``symbol`` is dotted: ``Order.pay``. No line: it would change with
    every unrelated edit.
    """

    path: bytes
    symbol: str


class Type(NamedTuple):
    """The type of a field.

    ``name`` is one of the language's own, a declaration's, or ``Any`` where it is not known.
    ``values`` are those of an enum without a name. ``source`` is the dotted name of a type in the
    source file, "" for one of the language's own; ``is_relation`` says that it must be an entity,
    so that one from elsewhere is an external entity. ``back`` is the field of the other side that
    leads here. ``module`` is where the specification declares it, None for the same module.
    """

    name: str
    arguments: tuple["Type", ...] = ()
    values: tuple[str, ...] = ()
    is_optional: bool = False
    source: str = ""
    is_relation: bool = False
    back: str = ""
    module: bytes | None = None


class Field(NamedTuple):
    """A field or a relationship; ``symbol`` is its name in the source. One that ``is_unasked`` gets
    states from its class, which never asks for them: what its heirs may do goes by something else.
    """

    name: str
    type: Type
    symbol: str = ""
    is_unasked: bool = False


class Edge(NamedTuple):
    """A transition from one state to another."""

    source: str
    target: str


class Doubt(NamedTuple):
    """A transition that an operation may make, behind a guard that cannot be read."""

    operation: str
    edge: Edge


class Graph(NamedTuple):
    """The transitions of a field. ``terminal`` states lead nowhere. ``is_whole`` where the source
    lists all of them; others were seen one by one in operations. An edge from ``*`` is from any.
    ``given`` are all words by which its file may give something a state, None where that is open.
    ``doubted`` are edges that it may have, too.
    """

    field: str
    edges: tuple[Edge, ...]
    terminal: tuple[str, ...] = ()
    is_whole: bool = True
    given: frozenset[str] | None = None
    doubted: tuple[Doubt, ...] = ()


class Invariant(NamedTuple):
    """What always holds of an entity, in the language's own words."""

    name: str
    condition: str


class SharedState(NamedTuple):
    """An attribute that a class sets to these texts alone, as base classes and heirs of it may,
    too; no ``values`` where it gets anything else. ``asked`` are those that it compares it with.
    """

    symbol: str
    values: tuple[str, ...]
    is_begun: bool
    is_compared: bool
    asked: tuple[str, ...] = ()


class TableMoves(NamedTuple):
    """Transitions that an operation makes, and what it asks before each statement that sets a
    state: the names of what may be tables, or may ask one, none where it asks nothing for certain.
    """

    guards: tuple[tuple[str, ...], ...]
    edges: tuple[Edge, ...]


class Asked(NamedTuple):
    """What the operations of the class at a ``place`` ask before they give a field a state:
    ``names`` of what may be tables of transitions, or may ask one. In the states ``left`` some may
    give it any other; ``setters`` is what each of these asks, ``moves`` what all others do.
    """

    field: str
    place: Evidence
    names: tuple[str, ...] = ()
    setters: tuple[tuple[str, ...], ...] = ()
    moves: tuple[TableMoves, ...] = ()
    left: tuple[str, ...] = ()


class Shape(NamedTuple):
    """An entity, a value, or an external entity, as ``kind`` says.

    ``bases`` are the dotted names of its base classes. An abstract one only lends its fields to
    others. A ``kind`` of "" is that of a base class, or nothing if none is known. ``removed`` are
    the symbols of inherited fields that it has not, ``overriding`` the names of methods that do
    something else than those of base classes, or in other states, ``switched`` the names of
    booleans that are states, ``asked`` what its operations ask of tables. Which states ``shared``
    attributes have, its base classes say as well. Of one that ``is_open``, other files tell whether
    its methods move it, so that it is an entity.
    """

    kind: str
    name: str
    evidence: tuple[Evidence, ...]
    fields: tuple[Field, ...] = ()
    graphs: tuple[Graph, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    questions: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    is_abstract: bool = False
    removed: tuple[str, ...] = ()
    switched: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    is_open: bool = False
    shared: tuple[SharedState, ...] = ()
    overriding: tuple[str, ...] = ()


class Enumeration(NamedTuple):
    """An enum with its values, in their order. It ``is_combined`` where more than one value may
    hold at once: these are added and taken away.
    """

    name: str
    evidence: tuple[Evidence, ...]
    values: tuple[str, ...]
    is_combined: bool = False


class Rule(NamedTuple):
    """What an operation demands and does. ``requires`` and ``ensures`` are expressions of the
    language; ``guidance`` tells, in prose, what it demands that the language cannot say. ``edges``
    are the transitions that it proves, of the ``entity``'s field ``field``; ``begun`` the only
    states in which a private step may begin, where its file tells them. Edges are ``doubted`` that
    it may also have, behind a guard that cannot be read.
    """

    name: str
    evidence: tuple[Evidence, ...]
    trigger: str
    parameters: tuple[str, ...]
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()
    entity: str = ""
    field: str = ""
    edges: tuple[Edge, ...] = ()
    begun: tuple[str, ...] = ()
    doubted: tuple[Edge, ...] = ()


class Operation(NamedTuple):
    """One operation of a contract; ``result`` is None where nothing is returned."""

    name: str
    parameters: tuple[Field, ...]
    result: Type | None


class Contract(NamedTuple):
    """What others have to provide: an abstract class, a protocol, an interface."""

    name: str
    evidence: tuple[Evidence, ...]
    operations: tuple[Operation, ...]


class Setting(NamedTuple):
    """A parameter of the configuration with its default, "" where there is none."""

    name: str
    type: Type
    value: str
    evidence: Evidence


class Configuration(NamedTuple):
    """The parameters that one file has."""

    evidence: tuple[Evidence, ...]
    settings: tuple[Setting, ...]
    name: str = ""


Declaration: TypeAlias = Shape | Enumeration | Rule | Contract | Configuration


class Import(NamedTuple):
    """What a name at the top of a file means elsewhere.

    ``targets`` are the paths of files that may be meant, the likeliest first, relative to the top
    of the tree; ``symbol`` is the name there, "" for the whole file. ``dir/*.go`` means all
    files of a folder.
    """

    targets: tuple[bytes, ...]
    symbol: str
    full_name: str


class Choice(NamedTuple):
    """One value that a field may have: how it is stored, its constant's name, and its own name in
    the specification.
    """

    stored: object
    symbol: str
    name: str


class Handled(NamedTuple):
    """An object that an operation works on: its name there, and the dotted name of its type, which
    may be guessed from a part of the name.
    """

    name: str
    type: str
    is_guessed: bool = False


class ServiceOperation(NamedTuple):
    """A function, or a method, that works on objects of other classes: what it demands and does is
    known where their types are. ``code`` is the function as Python, ``constants`` are those of its
    file that it names, and ``called`` the methods of its own class that it runs, each as Python
    too. What ``is_private`` is a step of other operations: ``runners`` are those that run it,
    ``handers`` those that have others run it, if they are known to be all.
    """

    place: Evidence
    code: str
    handled: tuple[Handled, ...]
    constants: tuple[tuple[str, str], ...] = ()
    is_private: bool = False
    called: tuple[str, ...] = ()
    runners: tuple[str, ...] = ()
    handers: tuple[str, ...] = ()


# What a file exports without a name, as one of its aliases.
DEFAULT = "export default"


class FileFacts(NamedTuple):
    """All that one file says. ``aliases`` are names for types (``UserId = int``). ``choices`` are
    the values of enums by the enum's name, and of fields that have no enum by ``Class.field``.
    ``answers`` are what classes say of themselves, by their symbols: properties, and methods
    without arguments, by their names, with what they return, as Python. ``lists`` are constants
    that list others, or values, as Python, ``setters`` methods of classes that set a state to what
    they are given, by the classes' symbols, and ``parts`` the attributes of classes that are
    objects of others, with the names of these, by the same symbols.
    """

    path: bytes
    declarations: Sequence[Declaration] = ()
    aliases: Mapping[str, Type] = {}
    imports: Mapping[str, Import] = {}
    services: Sequence[ServiceOperation] = ()
    choices: Mapping[str, Sequence[Choice]] = {}
    answers: Mapping[str, Mapping[str, str]] = {}
    lists: Mapping[str, str] = {}
    setters: Mapping[str, Sequence[str]] = {}
    parts: Mapping[str, Mapping[str, str]] = {}
    tables: Mapping[str, Sequence[tuple[str, str]]] = {}


def is_alike(one: object, two: object) -> bool:
    """Whether two versions of a file were found to say the same of all but the code of operations
    (see ``share_facts``).
    """
    if one is two:
        return True
    if not isinstance(one, FileFacts) or not isinstance(two, FileFacts):
        return False
    return all(map(operator.is_, one._replace(services=()), two._replace(services=())))


def share_facts(facts: FileFacts, before: FileFacts) -> FileFacts:
    """What a file says, as the same objects where another version of it says the same."""
    shared = before._replace(services=facts.services)
    # Equal mappings may have another order, and equal constants another type.
    if shared != facts or not all(map(_is_same_order, shared, facts)):
        return facts
    if repr(shared.choices) != repr(facts.choices):
        return facts
    return before if before.services == facts.services else shared


def _is_same_order(one: object, two: object) -> bool:
    if not isinstance(one, Mapping) or not isinstance(two, Mapping):
        return True
    return [*one] == [*two] and all(map(_is_same_order, one.values(), two.values()))


def is_silent(facts: FileFacts | None) -> bool:
    """Whether a file says nothing that could be described."""
    return facts is None or not (facts.declarations or facts.services or facts.tables)


def list_tables(facts: FileFacts | None) -> Mapping[str, Sequence[tuple[str, str]]]:
    """The tables of transitions of a file, by the names that ask them."""
    return facts.tables if facts is not None else {}


def list_types(facts: FileFacts | None) -> Mapping[str, Declaration | Type]:
    """The types that a file declares, and its other names for types, by their names there."""
    if facts is None:
        return {}
    types = (
        each for each in facts.declarations if isinstance(each, Shape | Enumeration | Contract)
    )
    return {**facts.aliases, **{each.evidence[0].symbol: each for each in types}}


def list_choices(facts: FileFacts | None) -> Mapping[str, Sequence[Choice]]:
    """The values that a file lists, by the names of what has them."""
    return facts.choices if facts is not None else {}


# Fields that say which of all it is: what has one is an entity, other data is a value.
IDENTITIES = frozenset({"id", "_id", "uuid", "pk", "key", "uid", "guid"})
ANY = Type("Any")
STRING = Type("String")
INTEGER = Type("Integer")
DECIMAL = Type("Decimal")
BOOLEAN = Type("Boolean")
TIMESTAMP = Type("Timestamp")
DURATION = Type("Duration")


def get_kind(declaration: Declaration) -> str:
    """The kind that the language calls a declaration."""
    match declaration:
        case Shape(kind=kind):
            return kind
        case Enumeration():
            return "enum"
        case Rule():
            return "rule"
        case Contract():
            return "contract"
    return "config"


def refer(source: str, *, is_optional: bool = False, is_relation: bool = False) -> Type:
    """A type of the source by its dotted name."""
    return Type("", source=source, is_optional=is_optional, is_relation=is_relation)


def collect(element: Type, container: str = "List") -> Type:
    """A collection of a type."""
    return Type(container, (element._replace(is_optional=False),))
