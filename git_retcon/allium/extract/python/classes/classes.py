"""Python classes as entities, values, enums and contracts."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.classes import frameworks
from git_retcon.allium.extract.python.classes.attrs_fields import read_attrs_type
from git_retcon.allium.extract.python.classes.django import read_django_fields, read_django_meta
from git_retcon.allium.extract.python.classes.odoo import read_odoo_fields
from git_retcon.allium.extract.python.classes.overriding_methods import list_overriding
from git_retcon.allium.extract.python.classes.sqlalchemy import Backref, is_mapped, read_columns
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.constants import (
    Constants,
    States,
    read_constants,
)
from git_retcon.allium.extract.python.syntax.enum_members import read_members, read_plain_members
from git_retcon.allium.extract.python.syntax.names import (
    expand,
    get_last,
    list_statements,
    spell_dotted,
)
from git_retcon.allium.extract.python.syntax.ranges import list_ranges
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.type_hints import is_class_variable, read_type
from git_retcon.allium.extract.source_facts import (
    IDENTITIES,
    Choice,
    Contract,
    Enumeration,
    Evidence,
    Field,
    Import,
    Invariant,
    Operation,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import spell_field_name, spell_type_name


class Surroundings(NamedTuple):
    """What a class may refer to in its file; ``shared`` are the constants of its classes, by
    ``Class.NAME``.
    """

    path: bytes
    imports: Mapping[str, Import]
    constants: Constants
    shared: Constants


class ReadClass(NamedTuple):
    """A class with what its methods need: how the values of its fields are written."""

    shape: Shape
    states: Mapping[str, States]
    backrefs: tuple[Backref, ...] = ()


def read_enum(node: ast.ClassDef, symbol: str, around: Surroundings) -> Enumeration | None:
    """An enum, or None for a class that is none."""
    names = {get_last(spell_dotted(base)) for base in node.bases}
    is_enum = not names.isdisjoint(frameworks.ENUM_BASES) or any(
        name.endswith(("Enum", "Choices")) for name in names
    )
    name = spell_type_name(symbol)
    members = read_members(node) if is_enum else read_plain_members(node)
    values = tuple(each.name for each in members)
    if not values or name is None:
        return None
    is_combined = not names.isdisjoint(frameworks.COMBINED_ENUMS)
    return Enumeration(name, (Evidence(around.path, symbol),), values, is_combined=is_combined)


def read_contract(node: ast.ClassDef, symbol: str, around: Surroundings) -> Contract | None:
    """A protocol or an abstract class that says only what others provide."""
    names = {expand(spell_dotted(base), around.imports) for base in node.bases}
    names |= {expand(spell_dotted(each.value), around.imports) for each in node.keywords}
    name = spell_type_name(symbol)
    if name is None or names.isdisjoint(frameworks.CONTRACT_BASES):
        return None
    is_protocol = any(each.startswith("typing") for each in names)
    operations = tuple(_list_operations(node, is_protocol))
    if not operations:
        return None
    return Contract(name, (Evidence(around.path, symbol),), operations)


def _list_operations(node: ast.ClassDef, is_protocol: bool) -> Iterator[Operation]:
    seen: set[str] = set()
    for item in node.body:
        if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        marks = {get_last(spell_dotted(each)) for each in item.decorator_list}
        name = spell_field_name(item.name)
        is_open = "abstractmethod" in marks or (is_protocol and not item.name.startswith("_"))
        if not is_open or name is None or name in seen or marks & {"property", "setter"}:
            continue
        seen.add(name)
        arguments = [*item.args.posonlyargs, *item.args.args, *item.args.kwonlyargs]
        parameters = [
            Field(spelled, read_type(each.annotation), each.arg)
            for each in arguments
            if each.arg not in ("self", "cls")
            and (spelled := spell_field_name(each.arg)) is not None
        ]
        result = None if _is_nothing(item.returns) else read_type(item.returns)
        yield Operation(name, tuple(parameters), result)


def _is_nothing(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def read_shape(node: ast.ClassDef, symbol: str, around: Surroundings) -> ReadClass | None:
    """A class that holds data, or that may take it from a base class.

    Its kind is "" where only a base class can tell.
    """
    name = spell_type_name(symbol)
    bases = tuple(filter(None, (_spell_base(base) for base in node.bases)))
    short = {_name_base(expand(base, around.imports), node) for base in bases}
    if name is None or any(each.endswith(frameworks.ERRORS) for each in short):
        return None
    own = {**around.constants, **around.shared, **read_constants(node.body)}
    shape = Shape(
        "", name, (Evidence(around.path, symbol),), bases=bases, removed=tuple(_list_removed(node)),
        overriding=tuple(list_overriding(_list_methods(node))) if bases else (),
    )  # fmt: skip
    odoo = read_odoo_fields(node, around.imports, own)
    if odoo is not None:
        shape = shape._replace(kind="entity", fields=odoo.fields, is_abstract=odoo.is_abstract)
        return ReadClass(shape, odoo.states)
    django = read_django_fields(node, around.imports, own)
    if django is not None:
        meta = read_django_meta(node)
        kind = "entity" if django.is_model or not meta.is_abstract else ""
        shape = shape._replace(
            kind=kind or "entity",
            fields=django.fields,
            invariants=(*meta.invariants, *django.invariants),
            is_abstract=meta.is_abstract,
        )
        return ReadClass(shape, django.states)
    if is_mapped(node, short, around.imports):
        found = read_columns(node, own, short, around.imports)
        shape = shape._replace(kind="entity", fields=found.fields, is_abstract=found.is_abstract)
        return ReadClass(shape, found.states, found.backrefs)
    return _read_annotated(node, shape, short)


def _name_base(dotted: str, node: ast.ClassDef) -> str:
    """The last name of a base class; all of it for one of a project that is only called as a model
    of pydantic is, where the class makes its fields itself.
    """
    name, package = get_last(dotted), dotted.partition(".")[0]
    is_other = name in frameworks.MODEL_BASES and package not in (name, *frameworks.MODEL_PACKAGES)
    return dotted if is_other and _makes_fields(node) else name


def _makes_fields(node: ast.ClassDef) -> bool:
    is_annotated = any(isinstance(each, ast.AnnAssign) for each in node.body)
    makers = (each for each in node.body if isinstance(each, ast.FunctionDef))
    return not is_annotated and any(
        isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute)
        for each in makers
        if each.name == "__init__"
        for statement in each.body
    )


def _list_methods(node: ast.ClassDef) -> Iterator[tuple[str, Function]]:
    for item in node.body:
        if isinstance(item, Function):
            yield item.name, item


def _list_removed(node: ast.ClassDef) -> Iterator[str]:
    """``name = None`` takes an inherited field away; in a dataclass it is a default."""
    for item in () if node.decorator_list else node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)):
                yield name


def _spell_base(node: ast.expr) -> str:
    name = spell_dotted(node)
    # get_model("x", "Y") and with_metaclass(...) are calls, whose class nobody knows here.
    return "" if isinstance(node, ast.Call) else name


def _read_annotated(node: ast.ClassDef, shape: Shape, short: set[str]) -> ReadClass | None:
    """Dataclasses, attrs, pydantic, tuples and dictionaries with names, annotated classes."""
    marks = {spell_dotted(each) for each in node.decorator_list}
    is_data = not marks.isdisjoint(frameworks.DATACLASS_CALLS | frameworks.ATTRS_CALLS)
    is_model = not short.isdisjoint(frameworks.MODEL_BASES)
    fields: dict[str, Field] = {}
    states: dict[str, States] = {}
    invariants: list[Invariant] = []
    for item in list_statements(node.body):
        field = _read_field(item)
        if field is not None and field.symbol.startswith("_"):
            field = _open_moved(node, field)
        if field is None:
            continue
        fields[field.name] = field
        states[field.symbol] = find_states(field.type)
        if isinstance(item, ast.AnnAssign):
            invariants += list_ranges(item, field)
    is_value = not short.isdisjoint(frameworks.VALUE_BASES) or _is_frozen(node)
    if not fields and not is_model and not is_data:
        return ReadClass(shape, {}) if _may_inherit(short) else None
    is_described = is_data or is_model
    kind_name = "value" if is_value else _choose_kind(fields, shape.name, is_described)
    is_open = not is_value and not is_data and not is_model and _may_inherit(short)
    if is_open or (not fields and not is_model):
        kind_name = ""
    if _has_table(node):
        kind_name = "entity"
    elif kind_name and not (is_data or is_model or is_value or _is_data_alone(node)):
        kind_name = "plain"  # a service may have annotations: its behaviour decides
    # A private class, or one without data, only lends what it has.
    is_lender = shape.evidence[0].symbol.rpartition(".")[2].startswith("_") or not fields
    shape = shape._replace(
        kind=kind_name,
        fields=tuple(fields.values()),
        invariants=tuple(invariants),
        is_abstract=is_lender and bool(kind_name) and not _may_inherit(short),
    )
    return ReadClass(shape, states)


def _open_moved(node: ast.ClassDef, field: Field) -> Field | None:
    """A private field that methods move from one value of its enum to another; else None."""
    enum = get_last(field.type.source)
    for each in walk_nodes(node) if enum else ():
        match each:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Attribute() as value):
                owner = spell_dotted(value).rpartition(".")[0]
                if name == field.symbol and get_last(owner) == enum:
                    spelled = spell_field_name(name.lstrip("_"))
                    return field._replace(name=spelled) if spelled is not None else None
    return None


def _is_data_alone(node: ast.ClassDef) -> bool:
    return not any(
        isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and not item.name.startswith("__")
        for item in node.body
    )


def _may_inherit(short: set[str]) -> bool:
    return bool(short - {"object", "Generic", "ABC"} - frameworks.MODEL_BASES)


def _has_table(node: ast.ClassDef) -> bool:
    """``class Item(SQLModel, table=True)``."""
    return any(
        each.arg == "table" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in node.keywords
    )


def _is_frozen(node: ast.ClassDef) -> bool:
    for mark in node.decorator_list:
        if get_last(spell_dotted(mark)) == "frozen":
            return True
        for keyword in mark.keywords if isinstance(mark, ast.Call) else ():
            value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            if keyword.arg == "frozen" and value is True:
                return True
    return False


def _choose_kind(fields: Mapping[str, Field], name: str, is_described: bool) -> str:
    """What is identified by something is an entity; what compares by its data is a value."""
    if not is_described:
        return "entity"  # two plain objects are never equal
    own = f"{name.lower()}_id"
    return "entity" if any(each in IDENTITIES or each == own for each in fields) else "value"


def _read_field(item: ast.stmt) -> Field | None:
    match item:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            spelled = spell_field_name(name)
            if spelled is None or is_class_variable(annotation):
                return None
            kind = read_type(annotation)
            if value is not None and get_last(spell_dotted(value)) in frameworks.RELATION_CALLS:
                kind = _relate_type(kind, value)
            return Field(spelled, kind, name)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
            if spell_dotted(call) not in frameworks.ATTRS_FIELDS - {"field"}:
                return None
            spelled = spell_field_name(name)
            return Field(spelled, read_attrs_type(call), name) if spelled else None
    return None


def _relate_type(kind: Type, call: ast.expr) -> Type:
    """SQLModel's ``items: list["Item"] = Relationship(back_populates="owner")``."""
    if kind.arguments:
        inner = kind.arguments[0]._replace(is_relation=True)
        for each in call.keywords if isinstance(call, ast.Call) else ():
            if each.arg == "back_populates" and isinstance(each.value, ast.Constant):
                return inner._replace(back=str(each.value.value))
        return kind._replace(arguments=(inner,))
    return kind._replace(is_relation=True)


def find_states(kind: Type) -> States:
    """How a field of this type is written."""
    if kind.values:
        return States(choices=tuple(Choice(each, "", each) for each in kind.values))
    return States(enum=kind.source) if kind.source and not kind.arguments else States()
