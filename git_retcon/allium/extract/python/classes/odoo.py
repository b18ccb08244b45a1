"""Odoo's models: fields, relations to models by their dotted names, selections."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.django import find_word, is_true
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_choices
from git_retcon.allium.extract.python.syntax.names import expand, get_last, spell_dotted
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    INTEGER,
    STRING,
    TIMESTAMP,
    Field,
    Import,
    Type,
    collect,
    refer,
)
from git_retcon.allium.extract.spelling import spell_field_name

_MODELS = frozenset(
    f"{package}.models.{name}"
    for package in ("odoo", "openerp")
    for name in ("Model", "AbstractModel", "TransientModel")
)
_MANY = frozenset({"One2many", "Many2many"})
_SELECTION = "Selection"
_PLAIN: Mapping[str, Type] = {
    "Char": STRING, "Text": STRING, "Html": STRING, "Reference": STRING,
    "Integer": INTEGER, "Float": DECIMAL, "Monetary": DECIMAL, "Boolean": BOOLEAN,
    "Date": TIMESTAMP, "Datetime": TIMESTAMP, "Binary": ANY, "Image": ANY, "Json": ANY,
}  # fmt: skip
_FOLLOWING = ("compute", "related")
# What is never empty: zero and False are values of it.
_FILLED = frozenset({"Integer", "Float", "Monetary", "Boolean"})


class OdooFields(NamedTuple):
    """The fields of a model; one that is ``abstract`` has no records of its own."""

    fields: tuple[Field, ...]
    states: Mapping[str, States]
    is_abstract: bool


def is_odoo_model(node: ast.ClassDef, imports: Mapping[str, Import]) -> bool:
    """Whether a class is a model of Odoo, or of OpenERP, as it was called."""
    return any(expand(spell_dotted(base), imports) in _MODELS for base in node.bases)


def read_odoo_fields(
    node: ast.ClassDef, imports: Mapping[str, Import], constants: Constants
) -> OdooFields | None:
    """The fields of a model in their order; None for a class that is none."""
    if not is_odoo_model(node, imports):
        return None
    fields: dict[str, Field] = {}
    states: dict[str, States] = {}
    for symbol, call in _list_calls(node):
        name = spell_field_name(symbol)
        if name is None:
            continue
        kind, written = _read_type(call, constants)
        fields[name] = Field(name, kind, symbol)
        states[symbol] = written
    names = (expand(spell_dotted(base), imports) for base in node.bases)
    is_abstract = any(each.endswith(".AbstractModel") for each in names)
    return OdooFields(tuple(fields.values()), states, is_abstract)


def _list_calls(node: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    for item in node.body:
        match item:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="fields"))) as call,
            ):
                yield name, call


def _read_type(call: ast.Call, constants: Constants) -> tuple[Type, States]:
    kind = get_last(spell_dotted(call))
    is_begun = find_word(call, "default") is not None or is_true(find_word(call, "required"))
    is_optional = not is_begun and kind not in _FILLED
    if kind == _SELECTION:
        listed = call.args[0] if call.args else find_word(call, "selection")
        choices = read_choices(listed, constants) if listed is not None else ()
        if len(choices) > 1 and find_word(call, "selection_add") is None:
            values = tuple(each.name for each in choices)
            # What follows from other fields moves as these do.
            is_own = not any(find_word(call, each) for each in _FOLLOWING)
            return Type("", values=values, is_optional=is_optional), States(
                choices=choices if is_own else ()
            )
        return STRING._replace(is_optional=is_optional), States()
    if kind == "Many2one" or kind in _MANY:
        target = call.args[0] if call.args else find_word(call, "comodel_name")
        found = ANY
        if isinstance(target, ast.Constant) and isinstance(target.value, str):
            found = refer(_name_class(target.value))._replace(is_relation=True)
        many = collect(found, "Set" if kind == "Many2many" else "List")
        return many if kind in _MANY else found._replace(is_optional=is_optional), States()
    return _PLAIN.get(kind, ANY)._replace(is_optional=is_optional), States()


def _name_class(model: str) -> str:
    """What the class of a model is called by custom: ``sale.order.line`` → ``SaleOrderLine``."""
    words = model.replace("_", ".").split(".")
    return "".join(word[:1].upper() + word[1:] for word in words)
