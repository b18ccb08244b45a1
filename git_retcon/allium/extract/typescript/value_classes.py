"""Classes whose objects are states, written as the enums that they are.

::

    class OrderStatus extends ValueObject<{ value: Value }> {
      static paid() { return new OrderStatus({ value: Value.Paid }); }
      isPaid() { return this.props.value === Value.Paid; }
    }

is ``enum OrderStatus { PAID }`` with a function beside it that answers ``isPaid(status)``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    parse_source,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.typescript.outer_statements import list_statements
from git_retcon.allium.extract.typescript.rewritten_sources import Edits, find_end, write_edits
from git_retcon.allium.extract.typescript.value_answers import ValueAnswers

_MADE = re.compile(rb"\bclass\s+\w*(?:Status|State|Stage|Phase)\w*\b")
_WELL = re.compile(r"(?:\w+\.)?(?:ok|Ok|success|right)")
_LONGEST = 20_000  # characters: what is longer is no value


def write_enums(content: bytes, grammar: str, language: str) -> bytes:
    """A source so written; the same where it has no such class."""
    if _MADE.search(content) is None:
        return content
    root = parse_source(grammar, content, language)
    edits = Edits()
    try:
        statements = [*list_statements(root.named_children if root is not None else ())]
        for each in statements:
            declared = each.child_by_field_name("declaration") or each
            is_default = any(part.type == "default" for part in each.children)
            if declared.type == "class_declaration" and not is_default:
                text = _write_enum(declared, statements)
                if text:
                    edits[declared.start_byte, find_end(declared)] = text.encode()
        return write_edits(root, edits) if root is not None and edits else content
    except RecursionError:
        return content  # nested beyond anything that a person writes


def name_constant(text: str) -> str:
    """What a state is called that a text, a member or a method is named for: ``inTransit``."""
    return spell_words(re.sub(r"\W+", "_", text)).strip("_").upper()


def _write_enum(node: Node, statements: Sequence[Node]) -> str:
    name = read_name(node)
    if not is_named_for_states(name) or len(node.text or b"") > _LONGEST:
        return ""
    body = node.child_by_field_name("body")
    if _changes(body):
        return ""
    found = dict(_list_constants(name, body))
    constants = {each: key for each, key in found.items() if _is_first(each, found)}
    listed = _list_listed(body, statements)
    if listed and (len(constants) < 2 or {*constants.values()} <= {*listed.values()}):
        left = {each: key for each, key in listed.items() if key not in constants.values()}
        constants |= {} if left.keys() & constants.keys() else left
    if len(constants) < 2:
        return ""
    # Their type lists them in their order.
    order = [*listed.values(), *constants.values()]
    constants = dict(sorted(constants.items(), key=lambda each: order.index(each[1])))
    members = ", ".join(f"{each} = '{spell_words(each)}'" for each in constants)
    names = {key: each for each, key in constants.items()}
    aliases = {each: names[key] for each, key in found.items()}
    answers = ValueAnswers(name, body, names, aliases, statements).write_answers()
    return f"enum {name} {{ {members} }}\n{answers}"


def _changes(body: Node | None) -> bool:
    """Whether an object of a class changes: a state does not."""
    methods = [*list_children(body, "method_definition")]
    texts = [read_text(each) for each in methods if read_name(each) != "constructor"]
    return any(re.search(r"\bthis(?:\.\w+)+\s*[^\s\w=!<>]?=(?![=>])", each) for each in texts)


def _is_first(name: str, found: Mapping[str, str]) -> bool:
    """Whether no other constant before one is the same state."""
    return next(each for each, key in found.items() if key == found[name]) == name


def _list_constants(name: str, body: Node | None) -> Iterator[tuple[str, str]]:
    """The states that a class makes by name, each with the source of its value."""
    for item in list_children(body):
        if not any(each.type == "static" for each in item.children):
            continue
        value = item.child_by_field_name("value")
        if item.type == "method_definition":
            inner = list_inner(item, "body")
            is_alone = len(inner) == 1 and not list_inner(item, "parameters")
            value = inner[0] if is_alone and inner[0].type == "return_statement" else None
            value = value.named_children[0] if value is not None and value.named_children else None
        elif value is not None and value.type == "arrow_function":
            value = None if list_inner(value, "parameters") else value.child_by_field_name("body")
        key = _read_made(name, value)
        if key:
            own = read_name(item)
            yield own if own.isupper() or own[:1].isupper() else name_constant(own), key


def _read_made(name: str, value: Node | None) -> str:
    """The source of the value of a state that is made; "" for anything else."""
    if value is None:
        return ""
    given = list_inner(value, "arguments")
    if value.type == "new_expression":
        made = read_text(value.child_by_field_name("constructor"))
        return read_key(given[0]) if given and made in (name, "this") else ""
    called = read_text(value.child_by_field_name("function"))
    if value.type == "call_expression" and given:
        if _WELL.fullmatch(called):
            return _read_made(name, given[0])
        if re.fullmatch(rf"(?:this|{re.escape(name)})\.(?:create|of|from\w*)", called):
            return read_key(given[0])
    return ""


def read_key(node: Node) -> str:
    """The source of a value: a text, a member of an enum, also as the ``value`` of an object."""
    match node.type:
        case "string":
            return f"'{read_text(node)[1:-1]}'"
        case "member_expression" if re.fullmatch(r"[A-Z]\w*\.\w+", read_text(node)):
            return read_text(node)
        case "as_expression" | "satisfies_expression":
            return read_key(node.named_children[0])
        case "object":
            pairs = [*list_children(node, "pair")]
            value = pairs[0].child_by_field_name("value") if len(pairs) == 1 else None
            return read_key(value) if value is not None else ""
    return ""


def _list_listed(body: Node | None, statements: Sequence[Node]) -> Mapping[str, str]:
    """All values that the type of what a class keeps has, by their names, each with its source."""
    kinds = {read_text(each).lstrip(": ") for each in _list_types(body)}
    for node in statements:
        declared = node.child_by_field_name("declaration") or node
        own = read_name(declared) if declared.child_by_field_name("name") is not None else ""
        if own not in kinds:
            continue
        if declared.type == "enum_declaration":
            members = [read_name(each) or read_text(each)
                       for each in list_inner(declared, "body")]  # fmt: skip
            return {each: f"{own}.{each}" for each in members if each.isidentifier()}
        if declared.type == "type_alias_declaration":
            texts = _list_texts(read_text(declared.child_by_field_name("value")))
            if texts:
                return texts
    found = [texts for each in kinds if (texts := _list_texts(each))]
    return found[0] if len(found) == 1 else {}


def _list_types(body: Node | None) -> Iterator[Node]:
    """The types of what an object of a class keeps."""
    for item in list_children(body):
        is_static = any(each.type == "static" for each in item.children)
        if item.type == "public_field_definition" and not is_static:
            yield from filter(None, [item.child_by_field_name("type")])
        elif item.type == "method_definition" and read_name(item) == "constructor":
            for each in list_inner(item, "parameters"):
                if any(
                    part.type in ("accessibility_modifier", "readonly") for part in each.children
                ):
                    yield from filter(None, [each.child_by_field_name("type")])


def _list_texts(kind: str) -> Mapping[str, str]:
    """The texts of a union, by their names."""
    parts = [each.strip() for each in kind.split("|") if each.strip()]
    texts = [each[1:-1] for each in parts if re.fullmatch(r"(['\"])[\w -]+\1", each)]
    is_union = len(texts) == len(parts) and len(texts) > 1
    return {name_constant(each): f"'{each}'" for each in texts} if is_union else {}
