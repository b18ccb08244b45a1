"""SQLAlchemy's mapped classes: columns, relationships, enums, in the forms of 1.x and 2.x."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.classes import frameworks
from git_retcon.allium.extract.python.classes.django import find_word, is_true
from git_retcon.allium.extract.python.classes.named_constants import name_stored
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_choices
from git_retcon.allium.extract.python.syntax.names import (
    expand,
    get_last,
    list_statements,
    spell_dotted,
)
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.type_hints import read_type
from git_retcon.allium.extract.source_facts import ANY, Choice, Field, Import, Type, collect, refer
from git_retcon.allium.extract.spelling import is_value, name_values, spell_field_name

_COLLECTIONS = frozenset({"List", "Set"})
_LISTS = (ast.List, ast.Tuple)
_PLURALS = (("ies", "y"), ("es", ""), ("s", ""))


class Columns(NamedTuple):
    """What a mapped class stores; a mixin, or an abstract base, only lends it."""

    fields: tuple[Field, ...]
    states: Mapping[str, States]
    is_abstract: bool
    backrefs: tuple["Backref", ...] = ()


class Backref(NamedTuple):
    """A field that a relationship gives to the class that it leads to."""

    target: str
    field: Field


def is_mapped(node: ast.ClassDef, bases: set[str], imports: Mapping[str, Import]) -> bool:
    """Whether a class has a table, a column or a relationship."""
    if "SQLModel" in bases:
        return False  # SQLModel's fields are annotated
    for item in list_statements(node.body):
        match item:
            case ast.Assign(targets=[ast.Name(id="__tablename__" | "__table_args__")]):
                return True
            case ast.Assign(value=ast.Call() as call) if _is_column(call, imports):
                return True
            case ast.AnnAssign(annotation=annotation):
                if "Mapped" in get_last(spell_dotted(annotation)):
                    return True
                # attrs and dataclasses have a field() too, and an annotation without Mapped.
                if isinstance(item.value, ast.Call) and _is_column(item.value, imports):
                    return True
    return False


def _name_call(call: ast.expr, imports: Mapping[str, Import]) -> str:
    """What is called, by the name that it has where it is imported from."""
    return get_last(expand(spell_dotted(call), imports))


def _is_column(call: ast.Call, imports: Mapping[str, Import]) -> bool:
    name = _name_call(call, imports)
    return name in ("Column", "mapped_column", "relationship") or (
        name in frameworks.RELATION_CALLS and name != "Relationship" and bool(call.args)
    )


class _Around(NamedTuple):
    """What a class's columns may refer to; ``tables`` are those of its own foreign keys."""

    imports: Mapping[str, Import]
    constants: Constants
    tables: frozenset[str]


def read_columns(
    node: ast.ClassDef, constants: Constants, bases: set[str], imports: Mapping[str, Import]
) -> Columns:
    """All fields of a mapped class, in their order."""
    fields: dict[str, Field] = {}
    states: dict[str, States] = {}
    backrefs: list[Backref] = []
    around = _Around(imports, constants, frozenset(_list_tables(node)))
    has_table = is_abstract = False
    for item in list_statements(node.body):
        match item:
            case ast.Assign(targets=[ast.Name(id="__tablename__")]):
                has_table = True
            case ast.Assign(targets=[ast.Name(id="__abstract__")], value=value):
                is_abstract = is_true(value)
        for symbol, kind, found in _read_items(item, around):
            name = spell_field_name(symbol)
            if name is not None:
                fields[name], states[symbol] = _name_states(
                    Field(name, kind, symbol), found, item, constants
                )
                backrefs += _read_backref(item, node.name, fields[name])
    is_mixin = not has_table and not bases - {"object", "MappedAsDataclass", "Generic"}
    is_base = bool(bases & {"DeclarativeBase", "DeclarativeBaseNoMeta"})
    is_lender = is_abstract or is_mixin or is_base
    return Columns(tuple(fields.values()), states, is_lender, tuple(backrefs))


def _name_states(
    field: Field, states: States, item: ast.stmt, constants: Constants
) -> tuple[Field, States]:
    """A field of text with the values of the constants that it begins with one of."""
    call = item.value if isinstance(item, ast.Assign | ast.AnnAssign) else None
    if states != States() or field.type.name != "String" or not isinstance(call, ast.Call):
        return field, states
    kind, named = name_stored(field, find_word(call, "default"), constants)
    return field._replace(type=kind), named


def _read_backref(item: ast.stmt, owner: str, field: Field) -> Iterator[Backref]:
    """``relationship(User, backref="orders")`` gives User a field, of the opposite direction."""
    call = item.value if isinstance(item, ast.Assign | ast.AnnAssign) else None
    for word in call.keywords if isinstance(call, ast.Call) else ():
        if word.arg != "backref":
            continue
        value, is_one = word.value, False
        if isinstance(value, ast.Call) and value.args:
            is_one = any(
                each.arg == "uselist"
                and isinstance(each.value, ast.Constant)
                and not each.value.value
                for each in value.keywords
            )
            value = value.args[0]
        text = value.value if isinstance(value, ast.Constant) else None
        name = spell_field_name(text) if isinstance(text, str) else None
        if name is None or not isinstance(text, str):
            continue
        kind = refer(owner, is_relation=True)
        if field.type.arguments:
            # Through a table between them, both sides have many; else the other side has one.
            is_between = field.type.name == "Set"
            target = field.type.arguments[0].source
            kind = collect(kind, "Set") if is_between else kind._replace(is_optional=True)
        elif field.type.is_optional and not is_one:
            target, kind = field.type.source, kind._replace(back=field.name)
        else:
            target, kind = field.type.source, kind._replace(is_optional=True)
        yield Backref(target, Field(name, kind, text))


def _list_tables(node: ast.ClassDef) -> Iterator[str]:
    """The tables that the foreign keys of a class lead to."""
    for item in node.body:
        value = item.value if isinstance(item, ast.Assign | ast.AnnAssign) else None
        for call in walk_nodes(value) if value is not None else ():
            if isinstance(call, ast.Call) and get_last(spell_dotted(call)) == "ForeignKey":
                first = call.args[0] if call.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value.rpartition(".")[0].rpartition(".")[2]
                elif first is not None:
                    yield get_last(spell_dotted(first).rpartition(".")[0])


def _read_items(item: ast.stmt, around: _Around) -> Iterator[tuple[str, Type, States]]:
    match item:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
            yield from _read_call(name, call, None, around)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            is_text = isinstance(annotation, ast.Constant)
            is_column = isinstance(value, ast.Call) and _is_column(value, around.imports)
            if not is_column and not is_text and "Mapped" not in get_last(spell_dotted(annotation)):
                return
            if isinstance(value, ast.Call):
                yield from _read_call(name, value, annotation, around)
            elif value is None and not name.startswith("__"):
                kind = read_type(annotation)
                yield name, kind, _find_states(kind)
        case ast.FunctionDef(name=name, decorator_list=[mark], body=body):
            # A column that each class of a mixin gets: the function returns it.
            last = body[-1]
            is_column = "declared_attr" in spell_dotted(mark) and isinstance(last, ast.Return)
            if is_column and isinstance(last, ast.Return) and isinstance(last.value, ast.Call):
                yield from _read_call(name, last.value, item.returns, around)


def _read_call(
    name: str,
    call: ast.Call,
    annotation: ast.expr | None,
    around: _Around,
) -> Iterator[tuple[str, Type, States]]:
    function = _name_call(call, around.imports)
    if function in frameworks.RELATION_CALLS:
        yield name, _read_relation(call, annotation, around.tables), States()
    elif function in frameworks.COLUMN_CALLS:
        if function in ("deferred", "column_property"):
            inner = call.args[0] if call.args else None
            if not isinstance(inner, ast.Call) or get_last(spell_dotted(inner)) != "Column":
                return
            call = inner
        yield name, *_read_column(call, annotation, around.constants)


def _read_column(
    call: ast.Call, annotation: ast.expr | None, constants: Constants
) -> tuple[Type, States]:
    words = {each.arg: each.value for each in call.keywords if each.arg}
    kind, states = ANY, States()
    if annotation is not None:
        kind = read_type(annotation)
        states = _find_states(kind)
    arguments = [*call.args[:3], *filter(None, [words.get("type_")])]
    for argument in arguments:
        if isinstance(argument, ast.Constant) or get_last(spell_dotted(argument)) == "ForeignKey":
            continue
        stored = _read_column_type(argument, constants)
        says_more = annotation is not None and not _is_any_enum(kind)
        if stored is not None and (stored[0].values or not says_more):
            is_optional = kind.is_optional
            kind, states = stored[0]._replace(is_optional=is_optional), stored[1]
        break
    if "nullable" in words:
        kind = kind._replace(is_optional=is_true(words["nullable"]))
    elif annotation is None:
        kind = kind._replace(is_optional=not is_true(words.get("primary_key")))
    return kind, states


def _is_any_enum(kind: Type) -> bool:
    return get_last(kind.source) in frameworks.ENUM_BASES


def _read_column_type(node: ast.expr, constants: Constants) -> tuple[Type, States] | None:
    name = get_last(spell_dotted(node))
    if name in frameworks.COLUMN_TYPES:
        return frameworks.COLUMN_TYPES[name], States()
    arguments = node.args if isinstance(node, ast.Call) else []
    # Projects have types of their own for it, such as PyIntEnum and StringEnum.
    if name == "ENUM" or "Enum" in name or "Choice" in name:
        first = arguments[0] if arguments else None
        is_listed = isinstance(first, ast.Name) and isinstance(constants.get(first.id), _LISTS)
        if (
            not is_listed
            and isinstance(first, ast.Name | ast.Attribute)
            and get_last(spell_dotted(first))[:1].isupper()
        ):
            dotted = spell_dotted(first)
            return refer(dotted), States(enum=dotted)
        listed = [each for each in arguments if isinstance(each, ast.Constant)]
        texts = [each.value for each in listed if isinstance(each.value, str)]
        if len(texts) > 1 and len(texts) == len(arguments) and all(map(is_value, texts)):
            choices = tuple(map(Choice, texts, [""] * len(texts), name_values(texts)))
            return Type("", values=name_values(texts)), States(choices=choices)
        starred = (
            arguments[0].value if arguments and isinstance(arguments[0], ast.Starred) else None
        )
        found = read_choices(starred if starred is not None else first, constants) if first else ()
        if len(found) > 1:
            return Type("", values=tuple(each.name for each in found)), States(choices=found)
        return Type("Any", source=name), States()
    if name in ("ARRAY", "MutableList"):
        inner = _read_column_type(arguments[0], constants) if arguments else None
        return collect(inner[0] if inner else ANY), States()
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="with_variant")):
            return _read_column_type(owner, constants)
        case ast.Call(func=ast.Attribute(value=owner)) if name[:1].islower():
            # An enum that makes its own column type: ``Status.db_type()``.
            enum = spell_dotted(owner)
            if get_last(enum)[:1].isupper():
                return refer(enum), States(enum=enum)
    return (Type("Any", source=name), States()) if name else None


def _find_states(kind: Type) -> States:
    if kind.values:
        return States(choices=tuple(Choice(each, "", each) for each in kind.values))
    return States(enum=kind.source) if kind.source and not kind.arguments else States()


def _read_relation(call: ast.Call, annotation: ast.expr | None, tables: frozenset[str]) -> Type:
    words = {each.arg: each.value for each in call.keywords if each.arg}
    back = words.get("back_populates") or words.get("backref")
    field = back.value if isinstance(back, ast.Constant) and isinstance(back.value, str) else ""
    field = field if "back_populates" in words else ""
    kind = read_type(annotation) if annotation is not None else ANY
    target = call.args[0] if call.args else words.get("argument")
    if kind.name in _COLLECTIONS and not kind.source:
        inner = (
            kind.arguments[0]
            if kind.arguments and kind.arguments[0].source
            else _read_target(target)
        )
        return _make_many(inner, kind.name, field, has_table="secondary" in words)
    if annotation is not None and kind.source:
        return kind._replace(is_relation=True)
    inner = _read_target(target)
    if "secondary" in words:
        return collect(inner, "Set")
    uselist = words.get("uselist")
    if isinstance(uselist, ast.Constant) and uselist.value is False:
        return inner._replace(is_optional=True)
    if (
        _leads_to(get_last(inner.source), tables) or "remote_side" in words
    ):  # of the side of a tree that leads to the parent
        return inner._replace(is_optional=True)
    return _make_many(inner, "List", field, has_table=False)


def _read_target(node: ast.expr | None) -> Type:
    match node:
        case ast.Constant(value=str(text)):
            return refer(get_last(text), is_relation=True)
        case ast.Name() | ast.Attribute():
            return refer(spell_dotted(node), is_relation=True)
        case ast.Lambda(body=body):
            return _read_target(body)
    return ANY


def _make_many(inner: Type, container: str, back: str, *, has_table: bool) -> Type:
    inner = inner._replace(is_relation=True, is_optional=False)
    if back and not has_table and inner.source:
        return inner._replace(back=back)
    return collect(inner, container)


def _leads_to(target: str, tables: frozenset[str]) -> bool:
    """Whether one of the tables is that of a class, by its name: ``order_lines`` of OrderLine."""
    simple = target.lower()
    for table in tables:
        name = table.replace("_", "").lower()
        if name == simple or name.endswith(simple):
            return True
        for plural, singular in _PLURALS:
            if name.endswith(plural) and name.removesuffix(plural) + singular == simple:
                return True
    return False
