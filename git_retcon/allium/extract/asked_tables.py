"""The transitions that tables allow, of classes whose operations ask them."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import (
    Asked,
    Edge,
    Evidence,
    Field,
    FileFacts,
    Graph,
    Shape,
    TableMoves,
)
from git_retcon.allium.extract.state_setters import parse_value
from git_retcon.allium.extract.symbol_finder import DEEPEST
from git_retcon.allium.extract.traced_tree import Trace, TracedTree
from git_retcon.allium.extract.used_names import NO_STATES, UsedNames

_ANY_STATE = "*"
_Pairs: TypeAlias = Sequence[tuple[str, str]]
# What a class has that its tables go by.
_Class: TypeAlias = tuple[tuple[Evidence, ...], tuple[Asked, ...], tuple[Field, ...]]


class TableGraph(NamedTuple):
    """The transitions of a field that a table allows, and the place of the table. It ``is_sure``
    where nothing gives the field a state that is not asked for.
    """

    graph: Graph
    place: Evidence
    is_sure: bool


class _Table(NamedTuple):
    pairs: _Pairs
    place: Evidence


class AskedTables:
    """Finds the tables of one source tree."""

    def __init__(self, tree: TracedTree, names: UsedNames) -> None:
        self._tree = tree
        self._names = names
        self._known: dict[_Class, tuple[Mapping[str, TableGraph], Trace]] = {}

    def find(self, shape: Shape, field: Field) -> TableGraph | None:
        """What the tables allow that the operations of a class ask before they move a field."""
        if not shape.asked:
            return None
        key = shape.evidence, shape.asked, shape.fields
        if key in self._known:
            found, trace = self._known[key]
            self._tree.note(trace.asked, trace.deepest)  # what was asked for it then
        else:
            outer = self._tree.begin()
            found = dict(self._list_graphs(shape))
            self._known[key] = found, self._tree.end(outer)
        return found.get(field.name)

    def list_left(self, shape: Shape, field: Field) -> Set[str]:
        """The states of a field in which an operation of a class may give it any other."""
        left = {state for each in shape.asked if each.field == field.name for state in each.left}
        found = self.find(shape, field) if left else None
        return left if found is None or not found.is_sure else set()

    def _list_graphs(self, shape: Shape) -> Iterator[tuple[str, TableGraph]]:
        for field in shape.fields:
            asked = [each for each in shape.asked if each.field == field.name and each.names]
            held = self._names.find_values(shape, field) if asked else NO_STATES
            states = held.states
            found = {
                (asked_by, name): (table.place, edges)
                for asked_by in (asked if states.choices else ())
                for name, table in self._list_tables(asked_by)
                if (edges := _read_edges(table.pairs, states))
            }
            if found:
                tables = {name for _, name in found}
                allowed = {edge for _, edges in found.values() for edge in edges}
                setters = (guard for each in asked for guard in each.setters)
                is_sure = all(not tables.isdisjoint(guard) for guard in setters)
                moves = (move for each in asked for move in each.moves)
                beside = {edge for each in moves for edge in _list_beside(each, tables, states)}
                both = tuple(sorted(allowed | beside))
                # Where another file has the states, moves beside the table are known later.
                is_known = held.place is None or held.place.path == shape.evidence[0].path
                is_whole = is_sure and beside <= allowed and is_known
                graph = Graph(field.name, both, is_whole=is_whole)
                yield field.name, TableGraph(graph, min(found.values())[0], is_sure)

    def _list_tables(self, asked: Asked) -> Iterator[tuple[str, _Table]]:
        path = self._tree.locate(asked.place)
        facts = self._tree.read(path)
        for name in asked.names if facts is not None else ():
            table = self._find_table(path, name, DEEPEST)
            if table is not None:
                yield name, table

    def _find_table(self, path: bytes, name: str, left: int) -> _Table | None:
        """The table that has a name in a file, or that what has it asks."""
        facts = self._tree.read(path)
        if facts is None or not left:
            return None
        # What is asked of a table, as "get", is no part of its name.
        for each in (name, name.rpartition(".")[0]):
            if each in facts.tables:
                return _Table(facts.tables[each], Evidence(path, each))
        return self._follow(facts, name, left - 1)

    def _follow(self, facts: FileFacts, name: str, left: int) -> _Table | None:
        first, _, rest = name.partition(".")
        imported = facts.imports.get(first)
        stars = [e for key, e in facts.imports.items() if key.startswith("*")]
        for each in [imported] if imported is not None else stars:
            symbol = imported.symbol if imported is not None else first
            whole = ".".join(filter(None, (symbol, rest)))
            for target in each.targets:
                found = self._find_table(target, whole, left) if target != facts.path else None
                if found is None and imported is not None and rest and target != facts.path:
                    found = self._find_table(target, rest, left)
                if found is not None:
                    return found
        return None


def _read_edges(pairs: _Pairs, states: States) -> Sequence[Edge]:
    """Pairs as transitions of states; none where some are no states."""
    found: dict[Edge, None] = {}
    for pair in pairs:
        source, target = (states.read(parse_value(each)) for each in pair)
        if source is None or target is None:
            return ()
        found |= {Edge(source, target): None} if source != target else {}
    return tuple(found)


def _list_beside(moves: TableMoves, tables: Set[str], states: States) -> Iterator[Edge]:
    """What an operation does without asking one of these tables, from each state."""
    if all(not tables.isdisjoint(guard) for guard in moves.guards):
        return
    names = [each.name for each in states.choices]
    for edge in moves.edges:
        for source in names if edge.source == _ANY_STATE else [edge.source]:
            if source != edge.target:
                yield Edge(source, edge.target)
