"""The types that one file of a class-based language declares, those inside of others too."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.grammar.records import (
    Member,
    Record,
    describe_record,
    list_choices,
    list_returned,
    make_enumeration,
)
from git_retcon.allium.extract.grammar.services import Function, list_services
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.service_operations import spell_answers
from git_retcon.allium.extract.source_facts import (
    Declaration,
    FileFacts,
    Import,
    Rule,
    Type,
    refer,
)
from git_retcon.allium.extract.spelling import spell_words

_DECLARING = ("class_declaration", "record_declaration", "struct_declaration", "enum_declaration",
              "interface_declaration")  # fmt: skip


class TypeSyntax(NamedTuple):
    """How a language writes its types. ``spaces`` are nodes that hold types and give no name;
    ``member`` is the node of a member of an enumeration.
    """

    spaces: tuple[str, ...]
    member: str
    read_class: Callable[[str, Node], Record]
    read_contract: Callable[[bytes, str, Node], Iterator[Declaration]]
    read_imports: Callable[[bytes, Node], Mapping[str, Import]]
    translate_method: Callable[[Node], Statements]
    read_type: Callable[[str], Type]


def read_types(path: bytes, root: Node, syntax: TypeSyntax) -> FileFacts:
    """What a file declares. A type inside of another is also known by its last name."""
    declared = [*_list_types(root, "", syntax.spaces)]
    aliases: dict[str, Type] = {}
    enums: dict[str, list[Member]] = {}
    answers: dict[str, Mapping[str, str]] = {}
    for symbol, node in declared:
        last = symbol.rpartition(".")[2]
        if symbol != last:
            aliases[last] = refer(symbol)
        if node.type == "enum_declaration":
            members = list_children(node.child_by_field_name("body"), syntax.member)
            names = [read_name(each) for each in members]
            enums[last] = [Member(each, spell_words(each)) for each in names]
    found: list[Declaration] = []
    for symbol, node in declared:
        match node.type:
            case "enum_declaration":
                enum = make_enumeration(path, symbol, enums[symbol.rpartition(".")[2]])
                found += [enum] if enum is not None else []
            case "interface_declaration":
                found += syntax.read_contract(path, symbol, node)
            case _:
                record = syntax.read_class(symbol, node)
                answers[symbol] = spell_answers(list_returned(record.methods))
                found += describe_record(path, record, enums)
    rules = {each.evidence[0].symbol for each in found if isinstance(each, Rule)}
    functions = [
        Function(f"{symbol}.{read_name(method)}", method, syntax.translate_method)
        for symbol, node in declared
        for method in list_children(node.child_by_field_name("body"), "method_declaration")
        if f"{symbol}.{read_name(method)}" not in rules
    ]
    services = list_services(path, functions, lambda each: _name_type(each, syntax), _may_be_type)
    choices = list_choices(enums)
    imports = syntax.read_imports(path, root)
    return FileFacts(path, found, aliases, imports, [*services], choices, answers)


def _name_type(node: Node, syntax: TypeSyntax) -> str:
    kind = syntax.read_type(read_text(node))
    return "" if kind.arguments else kind.source


def _may_be_type(name: str) -> bool:
    # All types of a package are seen without an import.
    return True


def _list_types(node: Node, before: str, spaces: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
    for each in list_children(node, *_DECLARING, *spaces):
        body = each.child_by_field_name("body")
        if each.type in spaces:
            yield from _list_types(body or each, before, spaces)
            continue
        symbol = before + read_name(each)
        yield symbol, each
        if body is not None and each.type != "enum_declaration":
            yield from _list_types(body, symbol + ".", spaces)
