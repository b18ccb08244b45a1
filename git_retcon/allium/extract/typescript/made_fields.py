"""Fields of JavaScript that nothing declares: a constructor makes them.

``constructor() { this._state = CLOSED; this._paused = false; }``. Of these only states and flags
are told: what else a constructor keeps may be anything, now or later.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    read_name,
    read_text,
)
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    STRING,
    Field,
    Import,
    Type,
    refer,
)
from git_retcon.allium.extract.spelling import spell_field_name
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.typescript.constructors import find_constructor
from git_retcon.allium.extract.typescript.interfaces import list_bases
from git_retcon.allium.extract.typescript.types import list_told, read_told

_SUFFIXES = (b".js", b".mjs", b".cjs", b".jsx")
# A field that is asked which text it is.
_ASKED = r"\bthis\.{0}\s*[!=]==?\s*['\"]\w|\bswitch\s*\(\s*this\.{0}\s*\)"
# A field that is given a text, or a constant.
_GIVEN = re.compile(r"""\bthis\.(\w+) = (?:(['"])[\w-]+\2|[A-Z][A-Z_\d]{2,})\s*[;\n]""")
_NAMED = re.compile(
    r"""[?!]?(?:import\((?:['"])([^'"]+)(?:['"])\)\.(\w+)|([A-Z]\w*))((?:\|(?:null|undefined))*)"""
)
_BOOLEAN = re.compile(r"\s*(?:true|false)\s*(?:[;,)}]|$)")


def list_made(path: bytes, body: Node | None) -> Iterator[Field]:
    """What the constructor of a class makes that may be a state or a flag; nothing in TypeScript,
    which declares its fields.
    """
    constructor = find_constructor(body) if path.endswith(_SUFFIXES) else None
    if constructor is None:
        return
    known = {*_list_members(body)}
    text = read_text(body)
    for symbol, value in _list_set(constructor.child_by_field_name("body")):
        name = spell_field_name(symbol.lstrip("_"))
        kind = _read_told(value) or _infer_type(symbol, value, text)
        if kind is None and is_called_state(symbol):
            kind = _read_named(value)
        if name is not None and kind is not None and symbol not in known:
            known.add(symbol)
            yield Field(name, kind, symbol)


def list_inherited(body: Node | None) -> Iterator[Field]:
    """The texts that a base class of the same file leaves to a class: what else it gives them, the
    class gives them as well.
    """
    owner = body.parent if body is not None else None
    for base in _list_near(owner) if owner is not None else ():
        for each in list_children(base, "public_field_definition"):
            symbol, name = read_name(each), spell_field_name(read_name(each).lstrip("_"))
            is_text = read_text(each.child_by_field_name("type")) == ": string"
            is_left = is_text and each.child_by_field_name("value") is None
            given = re.compile(rf"\bthis\.{re.escape(symbol)}\s*=(?![=>])\s*([^;\n]+)")
            others, own = ({*given.findall(read_text(part))} for part in (base, body))
            if name is not None and is_left and is_called_state(symbol) and others <= own:
                yield Field(name, STRING, symbol)


def _list_near(owner: Node) -> Iterator[Node]:
    """The bodies of the base classes of a class that its file has."""
    bases, outer = list_bases(owner), owner.parent
    while bases and outer is not None and outer.parent is not None:
        outer = outer.parent
    for node in outer.named_children if bases and outer is not None else ():
        declared = node.child_by_field_name("declaration") or node
        found = declared.child_by_field_name("body")
        if "class" in declared.type and read_name(declared) in bases and found is not None:
            yield found


def _read_told(value: Node) -> Type | None:
    """The states that a comment tells of what a statement sets."""
    statement = _find_statement(value)
    return read_told(statement) if statement is not None else None


def _read_named(value: Node) -> Type | None:
    """The type that a comment names of what a statement sets: ``@type {State}``, or by its file,
    ``@type {import("./state.js").default}``.
    """
    statement = _find_statement(value)
    told = list_told(statement) if statement is not None else ()
    found = _NAMED.fullmatch(told[-1]) if told else None
    if found is None:
        return None
    source = found[3] or f"{found[1]}.{found[2]}"
    return refer(source, is_optional="?" in told[-1] or found[4] != "")


def name_imported(field: Field, imports: Mapping[str, Import]) -> Field:
    """A field whose type a comment names by its file, as the file of the class calls the type."""
    source = field.type.source
    named = (name for name, each in imports.items() if each.full_name == source)
    name = next(named, "") if source.startswith((".", "@", "~")) else ""
    return field._replace(type=field.type._replace(source=name)) if name else field


def _find_statement(value: Node) -> Node | None:
    statement: Node | None = value
    while statement is not None and statement.type != "expression_statement":
        statement = statement.parent
    return statement


def _list_members(body: Node | None) -> Collection[str]:
    return [read_name(each).lstrip("#") for each in list_children(body)]


def _list_set(block: Node | None) -> Iterator[tuple[str, Node]]:
    """The fields that a constructor sets whatever it is given, with their values."""
    for statement in list_children(block, "expression_statement"):
        each = statement.named_children[0]
        while each.type == "assignment_expression":
            left, right = (each.child_by_field_name(part) for part in ("left", "right"))
            if left is None or right is None or left.type != "member_expression":
                break
            if read_text(left.child_by_field_name("object")) == "this":
                yield read_text(left.child_by_field_name("property")), _find_last(right)
            each = right


def _find_last(value: Node) -> Node:
    """The value of ``this.a = this.b = value``."""
    while value.type == "assignment_expression":
        value = value.child_by_field_name("right") or value
    return value


def _infer_type(symbol: str, value: Node, text: str) -> Type | None:
    """The type of a field by its first value; None where it is neither a state nor a flag."""
    match value.type:
        case "string":
            return STRING
        case "null" | "undefined":
            return ANY
        case "identifier":
            name = read_text(value)
            is_state = name[:1].isupper() and is_called_state(name)
            return ANY if name.isupper() or is_state else None
        case "member_expression":
            owner = read_text(value.child_by_field_name("object"))
            is_name = owner.replace(".", "").isidentifier()
            if is_name and owner.rpartition(".")[2][:1].isupper():
                return refer(owner)
            # A constant of another file, by the name of that, or of an object called after states.
            is_written = read_text(value.child_by_field_name("property")).isupper()
            return ANY if is_written or is_called_state(owner.rstrip("s")) else None
        case "ternary_expression":
            either = (value.child_by_field_name(e) for e in ("consequence", "alternative"))
            kinds = {_infer_type(symbol, each, text) for each in either if each is not None}
            return kinds.pop() if len(kinds) == 1 else None
        case "true" | "false":
            given = re.findall(rf"\bthis\.{re.escape(symbol)}\s*[^\w\s.!=]*=(?![=>])(.*)", text)
            return BOOLEAN if all(map(_BOOLEAN.match, given)) else None
    return None


def list_made_later(path: bytes, body: Node | None) -> Iterator[Field]:
    """What only the other methods of a class give a value that may be a state."""
    if not path.endswith(_SUFFIXES):
        return
    text = read_text(body)
    known = {*_list_members(body)}
    constructor = find_constructor(body)
    block = constructor.child_by_field_name("body") if constructor is not None else None
    known |= {symbol for symbol, _ in _list_set(block)}
    for found in _GIVEN.finditer(text):
        symbol, name = found[1], spell_field_name(found[1].lstrip("_"))
        if name is not None and symbol not in known:
            known.add(symbol)
            yield Field(name, STRING if found[2] else ANY, symbol)


def list_emptied(body: Node | None) -> Collection[str]:
    """The fields that a constructor sets to the text without a letter, and that are asked for
    others: they have no state then.
    """
    constructor = find_constructor(body)
    block = constructor.child_by_field_name("body") if constructor is not None else None
    known, text = {*_list_members(body)}, read_text(body)
    return {
        symbol
        for symbol, value in _list_set(block)
        if read_text(value) in ("''", '""')
        and symbol not in known
        and re.search(_ASKED.format(re.escape(symbol)), text)
    }
