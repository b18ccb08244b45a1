"""Python's type annotations as types of the language."""

import ast
from collections.abc import Mapping

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    DURATION,
    INTEGER,
    STRING,
    TIMESTAMP,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import is_value, name_values


def _name_types() -> Mapping[str, Type]:
    names = {
        STRING: "str AnyStr LiteralString UUID UUID1 UUID3 UUID4 UUID5 Path PurePath PosixPath"
        " FilePath DirectoryPath NewPath EmailStr NameEmail HttpUrl AnyUrl AnyHttpUrl FileUrl"
        " PostgresDsn RedisDsn AmqpDsn MongoDsn constr StrictStr SecretStr IPv4Address"
        " IPv6Address IPvAnyAddress",
        INTEGER: "int conint StrictInt PositiveInt NegativeInt NonNegativeInt NonPositiveInt",
        DECIMAL: "float Decimal confloat condecimal StrictFloat PositiveFloat NegativeFloat"
        " NonNegativeFloat NonPositiveFloat FiniteFloat",
        BOOLEAN: "bool StrictBool",
        TIMESTAMP: "datetime date time AwareDatetime NaiveDatetime PastDatetime FutureDatetime"
        " PastDate FutureDate",
        DURATION: "timedelta",
    }
    return {name: kind for kind, each in names.items() for name in each.split()}


NAMED = _name_types()
_UNKNOWN = frozenset(
    {"Any", "object", "dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict",
     "Callable", "type", "Type", "bytes", "bytearray", "Json", "SecretBytes", "complex",
     "ModuleType", "None", "Awaitable", "Self", "TypeVar", "ByteString"}
)  # fmt: skip
_LISTS = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "tuple", "Tuple",
     "conlist", "deque", "Deque", "DynamicMapped", "WriteOnlyMapped"}
)  # fmt: skip
_SETS = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet", "conset"})
# What says something of a type but is none.
_WRAPPERS = frozenset(
    {"Annotated", "Final", "Mapped", "Required", "NotRequired", "ReadOnly", "InitVar",
     "SkipValidation", "DynamicMapped", "WriteOnlyMapped"}
)  # fmt: skip


def read_type(node: ast.expr | None) -> Type:
    """The type that an annotation means; ``Any``, with the source's own name, if it is none of the
    language's and no class.
    """
    match node:
        case None:
            return ANY
        case ast.Constant(value=None):
            return ANY
        case ast.Constant(value=str(text)):
            return read_text(text)
        case ast.Name() | ast.Attribute() | ast.Call():
            return _read_name(spell_dotted(node))
        case ast.BinOp(op=ast.BitOr()):
            return _join_types([*_list_alternatives(node)])
        case ast.Subscript(value=base, slice=inside):
            return _read_generic(get_last(spell_dotted(base)), spell_dotted(base), inside)
    return ANY


def read_text(text: str) -> Type:
    """The type of an annotation that is written as a string."""
    if text.replace(".", "").isidentifier():
        return _read_name(text)
    try:
        return read_type(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ANY


def is_class_variable(node: ast.expr) -> bool:
    """Whether an annotation says that it is no field."""
    name = get_last(spell_dotted(node))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = get_last(node.value.partition("[")[0])
    return name in ("ClassVar", "InitVar", "KW_ONLY", "TypeAlias")


def _read_name(dotted: str) -> Type:
    name = get_last(dotted)
    if name in NAMED:
        kind = NAMED[name]
        # A class of the source may have the name of a type of the language.
        return kind._replace(source=dotted) if name == kind.name else kind
    if name in _LISTS or name in _SETS:
        return collect(ANY, "Set" if name in _SETS else "List")
    if name in _UNKNOWN or not dotted:
        return Type("Any", source=dotted if name not in ("Any", "object") else "")
    return refer(dotted)


def _list_alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_list_alternatives(node.left), *_list_alternatives(node.right)]
    return [node]


def _join_types(nodes: list[ast.expr]) -> Type:
    """Alternatives: an optional type, an enum of literals, else nothing the language can say."""
    rest = [each for each in nodes if not _is_none(each)]
    is_optional = len(rest) < len(nodes)
    found = [read_type(each) for each in rest]
    kinds = list(dict.fromkeys(found))
    if len(kinds) == 1:
        return kinds[0]._replace(is_optional=is_optional or kinds[0].is_optional)
    if kinds and all(each.values for each in kinds):
        values = dict.fromkeys(value for each in kinds for value in each.values)
        return Type("", values=tuple(values), is_optional=is_optional)
    # A number in any form is the wider of its forms.
    if kinds and {each.name for each in kinds} <= {"Integer", "Decimal"}:
        return DECIMAL._replace(is_optional=is_optional)
    names = " or ".join(filter(None, (spell_dotted(each) for each in rest)))
    return Type("Any", source=names, is_optional=is_optional)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, "None")


def _read_generic(name: str, dotted: str, inside: ast.expr) -> Type:
    items = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
    if name == "Optional":
        return read_type(inside)._replace(is_optional=True)
    if name == "Union":
        return _join_types(items)
    if name in _WRAPPERS and items:
        found = read_type(items[0])
        return collect(found) if name in ("DynamicMapped", "WriteOnlyMapped") else found
    if name == "Literal":
        return _read_literals(items)
    if name in ("tuple", "Tuple"):
        kinds = {read_type(each) for each in items if not _is_ellipsis(each)}
        return collect(kinds.pop() if len(kinds) == 1 else ANY)
    if name in _LISTS or name in _SETS:
        return collect(read_type(items[0]) if items else ANY, "Set" if name in _SETS else "List")
    if name in _UNKNOWN:
        return Type("Any", source=name)
    return refer(dotted) if dotted else ANY  # a generic class of the source


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _read_literals(items: list[ast.expr]) -> Type:
    values = [each.value for each in items if isinstance(each, ast.Constant)]
    texts = [each for each in values if isinstance(each, str)]
    is_optional = None in values
    if len(texts) + is_optional < len(items) or not all(map(is_value, texts)):
        kinds = {type(each) for each in values}
        if kinds == {int}:
            return INTEGER
        return BOOLEAN if kinds == {bool} else ANY
    return Type("", values=name_values(texts), is_optional=is_optional)


def read_alias(value: ast.expr) -> Type | None:
    """What a name at the top of a file means, if that is a type."""
    match value:
        case ast.Subscript():
            name = get_last(spell_dotted(value))
            is_type = name in (
                "Literal",
                "Union",
                "Optional",
                "Annotated",
                "list",
                "List",
                "dict",
                "Dict",
            )
            return read_type(value) if is_type else None
        case ast.BinOp(op=ast.BitOr(), right=right) if isinstance(
            right, ast.Constant | ast.Name | ast.Attribute
        ):
            kind = read_type(value)
            return kind if kind.name or kind.source else None
        case ast.Call(args=[ast.Constant(value=str(label)), ast.Constant(value=str(name))]):
            # A model of Django by the names of its application and itself.
            is_model = get_last(spell_dotted(value)) == "get_model"
            return refer(f"{label}.{name}", is_relation=True) if is_model else None
        case ast.Call(args=[ast.Constant(), kind]) if get_last(spell_dotted(value)) == "NewType":
            return read_type(kind)
        case ast.Name(id=name) if name in ("str", "int", "float", "bool", "Decimal"):
            return read_type(value)
    return None
