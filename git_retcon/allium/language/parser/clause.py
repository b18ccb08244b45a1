"""Items with a syntax of their own: contracts, transition graphs, invariants, open questions."""

from git_retcon.allium.language.declarations import (
    Contracts,
    Edge,
    Invariant,
    Literal,
    Obligation,
    OpenQuestion,
    Transitions,
)
from git_retcon.allium.language.expressions import Block, Expression, Name, Qualified, Text
from git_retcon.allium.language.parser.annotation import parse_title
from git_retcon.allium.language.parser.cursor import Cursor
from git_retcon.allium.language.parser.expression import parse_statement
from git_retcon.allium.language.parser.strings import read_string
from git_retcon.allium.language.tokens import QUOTED, STRING, decode_text


def parse_contracts(cursor: Cursor) -> Contracts:
    """``contracts:`` and its entries, which are indented further."""
    start, column = cursor.start, cursor.columns[cursor.index]
    cursor.index += 2
    entries = []
    while cursor.is_at_word() and cursor.columns[cursor.index] > column:
        entries.append(_parse_obligation(cursor))
        cursor.take_if(",")
    if not entries:
        cursor.report(start, "'contracts:' needs at least one 'demands' or 'fulfils' entry")
    return Contracts(start, cursor.end, tuple(entries))


def _parse_obligation(cursor: Cursor) -> Obligation:
    start = cursor.start
    if not (cursor.is_at("demands") or cursor.is_at("fulfils")):
        raise cursor.fault(f"expected 'demands' or 'fulfils', found {cursor.describe()}")
    direction = cursor.take_name("a direction").text
    contract = parse_reference(cursor, "a contract")
    if cursor.is_at("{"):
        raise cursor.fault("a contract is declared at the top of the module, not in 'contracts:'")
    return Obligation(start, contract.end, direction, contract)


def parse_reference(cursor: Cursor, meaning: str) -> Name | Qualified:
    """``Name`` or ``alias/Name``, where a slash can be no division."""
    name = cursor.take_name(meaning)
    if not cursor.take_if("/"):
        return name
    member = cursor.take_name(meaning)
    return Qualified(name.start, member.end, name, member)


def parse_transitions(cursor: Cursor) -> Transitions:
    """``transitions field { a -> b  terminal: c, d }``; commas are optional."""
    start = cursor.start
    cursor.index += 1
    field = cursor.take_name("a field")
    cursor.take("{")
    edges: list[Edge] = []
    terminal: list[Name] = []
    while not cursor.take_if("}"):
        if cursor.is_at("terminal") and cursor.text_after(1) == ":":
            cursor.index += 2
            terminal.extend(_parse_terminal(cursor))
        elif cursor.is_at_end() or cursor.is_beyond_block():
            cursor.take("}")
        else:
            edges.append(_parse_edge(cursor))
        cursor.take_if(",")
    return Transitions(start, cursor.end, field, tuple(edges), tuple(terminal))


def _parse_terminal(cursor: Cursor) -> list[Name]:
    states = [cursor.take_name("a terminal state")]
    while cursor.take_if(",") and cursor.is_at_word() and cursor.text_after(1) != "->":
        states.append(cursor.take_name("a terminal state"))
    return states


def _parse_edge(cursor: Cursor) -> Edge:
    source = cursor.take_name("a state")
    cursor.take("->")
    target = cursor.take_name("a state")
    return Edge(source.start, target.end, source, target)


def parse_invariant(cursor: Cursor) -> Invariant:
    """``invariant Name { expressions }``."""
    start = cursor.start
    cursor.index += 1
    name = parse_title(cursor, "a name for the invariant")
    opening = cursor.start
    cursor.take("{")
    items: list[Expression] = []
    while not cursor.take_if("}"):
        if cursor.is_at_end() or cursor.is_beyond_block():
            cursor.take("}")
        items.append(parse_statement(cursor))
    return Invariant(start, cursor.end, name, Block(opening, cursor.end, tuple(items)))


def parse_literal(cursor: Cursor) -> Literal:
    """One value of an enum, with the pipe before it."""
    cursor.take_if("|")
    start, text = cursor.start, cursor.texts[cursor.index]
    if cursor.kinds[cursor.index] == QUOTED:
        cursor.index += 1
        return Literal(start, cursor.end, decode_text(text[1:-1]), True)
    name = cursor.take_name("an enum value")
    return Literal(name.start, name.end, name.text, False)


def parse_open_question(cursor: Cursor) -> OpenQuestion:
    """``open question "text"``."""
    start = cursor.start
    cursor.take("open")
    cursor.take("question")
    text = parse_string(cursor, "the question in quotes")
    return OpenQuestion(start, text.end, text)


def parse_string(cursor: Cursor, meaning: str) -> Text:
    """A string; ``meaning`` is for the message."""
    if cursor.kinds[cursor.index] != STRING:
        raise cursor.fault(f"expected {meaning}, found {cursor.describe()}")
    text = read_string(cursor.texts[cursor.index], cursor.start)
    cursor.index += 1
    return text
