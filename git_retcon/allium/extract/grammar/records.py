"""Structs, classes and records with their methods as entities, values and rules."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import Node, is_damaged, parse_source
from git_retcon.allium.extract.grammar.translated_methods import Method
from git_retcon.allium.extract.python.classes.classes import find_states
from git_retcon.allium.extract.python.rules import behaviour
from git_retcon.allium.extract.python.rules.chained_rules import read_rules
from git_retcon.allium.extract.python.rules.operations import BoundOperation
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import (
    IDENTITIES,
    Choice,
    Declaration,
    Edge,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Graph,
    Rule,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import (
    name_values,
    spell_field_name,
    spell_type_name,
    spell_variable,
    spell_words,
)


def read_with_grammar(
    read: Callable[[Node], FileFacts], grammar: str, content: bytes, language: str = "language"
) -> FileFacts | None:
    """What ``read`` makes of the tree of a file; None where it cannot be parsed at all."""
    root = parse_source(grammar, content, language)
    if root is None:
        return None
    try:
        found = read(root)
    except RecursionError:
        return None  # nested beyond anything that a person writes
    return found if found.declarations or not is_damaged(root) else None


class Record(NamedTuple):
    """A struct or a class as its file has it.

    ``kind`` is what the source says that it is, "" where only its fields and methods can tell.
    ``is_data`` where its fields are there for others to read, so that without any behaviour it is
    still worth telling. Others only lend their fields to what inherits them.
    """

    symbol: str
    fields: Sequence[Field]
    methods: Sequence[Method] = ()
    bases: tuple[str, ...] = ()
    kind: str = ""
    is_data: bool = False


class Member(NamedTuple):
    """A value of an enum: its name in the source, and in the specification."""

    symbol: str
    name: str


def make_field(symbol: str, kind: Type) -> Field | None:
    """A field by its name in the source; None where the language cannot have it."""
    spelled = spell_field_name(spell_words(symbol.strip("_")))
    return Field(spelled, kind, symbol) if spelled is not None else None


def make_enumeration(path: bytes, symbol: str, members: Sequence[Member]) -> Enumeration | None:
    """An enum; None for one with nothing in it, or without a name."""
    name = spell_type_name(symbol)
    values = name_values(each.name for each in members)
    if name is None or not values:
        return None
    return Enumeration(name, (Evidence(path, symbol),), values)


def describe_record(
    path: bytes, record: Record, enums: Mapping[str, Sequence[Member]]
) -> Iterator[Declaration]:
    """The entity or value that a record is, with the rules that its methods are.

    ``enums`` are those of the file, by their names in it.
    """
    name = spell_type_name(record.symbol)
    if name is None:
        return
    fields = {each.name: each for each in record.fields}
    states = {each.symbol: _find_states(each.type, enums) for each in fields.values()}
    rules = [*_list_rules(path, record, name, fields, states)]
    has_identity = any(each.symbol.lower() in IDENTITIES for each in fields.values())
    kind = record.kind or ("entity" if rules else "")
    if not kind and fields and record.is_data:
        kind = "entity" if has_identity else "value"
    if not fields and not record.bases:
        return
    yield Shape(
        kind or ("" if record.bases else "value"), name, (Evidence(path, record.symbol),),
        tuple(fields.values()), tuple(_list_graphs(rules)), bases=record.bases,
        is_abstract=not kind,
    )  # fmt: skip
    yield from rules


def list_choices(enums: Mapping[str, Sequence[Member]]) -> Mapping[str, Sequence[Choice]]:
    """The values of a file's enums as facts."""
    return {name: tuple(map(_make_choice, members)) for name, members in enums.items()}


def _make_choice(member: Member) -> Choice:
    return Choice(member.name, member.symbol, member.name)


def _find_states(kind: Type, enums: Mapping[str, Sequence[Member]]) -> States:
    found = find_states(kind)
    members = enums.get(found.enum.rpartition(".")[2])
    if members is None:
        return found
    return found._replace(choices=tuple(map(_make_choice, members)))


def _list_rules(
    path: bytes,
    record: Record,
    name: str,
    fields: Mapping[str, Field],
    states: Mapping[str, States],
) -> Iterator[Rule]:
    known = {each.symbol: each for each in fields.values()}
    returned = list_returned(record.methods)
    called = {member: node for _, node, member in record.methods}
    subject = Subject("self", spell_variable(name), known, states, {}, returned, methods=called)
    operations = (
        BoundOperation(node, subject, name, Evidence(path, f"{record.symbol}.{symbol}"))
        for symbol, node, member in record.methods
        if member != symbol  # a property asks
    )
    for rule in read_rules(operations):
        if rule.requires or rule.ensures or rule.edges:
            yield behaviour.drop_source_words(rule)


def list_returned(methods: Sequence[Method]) -> Mapping[str, ast.expr]:
    """What methods return that do nothing else, by what bodies call them; heirs have another answer
    to what is yes or no in any case.
    """
    bodies = {member: node.body for _, node, member in methods if len(node.body) == 1}
    return {
        member: only.value
        for member, (only,) in bodies.items()
        if isinstance(only, ast.Return) and only.value and not isinstance(only.value, ast.Constant)
    }


def _list_graphs(rules: Sequence[Rule]) -> Iterator[Graph]:
    seen: dict[str, dict[Edge, None]] = {}
    for rule in rules:
        if rule.edges:
            seen.setdefault(rule.field, {}).update(dict.fromkeys(rule.edges))
    for field, edges in seen.items():
        yield Graph(field, tuple(edges), is_whole=False)
