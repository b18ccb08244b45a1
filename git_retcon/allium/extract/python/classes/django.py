"""Django's models: fields, relations, choices, and what their Meta demands."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.classes import frameworks
from git_retcon.allium.extract.python.classes.named_constants import (
    add_given,
    name_stored,
    read_foreign_choices,
)
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_choices
from git_retcon.allium.extract.python.syntax.enum_members import CHOICES
from git_retcon.allium.extract.python.syntax.names import (
    expand,
    get_last,
    list_statements,
    spell_dotted,
)
from git_retcon.allium.extract.python.syntax.ranges import SIGNS, list_validators, read_number
from git_retcon.allium.extract.python.syntax.type_hints import read_text
from git_retcon.allium.extract.source_facts import (
    ANY,
    STRING,
    Field,
    Import,
    Invariant,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import spell_field_name, spell_type_name

_HOME = "django."
# What mongoengine stores has fields with choices, too.
_DOCUMENTS = frozenset({
    "mongoengine.Document", "mongoengine.DynamicDocument", "mongoengine.EmbeddedDocument",
})  # fmt: skip
_RELATIONS = frameworks.DJANGO_ONE | frameworks.DJANGO_MANY
# Bases of classes whose fields describe a form, not what is stored.
_FORMS = ("Form", "Serializer", "FilterSet", "FormSet", "Field", "Widget", "FilterBackend", "Type")
# What fields of projects and libraries are given an enum by.
_ENUM_WORDS = frozenset({"enum", "enum_class", "enum_type", "choices_enum"})


class DjangoFields(NamedTuple):
    """The fields of a model; ``is_model`` where a base class says so, too."""

    fields: tuple[Field, ...]
    states: Mapping[str, States]
    invariants: tuple[Invariant, ...]
    is_model: bool


class Meta(NamedTuple):
    """What the inner class Meta says."""

    is_abstract: bool = False
    invariants: tuple[Invariant, ...] = ()


def read_django_fields(
    node: ast.ClassDef, imports: Mapping[str, Import], constants: Constants
) -> DjangoFields | None:
    """The fields of a model in their order; None for a class that is none."""
    bases = [expand(spell_dotted(base), imports) for base in node.bases]
    is_model = any(base.endswith("models.Model") or base in _DOCUMENTS for base in bases)
    calls = [*_list_calls(node)]
    known = is_model or any(_is_sure(call, imports) for _, call, _ in calls)
    if not known or any(base.endswith(_FORMS) for base in bases):
        return None
    fields: dict[str, Field] = {}
    states: dict[str, States] = {}
    invariants: list[Invariant] = []
    for symbol, call, annotation in calls:
        name = spell_field_name(symbol)
        kind = get_last(spell_dotted(call))
        if name is None or not (kind.endswith("Field") or kind in _RELATIONS):
            continue
        read = (
            _read_relation(call)
            if kind in _RELATIONS
            else _read_plain(call, kind, constants, imports)
        )
        field = Field(name, read[0], symbol)
        if read[1].choices:
            choices = add_given(read[1].choices, symbol, node)
            values = tuple(each.name for each in choices)
            read = read[0]._replace(values=values), States(choices=choices)
            field = field._replace(type=read[0])
        if read[1] == States():
            named = name_stored(field, find_word(call, "default"), constants)
            if named[1] == States():
                named = _name_enum(field, call, annotation)
            field, read = field._replace(type=named[0]), named
        fields[name] = field
        states[symbol] = read[1]
        invariants += list_validators(call, field)
    return DjangoFields(tuple(fields.values()), states, tuple(invariants), is_model)


def _list_calls(node: ast.ClassDef) -> Iterator[tuple[str, ast.Call, ast.expr | None]]:
    for item in list_statements(node.body):
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                yield name, call, None
            case ast.AnnAssign(
                target=ast.Name(id=name), annotation=annotation, value=ast.Call() as call
            ):
                yield name, call, annotation


def _name_enum(field: Field, call: ast.Call, annotation: ast.expr | None) -> tuple[Type, States]:
    """The enum of a project's own kind of field: what its call is given, or its annotation; and
    that of a stored text or number, which it begins with a member of.
    """
    is_optional = field.type.is_optional
    if field.type.name in ("String", "Integer") and not field.type.source:
        default = spell_dotted(find_word(call, "default") or ast.Constant(None))
        owner = default.removesuffix(".value").rpartition(".")[0]
        if _is_class(owner):
            return field.type._replace(source=owner), States(enum=owner)
    elif field.type.name == ANY.name and field.type.source:
        given = [each.value for each in call.keywords if each.arg in _ENUM_WORDS]
        given += call.args[:1] if "Enum" in field.type.source else []
        for each in (*given, *([annotation] if annotation else [])):
            enum = spell_dotted(each) if isinstance(each, ast.Name | ast.Attribute) else ""
            if _is_class(enum):
                return refer(enum, is_optional=is_optional), States(enum=enum)
    return field.type, States()


def _is_class(dotted: str) -> bool:
    name = get_last(dotted)
    return name[:1].isupper() and not name.isupper()


def _is_sure(call: ast.Call, imports: Mapping[str, Import]) -> bool:
    dotted = spell_dotted(call)
    name = get_last(dotted)
    if name not in frameworks.DJANGO_FIELDS and name not in _RELATIONS:
        return False
    full = expand(dotted, imports)
    return full.startswith(_HOME) and ".forms" not in full and ".models" in full


def _read_plain(
    call: ast.Call, kind: str, constants: Constants, imports: Mapping[str, Import]
) -> tuple[Type, States]:
    words = {each.arg: each.value for each in call.keywords if each.arg}
    is_optional = is_true(words.get("null"))
    found = frameworks.DJANGO_FIELDS.get(kind)
    if kind == "ArrayField":
        element = words.get("base_field") or (call.args[0] if call.args else None)
        inner = get_last(spell_dotted(element)) if element is not None else ""
        return collect(frameworks.DJANGO_FIELDS.get(inner, ANY))._replace(
            is_optional=is_optional
        ), States()
    choices = words.get("choices")
    if kind == "StatusField" and choices is None:
        choices, found = _find_listed(words, constants), STRING
    if choices is not None and kind != "FilePathField":
        dotted = spell_dotted(choices)
        enum = _find_owner(dotted, words.get("default"))
        if enum:
            return refer(enum, is_optional=is_optional), States(enum=enum)
        listed = read_choices(choices, constants) or read_foreign_choices(choices, constants)
        if len(listed) > 1:
            values = tuple(each.name for each in listed)
            return Type("", values=values, is_optional=is_optional), States(choices=listed)
        # A class may have a name of its own for a list elsewhere.
        alias = constants.get(dotted)
        dotted = spell_dotted(alias) if isinstance(alias, ast.Name | ast.Attribute) else dotted
        owner, _, name = dotted.rpartition(".")
        if name.isupper() and (owner or name) in imports and not owner[:1].isupper():
            # A list in another file; if none is found there, what a choice is stored as.
            return Type("String", source=dotted, is_optional=is_optional), States(enum=dotted)
        if owner and (name.endswith(CHOICES) or (name.isupper() and owner[:1].isupper())):
            # A class of constants, in another file maybe; else what a choice is stored as.
            return Type("String", source=owner, is_optional=is_optional), States(enum=owner)
        # A class of choices may be given as it is, since Django 5.
        if isinstance(choices, ast.Name | ast.Attribute) and _is_class(dotted):
            return refer(dotted, is_optional=is_optional), States(enum=dotted)
    base = found if found is not None else Type("Any", source=kind)
    return base._replace(is_optional=is_optional), States()


def _find_owner(dotted: str, default: ast.expr | None) -> str:
    """The enum that lists its members as choices: ``Status.choices``, or by a method of its own
    where one of them is the default; "" for anything else.
    """
    owner, _, name = dotted.rpartition(".")
    is_own = default is not None and spell_dotted(default).rpartition(".")[0] == owner
    is_named = name == "choices" or (name.endswith("_choices") and is_own)
    return owner if is_named else ""


def _find_listed(words: Mapping[str, ast.expr], constants: Constants) -> ast.expr | None:
    """The constant with the choices of a field of django-model-utils."""
    named = words.get("choices_name")
    name = str(named.value) if isinstance(named, ast.Constant) else "STATUS"
    return ast.Name(name) if name in constants else None


def _read_relation(call: ast.Call) -> tuple[Type, States]:
    words = {each.arg: each.value for each in call.keywords if each.arg}
    target = call.args[0] if call.args else words.get("to")
    found = ANY
    match target:
        case ast.Constant(value=str(text)):
            found = refer(text) if text.replace(".", "").isidentifier() else read_text(text)
        case ast.Name() | ast.Attribute():
            found = refer(spell_dotted(target))
        case ast.Call(args=[ast.Constant(value=str(text))]):  # get_user_model, a lazy reference
            found = refer(text)
    is_optional = is_true(words.get("null"))
    found = found._replace(is_relation=True)
    if get_last(spell_dotted(call)) in frameworks.DJANGO_MANY:
        return collect(found, "Set"), States()
    return found._replace(is_optional=is_optional), States()


def find_word(call: ast.Call, name: str) -> ast.expr | None:
    """What a call is given by this name."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def is_true(node: ast.expr | None) -> bool:
    """Whether an argument is the constant True."""
    return isinstance(node, ast.Constant) and node.value is True


def read_django_meta(node: ast.ClassDef) -> Meta:
    """Whether a model is abstract, and its check constraints."""
    for item in node.body:
        if isinstance(item, ast.ClassDef) and item.name == "Meta":
            return _read_meta(item)
    return Meta()


def _read_meta(node: ast.ClassDef) -> Meta:
    is_abstract = False
    invariants: list[Invariant] = []
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id="abstract")], value=value):
                is_abstract = is_true(value)
            case ast.Assign(
                targets=[ast.Name(id="constraints")], value=ast.List() | ast.Tuple() as listed
            ):
                for each in listed.elts:
                    if get_last(spell_dotted(each)) == "CheckConstraint":
                        invariants += _read_check(each)
    return Meta(is_abstract, tuple(invariants))


def _read_check(node: ast.expr) -> Iterator[Invariant]:
    """``CheckConstraint(condition=Q(price__gte=0), name=...)``."""
    words = {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
    condition = words.get("condition") or words.get("check")
    name = words.get("name")
    text = _read_query(condition) if condition is not None else None
    if text is not None and isinstance(name, ast.Constant) and isinstance(name.value, str):
        spelled = spell_type_name(name.value.replace("%(class)s", "").replace("-", "_").strip("_"))
        if spelled is not None:
            yield Invariant(spelled, text)


def _read_query(node: ast.expr) -> str | None:
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as op, right=right):
            one, two = _read_query(left), _read_query(right)
            word = "and" if isinstance(op, ast.BitAnd) else "or"
            return f"({one}) {word} ({two})" if one and two else None
        case ast.Call(args=[], keywords=keywords) if get_last(spell_dotted(node)) == "Q":
            found = [_read_lookup(each.arg or "", each.value) for each in keywords]
            return " and ".join(each or "" for each in found) if found and all(found) else None
    return None


def _read_lookup(lookup: str, value: ast.expr) -> str | None:
    field, _, sign = lookup.partition("__")
    name = spell_field_name(field)
    if name is None:
        return None
    if sign == "isnull" and isinstance(value, ast.Constant):
        return f"{name} {'=' if value.value else '!='} null"
    if isinstance(value, ast.Call) and get_last(spell_dotted(value)) == "F" and value.args:
        other = value.args[0]
        operand = other.value if isinstance(other, ast.Constant) else None
        is_field = isinstance(operand, str) and operand.isidentifier()
        return f"{name} {SIGNS[sign]} {operand!s}" if sign in SIGNS and is_field else None
    number = read_number(value)
    return f"{name} {SIGNS[sign]} {number}" if sign in SIGNS and number is not None else None
