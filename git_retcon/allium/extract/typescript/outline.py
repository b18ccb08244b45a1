"""TypeScript without a grammar: interfaces, enums and unions, as far as their outline shows.

What it cannot be sure of it leaves out: no methods, no classes, no types that go over several
lines in brackets of their own.
"""

import re
from collections.abc import Iterator

from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    IDENTITIES,
    STRING,
    TIMESTAMP,
    Declaration,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Shape,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import (
    is_value,
    name_values,
    spell_field_name,
    spell_type_name,
    spell_variable,
)

_NAMED = {"string": STRING, "number": DECIMAL, "boolean": BOOLEAN, "Date": TIMESTAMP}
_COMMENTS = r"/\*.*?\*/|//[^\n]*"
_OPENING = r"^(?:export\s+)?(?:declare\s+)?(?:const\s+)?(interface|enum|type)\s+(\w+)\s*(=|\{)"
_MEMBER = r"^\s*(?:readonly\s+)?(\w+)(\??)\s*:\s*([^;,{}()]+?)[;,]?\s*$"


def read_outline(path: bytes, content: bytes) -> FileFacts:
    """What a file declares."""
    text = re.sub(_COMMENTS, "", content.decode("utf-8", "replace"), flags=re.DOTALL)
    return FileFacts(path, [*_list_declarations(path, text)])


def _list_declarations(path: bytes, text: str) -> Iterator[Declaration]:
    for found in re.finditer(_OPENING, text, re.MULTILINE):
        kind, symbol, opening = found.groups()
        name = spell_type_name(symbol)
        if name is None:
            continue
        place = (Evidence(path, symbol),)
        if opening == "=":
            values = _read_union(text[found.end() :].partition(";")[0])
            if len(values) > 1:
                yield Enumeration(name, place, values)
            continue
        body = text[found.end() :].partition("}")[0]
        if "{" in body:
            continue  # its end is not known
        if kind == "enum":
            members = re.findall(r"^\s*(\w+)", body.replace(",", "\n"), re.MULTILINE)
            if members:
                yield Enumeration(name, place, name_values(map(spell_variable, members)))
        elif fields := {each.name: each for each in _list_fields(body)}:
            has_identity = any(each.symbol in IDENTITIES for each in fields.values())
            yield Shape("entity" if has_identity else "value", name, place, tuple(fields.values()))


def _list_fields(body: str) -> Iterator[Field]:
    for line in body.replace(";", ";\n").split("\n"):
        found = re.match(_MEMBER, line)
        spelled = spell_field_name(found[1]) if found else None
        if found is not None and spelled is not None:
            kind = _read_type(found[3])
            is_optional = kind.is_optional or bool(found[2])
            yield Field(spelled, kind._replace(is_optional=is_optional), found[1])


def _read_union(text: str) -> tuple[str, ...]:
    parts = [part.strip() for part in text.split("|") if part.strip()]
    texts = [part[1:-1] for part in parts if re.fullmatch(r"'[^'\n]*'|\"[^\"\n]*\"", part)]
    return name_values(texts) if len(texts) == len(parts) and all(map(is_value, texts)) else ()


def _read_type(text: str) -> Type:
    parts = [part.strip() for part in text.split("|")]
    rest = [part for part in parts if part not in ("null", "undefined")]
    is_optional = len(rest) < len(parts)
    values = _read_union(" | ".join(rest))
    if values:
        return Type("", values=values, is_optional=is_optional)
    if len(rest) != 1:
        return ANY._replace(is_optional=is_optional)
    name = rest[0]
    if name.endswith("[]"):
        return collect(_read_type(name[:-2]))._replace(is_optional=is_optional)
    found = _NAMED.get(name) or (refer(name) if name.isidentifier() and name[0].isupper() else ANY)
    return found._replace(is_optional=is_optional)
