"""Files without their grammar: structs or classes of plain fields, and enums, by their outline.

What it cannot be sure of it leaves out: no methods, no rules, no types that go over several lines.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.grammar.records import (
    Member,
    Record,
    describe_record,
    make_enumeration,
    make_field,
)
from git_retcon.allium.extract.source_facts import Declaration, Field, FileFacts, Type
from git_retcon.allium.extract.spelling import spell_words

_COMMENTS = r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*'


class Outline(NamedTuple):
    """How a language writes a record (``name`` and its opening brace), an enum, and one field of a
    record on a line of its own (``name`` and ``type``). Languages without an enum have none.
    """

    read_type: Callable[[str], Type]
    record: str
    field: str
    enum: str = r"(?!)"


def read_outline(path: bytes, content: bytes, outline: Outline) -> FileFacts:
    """What a file declares."""
    text = content.decode("utf-8", "replace")
    text = re.sub(_COMMENTS, lambda found: found[1] or " ", text, flags=re.DOTALL)
    enums = {
        name: members
        for name, body in _list_blocks(text, outline.enum)
        if (members := _list_members(body))
    }
    found: list[Declaration] = []
    for name, members in enums.items():
        enum = make_enumeration(path, name, members)
        found += [enum] if enum is not None else []
    for name, body in _list_blocks(text, outline.record):
        fields = [*_list_fields(_keep_top(body), outline)]
        if fields:
            # Whether a method says more of it nobody reads here.
            found += describe_record(path, Record(name, fields, is_data=True), enums)
    return FileFacts(path, found)


def _list_blocks(text: str, opening: str) -> Iterator[tuple[str, str]]:
    """Each name with what is between its braces."""
    for found in re.finditer(opening, text, re.MULTILINE):
        depth, start = 1, found.end()
        for at in range(start, len(text)):
            depth += (text[at] == "{") - (text[at] == "}")
            if not depth:
                yield found["name"], text[start:at]
                break


def _keep_top(body: str) -> str:
    """A body without what is in braces inside of it."""
    depth = 0
    kept: list[str] = []
    for letter in body:
        depth -= letter == "}"
        if not depth:
            kept.append(letter)
        depth += letter == "{"
    return "".join(kept)


def _list_members(body: str) -> list[Member]:
    """The names of an enum; none where one of its values has something in it."""
    plain = re.sub(r"#\[[^\]]*\]|\[[^\]]*\]", "", body.partition(";")[0])
    parts = [part.strip() for part in plain.split(",") if part.strip()]
    names = [re.fullmatch(r"(\w+)(?:\s*=\s*-?\w+)?", part) for part in parts]
    if not all(names):
        return []
    return [Member(found[1], spell_words(found[1])) for found in names if found is not None]


def _list_fields(body: str, outline: Outline) -> Iterator[Field]:
    seen: set[str] = set()
    for found in re.finditer(outline.field, body, re.MULTILINE):
        words: Mapping[str, str] = found.groupdict()
        field = make_field(words["name"], outline.read_type(words["type"]))
        if field is not None and field.name not in seen:
            seen.add(field.name)
            yield field
