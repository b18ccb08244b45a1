"""TypeScript's types as types of the language."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from git_retcon.allium.extract.grammar.statements import make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    INTEGER,
    STRING,
    TIMESTAMP,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import is_value, name_values

_NAMED: Final[Mapping[str, Type]] = {
    "string": STRING, "String": STRING, "number": DECIMAL, "Number": DECIMAL, "bigint": INTEGER,
    "boolean": BOOLEAN, "Boolean": BOOLEAN, "Date": TIMESTAMP, "Moment": TIMESTAMP,
    "DateTime": TIMESTAMP, "ObjectId": STRING, "Decimal": DECIMAL,
}  # fmt: skip
_UNKNOWN: Final = frozenset(
    {"any", "unknown", "object", "void", "never", "Record", "Map", "WeakMap", "Partial", "Pick",
     "Omit", "Function", "Buffer", "Uint8Array", "JSON", "symbol", "Required", "Readonly", "Json"}
)  # fmt: skip
_LISTS: Final = frozenset({"Array", "ReadonlyArray", "Collection"})
_SETS: Final = frozenset({"Set", "ReadonlySet"})
_WRAPPERS: Final = frozenset({"Promise", "Ref", "Reference", "Relation", "Readonly", "Awaited"})
# What projects call a type that may be missing.
_OPTIONAL: Final = frozenset({"Nullable", "Optional", "Maybe", "Option", "Nullish"})
_NOTHING: Final = frozenset({"null", "undefined"})


def read_string(node: Node | None) -> str | None:
    """The text of a string literal; None for anything else."""
    if node is None or node.type != "string":
        return None
    return read_text(node)[1:-1]


def translate_text(node: Node) -> ast.expr:
    """A text as Python has it: of ``is ${state}``, only that it says something."""
    text = read_string(node)
    if text is not None:
        return ast.Constant(text)
    parts: list[ast.expr] = []
    for each in node.named_children:
        if each.type == "template_substitution":
            parts.append(ast.FormattedValue(make_unknown(), -1))
        else:
            parts.append(ast.Constant(read_text(each)))
    is_plain = len(parts) == 1 and node.named_children[0].type == "string_fragment"
    return parts[0] if is_plain else ast.JoinedStr(parts)


def read_told(node: Node) -> Type | None:
    """The texts that the comments above tell of a field, ``@type {'open' | 'closed'}``; None for
    any other.
    """
    found = list_told(node)
    parts = [each.strip() for each in found[-1].split("|")] if found else []
    rest = [each for each in parts if each not in _NOTHING]
    texts = [each[1:-1] for each in rest if re.fullmatch(r"'[^']*'|\"[^\"]*\"", each)]
    if len(texts) < max(2, len(rest)) or not all(map(is_value, texts)):
        return None
    return Type("", values=name_values(texts), is_optional=len(rest) < len(parts))


def list_told(node: Node) -> Sequence[str]:
    """The types that the comments above tell of a field, as they are written."""
    above, comments = node.prev_named_sibling, ""
    while above is not None and above.type == "comment":
        comments, above = f"{read_text(above)}\n{comments}", above.prev_named_sibling
    return re.findall(r"@type\s*\{\s*([^{}]+?)\s*\}", comments)


def read_type(node: Node | None) -> Type:
    """The type that a node means; ``Any``, with the source's own name, if it is none known."""
    if node is None:
        return ANY
    match node.type:
        case "type_annotation" | "parenthesized_type" | "readonly_type":
            return read_type(node.named_children[0] if node.named_children else None)
        case "predefined_type" | "type_identifier" | "nested_type_identifier":
            return _read_name(read_text(node))
        case "array_type":
            return collect(read_type(node.named_children[0]))
        case "union_type":
            return _join_types(_flatten_union(node))
        case "literal_type":
            return _join_types([node])
        case "generic_type":
            return _read_generic(node)
    return ANY


def _read_name(name: str) -> Type:
    if name in _NAMED:
        kind = _NAMED[name]
        # A class of the source may have the name of a type of the language.
        return kind._replace(source=name) if name == kind.name else kind
    if name in _UNKNOWN:
        return Type("Any", source="" if name in ("any", "unknown") else name)
    return refer(name)


def _flatten_union(node: Node) -> list[Node]:
    if node.type != "union_type":
        return [node]
    parts = (each for each in node.named_children if each.type != "comment")
    return [part for each in parts for part in _flatten_union(each)]


def _join_types(nodes: list[Node]) -> Type:
    rest = [each for each in nodes if read_text(each) not in _NOTHING]
    is_optional = len(rest) < len(nodes)
    texts = [
        text
        for each in rest
        if each.type == "literal_type"
        and (text := read_string(each.named_children[0] if each.named_children else None))
        is not None
    ]
    if rest and len(texts) == len(rest) and all(map(is_value, texts)):
        return Type("", values=name_values(texts), is_optional=is_optional)
    kinds = list(dict.fromkeys(read_type(each) for each in rest if each.type != "literal_type"))
    if len(kinds) == 1 and len(rest) == 1:
        return kinds[0]._replace(is_optional=is_optional)
    return Type("Any", is_optional=is_optional)


def _read_generic(node: Node) -> Type:
    name = read_text(node.child_by_field_name("name") or node.named_children[0])
    arguments = [each for part in node.named_children[1:] for each in part.named_children]
    inner = read_type(arguments[0]) if arguments else ANY
    if name in _LISTS or name in _SETS:
        return collect(inner, "Set" if name in _SETS else "List")
    if name in _WRAPPERS:
        return inner
    if name in _OPTIONAL and len(arguments) == 1:
        return inner._replace(is_optional=True)
    return _read_name(name)


def list_taken(pattern: Node) -> Iterator[tuple[str, str]]:
    """What ``{ state, id: key }`` takes out of an object: the name of each, and of its member."""
    for each in pattern.named_children:
        if each.type == "shorthand_property_identifier_pattern":
            yield read_text(each), read_text(each)
        elif each.type == "pair_pattern":
            key, value = (each.child_by_field_name(part) for part in ("key", "value"))
            if value is not None and value.type == "identifier":
                yield read_text(value), read_text(key)
