"""The fields of a class in TypeScript or JavaScript, and what decorators of ORMs say of them."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.source_facts import ANY, Field, Type, collect, refer
from git_retcon.allium.extract.spelling import spell_field_name
from git_retcon.allium.extract.typescript.held_values import find_held
from git_retcon.allium.extract.typescript.types import read_string, read_told, read_type

_COLUMNS = frozenset(
    {"Column", "PrimaryGeneratedColumn", "PrimaryColumn", "CreateDateColumn", "UpdateDateColumn",
     "DeleteDateColumn", "VersionColumn", "ObjectIdColumn", "Property", "PrimaryKey", "Prop",
     "Enum", "ForeignKey", "CreatedAt", "UpdatedAt", "DeletedAt"}
)  # fmt: skip
# How options of a column name the enum of its values.
_LISTED = frozenset({"enum", "items"})
_ONE = frozenset({"ManyToOne", "OneToOne", "BelongsTo", "HasOne"})
_BITS = re.compile(r"\bthis\s*\.\s*#?(\w+)\s*&(?!&)|(?<!&)&\s*this\s*\.\s*#?(\w+)\b(?!\s*[.(\[])")
_MANY = frozenset({"OneToMany", "ManyToMany", "HasMany", "BelongsToMany"})


def list_fields(body: Node | None, is_entity: bool) -> Iterator[Field]:
    """The fields of a class; of a mapped one, those that are stored."""
    waiting: list[Node] = []
    for item in body.named_children if body is not None else ():
        if item.type == "decorator":
            waiting.append(item)
            continue
        marks, waiting = waiting, []
        if item.type == "public_field_definition":
            marks += [each for each in item.named_children if each.type == "decorator"]
            field = _read_field(item, marks, is_entity)
            if field is not None:
                yield field
        elif not is_entity and read_text(item.child_by_field_name("name")) == "constructor":
            yield from _list_given(item.child_by_field_name("parameters"))


def let_be_missing(field: Field, body: Node | None) -> Field:
    """A field that its class sets to nothing may have nothing, even if its type says no."""
    is_object = field.type.name in ("", "Any") and not field.type.values
    place = rf"\bthis\s*\.\s*#?{re.escape(field.symbol)}\s*=\s*(?:null|undefined)\b"
    if not is_object or re.search(place, read_text(body)) is None:
        return field
    return field._replace(type=field.type._replace(is_optional=True))


def list_bits(body: Node | None) -> frozenset[str]:
    """The fields of which a class asks single bits: ``this.state & accepted`` says in a way that is
    not read what it refuses.
    """
    found = _BITS.findall(read_text(body))
    return frozenset(name for pair in found for name in pair if name)


def _list_given(parameters: Node | None) -> Iterator[Field]:
    """``constructor(private readonly id: string)`` declares a field."""
    for each in parameters.named_children if parameters is not None else ():
        words = {child.type for child in each.children}
        if words & {"accessibility_modifier", "readonly"}:
            symbol = read_text(each.child_by_field_name("pattern"))
            spelled = spell_field_name(symbol.lstrip("_"))
            if spelled is not None:
                yield Field(spelled, read_type(each.child_by_field_name("type")), symbol)


def _read_field(item: Node, marks: Sequence[Node], is_entity: bool) -> Field | None:
    symbol = read_text(item.child_by_field_name("name")).lstrip("#")
    value = item.child_by_field_name("value")
    held = find_held(value)
    symbol = symbol.rstrip("$") if held is not None else symbol
    spelled = spell_field_name(symbol.lstrip("_"))
    words = {child.type for child in item.children}
    if spelled is None or "static" in words:
        return None
    annotation = item.child_by_field_name("type")
    kind = read_type(annotation)
    if held is not None:
        kind = read_type(held[0]) if held[0] is not None else _infer_type(held[1])
    elif annotation is None:
        told = read_told(item)
        kind = told or (_infer_type(value) if value is not None else kind)
    if value is not None and value.type in ("arrow_function", "function_expression"):
        return None
    read = [read_mark(mark) for mark in marks]
    if kind.name in ("String", "Any") and kind.source in ("", "String"):
        kind = _find_enum(read) or kind
    relation = next((each for each in read if each[0] in _ONE | _MANY), None)
    if relation is not None:
        kind = _relate_type(kind, *relation)
    elif is_entity and not any(_is_column(each[0]) for each in read):
        return None
    is_optional = kind.is_optional or "?" in words
    if any("nullable: true" in read_text(mark) for mark in marks):
        is_optional = True
    return Field(spelled, kind._replace(is_optional=is_optional and not kind.back), symbol)


def _find_enum(marks: Sequence[tuple[str, Sequence[Node]]]) -> Type | None:
    """The enum that a decorator gives a field which is a text else: ``@Prop({ enum: Status })``,
    ``@Enum(() => Status)``.
    """
    for name, arguments in marks:
        given = [*arguments[-1:]] if name == "Enum" else []
        for each in arguments:
            pairs = each.named_children if each.type == "object" else ()
            given += [
                pair.child_by_field_name("value") or pair
                for pair in pairs
                if read_text(pair.child_by_field_name("key")) in _LISTED
            ]
        for node in given:
            text = _read_arrow(node) if node.type == "arrow_function" else read_text(node)
            if text.isidentifier() and text[:1].isupper() and not text.isupper():
                return refer(text)
    return None


def _is_column(mark: str) -> bool:
    """Whether a decorator says that a field is stored; projects have columns of their own."""
    return mark in _COLUMNS or mark.endswith("Column")


def _infer_type(value: Node) -> Type:
    """The type of a value that a field begins with."""
    match value.type:
        case "string" | "template_string":
            return Type("String")
        case "number":
            return Type("Decimal")
        case "true" | "false":
            return Type("Boolean")
        case "member_expression":
            owner = read_text(value.child_by_field_name("object"))
            return refer(owner) if owner[:1].isupper() else ANY
        case "as_expression" | "satisfies_expression" | "type_assertion":
            return _infer_cast(value)
    return ANY


def _infer_cast(value: Node) -> Type:
    """The type that ``'idle' as State`` and ``<State>'idle'`` say; of ``'idle' as const``, and of
    what says nothing of a type, that of the value.
    """
    is_first = value.type == "type_assertion"
    parts = [each for each in value.named_children if each.type != "comment"]
    told, inner = (parts[0], parts[-1]) if is_first else (parts[-1], parts[0])
    if is_first and told.type == "type_arguments":
        told = told.named_children[0]
    kind = read_type(told) if len(parts) > 1 else ANY
    return kind if kind.name != "Any" or kind.source or kind.values else _infer_type(inner)


def read_mark(mark: Node) -> tuple[str, Sequence[Node]]:
    """A decorator's name and arguments."""
    inner = mark.named_children[0] if mark.named_children else mark
    if inner.type != "call_expression":
        return read_text(inner).rpartition(".")[2], ()
    arguments = inner.child_by_field_name("arguments")
    name = read_text(inner.child_by_field_name("function")).rpartition(".")[2]
    return name, arguments.named_children if arguments is not None else ()


def _relate_type(kind: Type, name: str, arguments: Sequence[Node]) -> Type:
    """``@OneToMany(() => Order, (order) => order.user)``."""
    target = _read_arrow(arguments[0]) if arguments else ""
    back = _read_arrow(arguments[1]).rpartition(".")[2] if len(arguments) > 1 else ""
    if not target:
        target = kind.arguments[0].source if kind.arguments else kind.source
    if not target:
        return kind
    found = refer(target, is_relation=True, is_optional=kind.is_optional)
    if name in _ONE:
        return found
    return found._replace(back=back) if name == "OneToMany" and back else collect(found, "Set")


def _read_arrow(node: Node) -> str:
    """What an arrow function returns, if that is a name; or the text of a string."""
    if node.type == "arrow_function":
        return read_text(node.child_by_field_name("body"))
    return read_string(node) or ""
