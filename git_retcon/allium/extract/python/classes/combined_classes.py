"""Classes of a Python file with what other readings, and other classes of the file, say of them."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.classes.classes import ReadClass, find_states
from git_retcon.allium.extract.python.syntax.constants import read_constants
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.shared_states import add_states, list_complete, share_states
from git_retcon.allium.extract.source_facts import Type
from git_retcon.allium.extract.state_words import is_called_state

_ENUMS = ("Enum", "Flag", "Choices")
_TOO_DEEP = 3  # classes in classes


def list_classes(body: Iterable[ast.stmt], above: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    """Each class with its symbol, the inner ones first."""
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.isascii():
            symbol = f"{above}.{node.name}" if above else node.name
            # First, as the outer one's fields may be of their type.
            if symbol.count(".") < _TOO_DEEP:
                inner = [item for item in node.body if isinstance(item, ast.ClassDef)]
                yield from list_classes(
                    [i for i in inner if i.name not in ("Meta", "Config")], symbol
                )
            yield symbol, node


class Kin(NamedTuple):
    """The names of other classes of the file that may be written before the constants of a class,
    as ``Order.NEW`` for one of ``OrderBase``, and the ``constants`` that it has from above.
    """

    names: Set[str] = frozenset()
    constants: Mapping[str, ast.expr] = {}


def list_kin(classes: Iterable[tuple[str, ast.ClassDef]]) -> Mapping[str, Kin]:
    """Those of each class: what is below it, and above. Classes that have others of the same name
    do not count.
    """
    nodes = dict(classes)
    found: dict[str, Kin] = {}
    for symbol, node in nodes.items():
        for base in {*_list_above(node, nodes)} - {symbol}:
            constants = read_constants(nodes[base].body)
            if constants.keys().isdisjoint(read_constants(node.body)):
                above, own = found.get(base, Kin()), found.get(symbol, Kin())
                found[base] = above._replace(names=above.names | {symbol})
                found[symbol] = Kin(own.names | {base}, {**constants, **own.constants})
    return found


def _list_above(node: ast.ClassDef, nodes: Mapping[str, ast.ClassDef]) -> Iterator[str]:
    """The classes of the file that a class inherits from."""
    known: set[str] = set()
    waiting = [*map(spell_dotted, node.bases)]
    while waiting:
        name = waiting.pop()
        if name in nodes and name not in known:
            known.add(name)
            yield name
            waiting += map(spell_dotted, nodes[name].bases)


def list_made(classes: Iterable[tuple[str, ast.ClassDef]]) -> frozenset[str]:
    """The classes whose objects begin with ``__init__``: what they name in capitals are constants,
    and no members of an enum.
    """
    return frozenset(
        symbol
        for symbol, node in classes
        if not any(get_last(spell_dotted(base)).endswith(_ENUMS) for base in node.bases)
        if any(isinstance(e, ast.FunctionDef) and e.name == "__init__" for e in node.body)
    )


def list_nested(node: ast.ClassDef) -> frozenset[str]:
    """The names of the classes inside a class."""
    return frozenset(item.name for item in node.body if isinstance(item, ast.ClassDef))


def list_state_enums(read: ReadClass) -> Set[str]:
    """The enums of the fields of a class that are called states."""
    return {each.enum for name, each in read.states.items() if is_called_state(name)}


def add_fields(read: ReadClass | None, given: ReadClass | None) -> ReadClass | None:
    """A class with the fields that its body names, and those that it gives itself."""
    if read is None or given is None:
        return read or given
    named = {each.name for each in read.shape.fields}
    more = (each for each in given.shape.fields if each.name not in named)
    kind = given.shape.kind if given.shape.fields and not read.shape.fields else read.shape.kind
    fields = (*read.shape.fields, *more)
    switched, shared = given.shape.switched, given.shape.shared
    shape = read.shape._replace(kind=kind, fields=fields, switched=switched, shared=shared)
    return ReadClass(shape, {**given.states, **read.states})


def keep_shared(read: ReadClass, other: ReadClass) -> ReadClass:
    """A class with the fields that another one of its name has as well."""
    fields = tuple(each for each in read.shape.fields if each in other.shape.fields)
    return read._replace(shape=read.shape._replace(fields=fields))


def qualify_class(read: ReadClass, symbol: str, nested: frozenset[str]) -> ReadClass:
    """With the full names of the classes inside the class."""
    fields = tuple(
        each._replace(type=_qualify_type(each.type, symbol, nested)) for each in read.shape.fields
    )
    states = {
        name: each._replace(enum=f"{symbol}.{each.enum}")
        if each.enum.partition(".")[0] in nested
        else each
        for name, each in read.states.items()
    }
    return read._replace(shape=read.shape._replace(fields=fields), states=states)


def _qualify_type(kind: Type, symbol: str, nested: frozenset[str]) -> Type:
    arguments = tuple(_qualify_type(each, symbol, nested) for each in kind.arguments)
    first = kind.source.partition(".")[0]
    source = f"{symbol}.{kind.source}" if first in nested else kind.source
    return kind._replace(arguments=arguments, source=source)


def add_backrefs(classes: dict[str, tuple[ast.ClassDef, ReadClass]]) -> None:
    """Give classes the fields that relationships of others in their file give them."""
    for _, read in [*classes.values()]:
        for back in read.backrefs:
            found = classes.get(back.target)
            if found is not None:
                node, target = found
                fields = target.shape.fields
                if all(each.name != back.field.name for each in fields):
                    shape = target.shape._replace(fields=(*fields, back.field))
                    classes[back.target] = node, target._replace(shape=shape)


def share_in_file(classes: dict[str, tuple[ast.ClassDef, ReadClass]]) -> None:
    """Give classes the states that they have together with base classes in their file."""
    for symbol, (node, read) in [*classes.items()]:
        shape = read.shape
        bases = [classes[each][1].shape for each in shape.bases if each in classes]
        if shape.shared and bases:
            shared = share_states(shape, bases)
            found = [*list_complete(shared)]
            states = {each.symbol: find_states(Type("", values=each.values)) for each in found}
            shape = add_states(shape._replace(shared=shared), found)
            classes[symbol] = node, ReadClass(shape, {**read.states, **states})
