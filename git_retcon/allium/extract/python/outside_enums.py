"""Enums that files import from a package that the repository does not have.

::

    from engine import JobStatus

    self.status = JobStatus.QUEUED

Nobody can tell all their members: those that a file names are the states that its classes know.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.enum_members import is_named_for_states
from git_retcon.allium.extract.python.names import spell_dotted
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Type
from git_retcon.allium.extract.spelling import is_plain, spell_member
from git_retcon.allium.extract.symbol_finder import OUTSIDE


def list_outside(statements: Sequence[ast.stmt]) -> Mapping[str, Type]:
    """The members that a file names of what may be such enums, by the names of these, which count
    where no import leads to them.
    """
    imports = {name for name in _list_imported(statements) if is_named_for_states(name)}
    if not imports:
        return {}
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for node in statements:
        for each in walk_nodes(node):
            if not isinstance(each, ast.Attribute) or not each.attr.isupper():
                continue
            enum = spell_dotted(each.value)
            if enum in imports and enum[:1].isupper():
                place = (each.lineno, each.col_offset)
                known = found.setdefault(enum, {}).get(each.attr, place)
                found[enum][each.attr] = min(known, place)
    listed = {
        enum: tuple(map(spell_member, sorted(places, key=places.__getitem__)))
        for enum, places in found.items()
    }
    return {
        OUTSIDE + enum: Type("", values=values)
        for enum, values in listed.items()
        if len(values) > 1 and all(map(is_plain, values))
    }


def _list_imported(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that a file imports, but for those of files beside it."""
    for each in statements:
        if isinstance(each, ast.ImportFrom) and not each.level:
            yield from (name.asname or name.name for name in each.names)
