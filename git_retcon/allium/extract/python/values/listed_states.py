"""States that a class lists, where nothing shows that an attribute gets all of them.

::

    ALL_STATES = ["Submitted", "Active", "Finished"]

lists all that it has, as the keys of a table do by which the class looks up what may follow:
``NEXT[self.status]``.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.classes.inferred_values import Value, spell_values
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.values.given_values import Source, list_members, read_value
from git_retcon.allium.extract.source_facts import Choice

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_WHOLE = re.compile(r"_?(?:ALL_)?(?:STATES|STATUSES|PHASES|STAGES)")
_MOST = 24  # states of one attribute


def may_list(source: Source) -> bool:
    """Whether a class has, or may look up, any such list."""
    tables = (*source.own.values(), *source.file.values())
    return any(map(_WHOLE.fullmatch, source.own)) or any(isinstance(e, ast.Dict) for e in tables)


def read_listed(
    name: str, known: Sequence[Value], methods: Sequence[_Function], source: Source
) -> tuple[Choice, ...]:
    """The states of an attribute, which has these ``known`` ones among them; none where the class
    does not list all.
    """
    tables = (_list_table(each, source) for each in _list_looked_up(name, methods))
    lists = (
        list_members(ast.Attribute(ast.Name("self"), each), source)
        for each in source.own
        if known and _WHOLE.fullmatch(each)
    )
    for listed in (*tables, *lists):
        values = [read_value(each, source) for each in listed]
        found = [each for each in values if each is not None]
        texts = {each.stored for each in found if isinstance(each.stored, str)}
        is_whole = len(texts) == len({each.stored for each in found}) and 1 < len(texts) <= _MOST
        is_read = len(found) == len(values) and is_whole
        if is_read and {each.stored for each in known} <= texts:
            return spell_values([*found, *known])
    return ()


def _list_looked_up(name: str, methods: Sequence[_Function]) -> Iterator[ast.expr]:
    """What methods look up by an attribute: ``NEXT[self.status]``, ``NEXT.get(self.status)``."""
    for method in methods:
        for each in walk_nodes(method):
            match each:
                case ast.Subscript(
                    value=table, slice=ast.Attribute(value=ast.Name(id="self"), attr=key)
                ) if key == name:
                    yield table
                case ast.Call(
                    func=ast.Attribute(value=table, attr="get"),
                    args=[ast.Attribute(value=ast.Name(id="self"), attr=key), *_],
                ) if key == name:
                    yield table


def _list_table(node: ast.expr, source: Source) -> Sequence[ast.expr]:
    """The keys of a table with all that they list; nothing where it lists anything else."""
    table: ast.expr | None = None
    match node:
        case ast.Name(id=symbol):
            table = source.file.get(symbol)
        case ast.Attribute(attr=symbol) if spell_dotted(node.value) in source.owners:
            table = source.own.get(symbol)
    if not isinstance(table, ast.Dict) or not all(map(_is_list, table.values)):
        return ()
    keys = [*filter(None, table.keys)]
    reached = [each for value in table.values for each in _list_elements(value)]
    # What follows on one may be followed by another; what a state permits, say, is no key.
    is_followed = not {*map(ast.dump, reached)}.isdisjoint(map(ast.dump, keys))
    return [*keys, *reached] if is_followed and all(table.keys) else ()


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List | ast.Set) or _list_elements(node) != ()


def _list_elements(node: ast.expr) -> Sequence[ast.expr]:
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return elements
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[value]):
            return _list_elements(value)
    return ()
