"""A schema of Prisma: its models are entities, and code in TypeScript moves their rows.

The language has a declaration a block and a field a line, so that no grammar is needed. A block
that cannot be read to its end makes the whole file broken.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from git_retcon.allium.extract.source_facts import (
    BOOLEAN,
    DECIMAL,
    INTEGER,
    STRING,
    TIMESTAMP,
    Choice,
    Declaration,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Import,
    Shape,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import (
    name_values,
    spell_field_name,
    spell_type_name,
    spell_words,
)

_COMMENTS = r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/"""
_OPENING = r"^[ \t]*(model|view|type|enum)[ \t]+(\w+)[ \t]*\{([^}\n]*)$"
_FIELD = r"\s*(\w+)\s+(\w+)(\[\]|\?)?\s*(.*)"
_TEXT = r'"(?:\\.|[^"\\\n])*"'
_NAMED: Final[Mapping[str, Type]] = {
    "String": STRING, "Boolean": BOOLEAN, "Int": INTEGER, "BigInt": INTEGER, "Float": DECIMAL,
    "Decimal": DECIMAL, "DateTime": TIMESTAMP, "Json": Type("Any", source="Json"),
    "Bytes": Type("Any", source="Bytes"),
}  # fmt: skip


class _Member(NamedTuple):
    """A field of a model as it is written: its type, ``[]`` or ``?`` behind it, its attributes."""

    symbol: str
    kind: str
    mark: str
    attributes: str


class _Block(NamedTuple):
    word: str
    symbol: str
    lines: Sequence[str]


def read_schema(path: bytes, content: bytes) -> FileFacts | None:
    """What a schema declares; None where a block has no end."""
    text = re.sub(_COMMENTS, lambda found: found[1] or "", _decode(content), flags=re.DOTALL)
    blocks = [*_list_blocks(text)]
    if any(each is None for each in blocks):
        return None
    found = [each for each in blocks if each is not None]
    models = {each.symbol: [*_list_members(each.lines)] for each in found if each.word != "enum"}
    declarations: list[Declaration] = []
    choices: dict[str, Sequence[Choice]] = {}
    for block in found:
        name = spell_type_name(block.symbol)
        if name is None:
            continue
        place = (Evidence(path, block.symbol),)
        if block.word == "enum":
            listed = _list_choices(block.lines)
            if listed:
                choices[block.symbol] = listed
                values = tuple(each.name for each in listed)
                declarations.append(Enumeration(name, place, values))
            continue
        fields = tuple(_list_fields(block.symbol, models))
        # A type is a part of a document, and has no row of its own.
        kind = "value" if block.word == "type" else "entity"
        if fields:
            declarations.append(Shape(kind, name, place, fields))
    beside = Import((posixpath.join(posixpath.dirname(path), b"*.prisma"),), "*", "")
    return FileFacts(path, declarations, imports={"*": beside}, choices=choices)


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


def _list_blocks(text: str) -> Iterator[_Block | None]:
    """The declarations of a schema, None for one without an end."""
    for found in re.finditer(_OPENING, text, re.MULTILINE):
        end = re.compile(r"^[ \t]*\}", re.MULTILINE).search(text, found.end())
        if end is None:
            yield None
            return
        yield _Block(found[1], found[2], text[found.end() : end.start()].split("\n"))


def _list_choices(lines: Sequence[str]) -> tuple[Choice, ...]:
    symbols = [each.split()[0] for each in lines if re.match(r"\s*\w", each)]
    names = name_values(spell_words(each) for each in dict.fromkeys(symbols))
    if len(names) < len(symbols):
        return ()
    return tuple(Choice(each, each, name) for each, name in zip(symbols, names, strict=True))


def _list_members(lines: Sequence[str]) -> Iterator[_Member]:
    for line in lines:
        found = re.fullmatch(_FIELD, line)
        if found is not None:
            yield _Member(found[1], found[2], found[3] or "", found[4])


def _list_fields(model: str, models: Mapping[str, Sequence[_Member]]) -> Iterator[Field]:
    seen: set[str] = set()
    for each in models[model]:
        spelled = spell_field_name(each.symbol.strip("_"))
        if spelled is not None and spelled not in seen:
            seen.add(spelled)
            yield Field(spelled, _read_type(model, each, models), each.symbol)


def _read_type(model: str, member: _Member, models: Mapping[str, Sequence[_Member]]) -> Type:
    is_optional = member.mark == "?"
    if member.kind in _NAMED:
        kind = _NAMED[member.kind]
        return collect(kind) if member.mark == "[]" else kind._replace(is_optional=is_optional)
    is_relation = member.kind in models or "@relation" in member.attributes
    found = refer(member.kind, is_optional=is_optional, is_relation=is_relation)
    if member.mark != "[]":
        return found
    back = _find_back(model, member, models.get(member.kind, ()))
    if back:
        return found._replace(back=back, is_optional=False)
    return collect(found, "Set" if is_relation else "List")


def _find_back(model: str, member: _Member, others: Sequence[_Member]) -> str:
    """The only field of the other model that leads back here, by the name of the relation."""
    named = _read_relation(member)
    found = [
        each.symbol
        for each in others
        if each.kind == model and each.mark != "[]" and _read_relation(each) == named
    ]
    spelled = spell_field_name(found[0].strip("_")) if len(found) == 1 else None
    return spelled or ""


def _read_relation(member: _Member) -> str:
    """The name that a relation has, where two models have several."""
    found = re.search(rf"@relation\(\s*(?:name:\s*)?({_TEXT})", member.attributes)
    return found[1] if found else ""
