"""The values of a stored field that constants are named for.

::

    STATUS_NEW = "new"
    STATUS_DONE = "done"
    status = models.CharField(max_length=9, default=STATUS_NEW)

A field that begins with one of them has all whose names begin, or end, with the same words: the
field's own. A list of choices may name constants of another file, and a method may give the field
a constant of its class that nobody listed.
"""

import ast
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.python.syntax.constants import (
    Constants,
    States,
    list_pairs,
    name_choices,
    read_constants,
)
from git_retcon.allium.extract.python.syntax.function_texts import Function, find_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Choice, Field, Type
from git_retcon.allium.extract.state_words import cut_shared_words

_MOST = 24  # values of one field
_STORED = frozenset({"String", "Integer"})


def name_stored(
    field: Field, default: ast.expr | None, constants: Constants
) -> tuple[Type, States]:
    """The type of a field with its values, and how they are written; the type alone where constants
    say nothing of them.
    """
    symbol = get_last(spell_dotted(default)) if default is not None else ""
    if field.type.name not in _STORED or field.type.source or not symbol.isupper():
        return field.type, States()
    choices = read_group(field.symbol, symbol, constants)
    if len(choices) < 2:
        return field.type, States()
    values = tuple(each.name for each in choices)
    return Type("", values=values, is_optional=field.type.is_optional), States(choices=choices)


def read_group(field: str, begun: str, constants: Constants) -> tuple[Choice, ...]:
    """The constants that belong to the one that a field begins with: the words of its name are
    theirs.
    """
    word = field.strip("_").lower().rpartition("_")[2]
    found: dict[object, Choice] = {}
    kind = type(_read_value(constants.get(begun)))
    for symbol, rest in _list_named(word, begun, constants):
        value = _read_value(constants[symbol])
        if type(value) is kind and value is not None:
            is_word = isinstance(value, str) and len(value) > 1 and not value.isdigit()
            found.setdefault(value, Choice(value, symbol, f"{value}" if is_word else rest))
    is_known = any(each.symbol == begun for each in found.values())
    return name_choices([*found.values()]) if is_known and len(found) <= _MOST else ()


def read_row(named: Set[str], constants: Constants) -> tuple[Choice, ...]:
    """The constants on lines one after the other that are numbered so, and have these among them;
    few of them tell of no others.
    """
    rows: list[list[tuple[str, ast.Constant, int]]] = []
    for symbol, node in constants.items():
        number = _read_value(node)
        if (
            not symbol.isupper()
            or not isinstance(node, ast.Constant)
            or not isinstance(number, int)
        ):
            continue
        last = rows[-1][-1] if rows else None
        follows = last is not None and (node.lineno, number) == (last[1].lineno + 1, last[2] + 1)
        rows = rows if follows else [*rows, []]
        rows[-1].append((symbol, node, number))
    row = next((row for row in rows if named <= {symbol for symbol, _, _ in row}), [])
    found = [Choice(number, symbol, symbol.lower()) for symbol, _, number in row]
    return name_choices(found) if len(named) > 2 and len(found) <= _MOST else ()


def _list_named(
    word: str, begun: str, constants: Mapping[str, ast.expr]
) -> Iterator[tuple[str, str]]:
    """The names with the same words before, or behind, what tells them apart, and that."""
    words = _split(begun)
    if word not in words or len(words) < 2:
        return
    at = words.index(word) + 1
    is_last = at == len(words)
    for symbol in constants:
        own = _split(symbol) if symbol.isupper() else []
        same, rest = (own[-1:], own[:-1]) if is_last else (own[:at], own[at:])
        if rest and same == (words[-1:] if is_last else words[:at]):
            yield symbol, "_".join(rest)


def _split(symbol: str) -> Sequence[str]:
    return symbol.strip("_").lower().split("_")


def _read_value(node: ast.expr | None) -> str | int | None:
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int() as number)):
            return -number
    value = node.value if isinstance(node, ast.Constant) else None
    is_plain = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
    return value if is_plain and isinstance(value, str | int) else None


def read_foreign_choices(node: ast.expr, constants: Constants) -> tuple[Choice, ...]:
    """Choices that are constants of another file, ``(states.DRAFT, _("Draft"))``, by their names;
    none where any is something else.
    """
    found: dict[str, str] = {}
    for pair in list_pairs(node, constants):
        dotted = spell_dotted(pair[0]) if pair is not None else ""
        owner, _, symbol = dotted.rpartition(".")
        # A class of members is an enum, which has its own name.
        if not symbol.isupper() or symbol in constants or not (owner.isupper() or owner.islower()):
            return ()
        found[dotted] = symbol
    names = cut_shared_words([*found.values()])
    if len(found) < 2 or len({*names}) < len(found):
        return ()
    pairs = zip(found.items(), names, strict=True)
    return name_choices([Choice((dotted,), symbol, name) for (dotted, symbol), name in pairs])


def add_given(choices: tuple[Choice, ...], field: str, node: ast.ClassDef) -> tuple[Choice, ...]:
    """The choices of a field, and the constants of its class beside these that methods give it."""
    constants = read_constants(node.body)
    listed = {each.symbol for each in choices}
    owners = ("self", "cls", node.name)
    if not choices or not listed <= constants.keys():
        return choices
    found = {each.stored: each for each in choices}
    may_give = re.compile(rf"\.{re.escape(field)}\s*=[^=]".encode())
    methods = (each for each in node.body if isinstance(each, Function))
    given = (walk_statements(each.body) for each in methods if _has(each, may_give))
    for part in itertools.chain.from_iterable(given):
        match part:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Attribute(value=ast.Name(id=owner), attr=symbol),
            ) if name == field and owner in owners and symbol in constants:
                value = _read_value(constants[symbol])
                if type(value) is type(choices[0].stored) and value not in found:
                    name = f"{value}" if isinstance(value, str) else symbol.lower()
                    found[value] = Choice(value, symbol, name)
    return name_choices([*found.values()]) if len(found) > len(choices) else choices


def _has(node: Function, pattern: "re.Pattern[bytes]") -> bool:
    text = find_text(node)
    return text is None or pattern.search(text) is not None
