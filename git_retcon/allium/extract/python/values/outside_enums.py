"""Enums whose members nobody can read: a package has them that the repository does not have, or
code makes them.

::

    from engine import JobStatus

    self.status = JobStatus.QUEUED

Nobody can tell all their members: those that a file names are the states that its classes know.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.values.given_values import split_choice
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
    known: Mapping[str, ast.ClassDef | None],
    constants: Constants,
) -> Mapping[str, Type]:
    """The same of enums that fields which are called states have, and that no declaration shows.
    The ``known`` ones are of the file: classes, and None for what is declared. What is not named
    for states may be a class of constants: those are states that such a field gets, or is compared
    with.
    """
    sources = {
        each.type.source
        for _, read in classes.values()
        for each in read.shape.fields
        if each.type.source and is_called_state(each.symbol)
    }
    others = {each for each in sources if each not in known or _has_constants(known[each])}
    enums = {
        each
        for each in others - known.keys()
        if is_named_for_states(get_last(each)) or _makes_enum(constants.get(each))
    }
    return _name_members(MADE, statements, enums, others - enums)


def _has_constants(node: ast.ClassDef | None) -> bool:
    """Whether a class has nothing but constants, each apart."""
    if node is None or not {*map(spell_dotted, node.bases)} <= {"object"}:
        return False
    values = [*map(ast.dump, read_constants(node.body).values())]
    return len(values) == len({*values}) and all(map(_is_said, node.body))


def _is_said(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign | ast.Expr | ast.Pass)


def _makes_enum(node: ast.expr | None) -> bool:
    """Whether a constant is what a call makes that is named for enums: ``MyEnum.from_list(…)``."""
    return isinstance(node, ast.Call) and "enum" in spell_dotted(node).lower()


def _name_members(
    mark: str,
    statements: Sequence[ast.stmt],
    enums: Collection[str],
    others: Collection[str] = (),
) -> Mapping[str, Type]:
    if not enums and not others:
        return {}
    nodes = [each for node in statements for each in walk_nodes(node)]
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for enum, each in (*_list_members(nodes, enums), *_list_constants(nodes, others)):
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
        if enum in enums or len({each.partition("_")[0] for each in values}) > 1
    }


def _list_members(
    nodes: Sequence[ast.AST], enums: Collection[str]
) -> Iterator[tuple[str, ast.Attribute]]:
    """What may be members of these enums; those written small where one is given, or asked."""
    told = {id(part) for each in nodes for _, part in _list_told(each)}
    for each in nodes:
        if isinstance(each, ast.Attribute) and (each.attr.isupper() or id(each) in told):
            enum = spell_dotted(each.value)
            if enum in enums and get_last(enum).lstrip("_")[:1].isupper():
                yield enum, each


def _list_constants(
    nodes: Sequence[ast.AST], owners: Collection[str]
) -> Iterator[tuple[str, ast.Attribute]]:
    """The constants of classes that attributes which are called states get, or are asked for, where
    the file does nothing else with these classes.
    """
    if not owners:
        return
    held = {id(each.value) for each in nodes if isinstance(each, ast.Attribute)}
    used = {each.id for each in nodes if isinstance(each, ast.Name) and id(each) not in held}
    for name, each in (pair for node in nodes for pair in _list_told(node)):
        if is_called_state(name) and isinstance(each, ast.Attribute) and each.attr.isupper():
            owner = spell_dotted(each.value)
            if owner in owners and owner not in used:
                yield owner, each


def _list_told(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a statement gives an attribute, or a comparison asks for, with the attribute's name."""
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
            yield from ((name, each) for each in split_choice(value))
        case ast.Compare(left=left, comparators=others):
            name = left.attr if isinstance(left, ast.Attribute) else ""
            listed = (part for each in others for part in getattr(each, "elts", None) or [each])
            yield from ((name, each) for each in listed)


def _list_imported(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that a file imports, but for those of files beside it."""
    for each in statements:
        if isinstance(each, ast.ImportFrom) and not each.level:
            yield from (name.asname or name.name for name in each.names)
