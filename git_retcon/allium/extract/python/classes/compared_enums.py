"""Enums of columns that store a plain text or a number.

::

    class Job(Base):
        state = Column(String)

    def find_next(session):
        return session.query(Job).filter(Job.state == State.QUEUED)

A column that is called a state, and that its file compares and sets with members of one enum alone,
has the values of that enum.
"""

import ast
from collections.abc import Collection, Iterable, Iterator

from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Field
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.touched_objects import is_member

_STORED = frozenset({"String", "Integer"})
_OWN = frozenset({"self", "cls"})
_LISTS = ast.List | ast.Tuple | ast.Set


def add_compared(
    statements: Iterable[ast.stmt],
    classes: dict[str, tuple[ast.ClassDef, ReadClass]],
    types: Collection[str],
) -> None:
    """Give stored columns of classes the enum that the file compares them with. ``types`` are the
    names of the file that may be classes.
    """
    statements = [*statements]
    for symbol, (node, read) in [*classes.items()]:
        fields = {each.symbol: each for each in read.shape.fields if _is_open(each, read)}
        if not fields or read.shape.kind != "entity":
            continue
        found: dict[str, set[str]] = {}
        for name, enum in (*_list_asked(statements, {symbol}), *_list_asked([node], _OWN)):
            found.setdefault(name, set()).add(enum)
        enums = {
            name: min(each)
            for name, each in found.items()
            if name in fields and len(each) == 1 and min(each).partition(".")[0] in types
        }
        if enums:
            classes[symbol] = node, _give_enums(read, enums)


def _is_open(field: Field, read: ReadClass) -> bool:
    is_plain = field.type.name in _STORED and not field.type.source and not field.type.values
    return is_plain and is_called_state(field.symbol) and field.symbol in read.states


def _give_enums(read: ReadClass, enums: dict[str, str]) -> ReadClass:
    fields = tuple(
        each._replace(type=each.type._replace(source=enums[each.symbol]))
        if each.symbol in enums
        else each
        for each in read.shape.fields
    )
    states = {name: States(enum=enum) for name, enum in enums.items()}
    return read._replace(shape=read.shape._replace(fields=fields), states={**read.states, **states})


def _list_asked(nodes: Iterable[ast.stmt], owners: Collection[str]) -> Iterator[tuple[str, str]]:
    """The columns of objects that code compares or sets, each with an enum; "" for what is none."""
    for each in (part for node in nodes for part in walk_nodes(node)):
        match each:
            case ast.Compare(left=left, comparators=[right]):
                name, told = _name_column(left, owners), right
            case ast.Call(func=ast.Attribute(value=column, attr="in_" | "notin_"), args=[told]):
                name = _name_column(column, owners)
            case ast.Assign(targets=[target], value=told):
                name = _name_column(target, owners)
            case _:
                continue
        for value in _list_values(told) if name else ():
            yield name, value


def _name_column(node: ast.expr, owners: Collection[str]) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in owners:
            return name
    return ""


def _list_values(node: ast.expr) -> Iterator[str]:
    """The enums of values; nothing for what a variable holds."""
    for each in node.elts if isinstance(node, _LISTS) else [node]:
        plain = each
        if isinstance(each, ast.Attribute) and each.attr in ("value", "name"):
            plain = each.value
        if is_member(plain):
            yield spell_dotted(plain).rpartition(".")[0]
        elif (isinstance(each, ast.Constant) and each.value is not None) or (
            isinstance(each, ast.Attribute | ast.Name) and get_last(spell_dotted(each)).isupper()
        ):
            yield ""
