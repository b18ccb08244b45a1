"""Enums whose members nobody can read: a package has them that the repository does not have, or
code makes them.

::

    from engine import JobStatus

    self.status = JobStatus.QUEUED

Nobody can tell all their members: those that a file names are the states that its classes know.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.classes import ReadClass
from git_retcon.allium.extract.python.constants import Constants
from git_retcon.allium.extract.python.enum_members import is_named_for_states
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Type
from git_retcon.allium.extract.spelling import is_plain, spell_member
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.symbol_finder import MADE, OUTSIDE


def list_outside(statements: Sequence[ast.stmt]) -> Mapping[str, Type]:
    """The members that a file names of what may be such enums, by the names of these, which count
    where no import leads to them.
    """
    imports = {name for name in _list_imported(statements) if is_named_for_states(name)}
    return _name_members(OUTSIDE, statements, imports)


def list_unread(
    statements: Sequence[ast.stmt],
    classes: Mapping[str, tuple[ast.ClassDef, ReadClass]],
    known: Collection[str],
    constants: Constants,
) -> Mapping[str, Type]:
    """The same of enums that fields which are called states have, and that no declaration shows.
    The ``known`` ones are classes of the file.
    """
    sources = {
        each.type.source
        for _, read in classes.values()
        for each in read.shape.fields
        if is_called_state(each.symbol)
    }
    enums = {
        each
        for each in sources - {*known}
        if is_named_for_states(get_last(each)) or _makes_enum(constants.get(each))
    }
    return _name_members(MADE, statements, enums)


def _makes_enum(node: ast.expr | None) -> bool:
    """Whether a constant is what a call makes that is named for enums: ``MyEnum.from_list(…)``."""
    return isinstance(node, ast.Call) and "enum" in spell_dotted(node).lower()


def _name_members(
    mark: str, statements: Sequence[ast.stmt], enums: Collection[str]
) -> Mapping[str, Type]:
    if not enums:
        return {}
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for enum, each in _list_members(statements, enums):
        place = (each.lineno, each.col_offset)
        known = found.setdefault(enum, {}).get(each.attr, place)
        found[enum][each.attr] = min(known, place)
    listed = {
        enum: tuple(map(spell_member, sorted(places, key=places.__getitem__)))
        for enum, places in found.items()
    }
    return {
        mark + enum: Type("", values=values)
        for enum, values in listed.items()
        if len(values) > 1 and all(map(is_plain, values))
    }


def _list_members(
    statements: Iterable[ast.stmt], enums: Collection[str]
) -> Iterator[tuple[str, ast.Attribute]]:
    """What may be members of these enums; those written small where one is given, or asked."""
    nodes = [each for node in statements for each in walk_nodes(node)]
    told = {id(part) for each in nodes for part in _list_told(each)}
    for each in nodes:
        if isinstance(each, ast.Attribute) and (each.attr.isupper() or id(each) in told):
            enum = spell_dotted(each.value)
            if enum in enums and get_last(enum).lstrip("_")[:1].isupper():
                yield enum, each


def _list_told(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement gives an attribute, or a comparison asks for."""
    match node:
        case ast.Assign(targets=[ast.Attribute()], value=value):
            yield value
        case ast.Compare(comparators=others):
            yield from (part for each in others for part in getattr(each, "elts", None) or [each])


def _list_imported(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that a file imports, but for those of files beside it."""
    for each in statements:
        if isinstance(each, ast.ImportFrom) and not each.level:
            yield from (name.asname or name.name for name in each.names)
