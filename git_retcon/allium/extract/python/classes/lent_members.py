"""What classes of the same file lend their heirs: fields, states, methods and properties."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rules import behaviour
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.source_facts import Field, Shape

Classes = Mapping[str, tuple[ast.ClassDef, ReadClass]]


class Members(NamedTuple):
    """What a class has, with what it is lent; its own comes before that of others."""

    fields: Mapping[str, Field]
    states: Mapping[str, States]
    switched: Sequence[str]
    methods: Mapping[str, Function]
    properties: Mapping[str, ast.expr]


def list_members(node: ast.ClassDef, read: ReadClass, classes: Classes) -> Members:
    """What a class has by itself and from its base classes in this file; joining adds the rest."""
    found = Members({}, {}, (), {}, {})
    for each, lent in [*reversed([*_list_bases(read.shape, classes, [])]), (node, read)]:
        methods = behaviour.list_methods(each)
        properties = list_properties(each)
        # What is overridden is no longer what the base class says of it.
        kept = {n: value for n, value in found.properties.items() if n not in methods}
        found = Members(
            {**found.fields, **{one.symbol or one.name: one for one in lent.shape.fields}},
            {**found.states, **lent.states},
            (*found.switched, *lent.shape.switched),
            {**found.methods, **methods},
            {**kept, **properties},
        )
    return found


def list_properties(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    """What properties return, behind what methods become by themselves."""
    listed = ((e.name, _read_property(e)) for e in node.body if isinstance(e, Function))
    return {name: returned for name, returned in listed if returned is not None}


@answer_once
def _read_property(node: Function) -> ast.expr | None:
    return behaviour.read_property(node)


def _list_bases(
    shape: Shape, classes: Classes, seen: list[str]
) -> Iterator[tuple[ast.ClassDef, ReadClass]]:
    """The base classes, the nearest first."""
    for base in shape.bases:
        if base in classes and base not in seen:
            seen.append(base)
            yield classes[base]
            yield from _list_bases(classes[base][1].shape, classes, seen)
