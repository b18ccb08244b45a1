"""Shapes with what they have from their base classes, wherever these are."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.bound_types import bind_type
from git_retcon.allium.extract.shared_states import add_states, list_complete, share_states
from git_retcon.allium.extract.source_facts import (
    IDENTITIES,
    Asked,
    Doubt,
    Edge,
    Evidence,
    Field,
    Graph,
    Invariant,
    Rule,
    Shape,
    TableMoves,
    Type,
)
from git_retcon.allium.extract.symbol_finder import DEEPEST, Found, SymbolFinder
from git_retcon.allium.extract.traced_tree import CUT, LOOPED, Questions, is_loop, make_loop


class _Known(NamedTuple):
    """A class as it was joined, what that goes by, and how many steps away the last of it is."""

    shape: Shape | None
    asked: Questions
    height: int


class InheritedShapes:
    """Joins the shapes of one source tree with their base classes. ``unknown`` is the kind of those
    that nothing gives one, "" where they are none.
    """

    def __init__(self, finder: SymbolFinder, unknown: str = "") -> None:
        self._finder = finder
        self._unknown = unknown
        self._tree = finder.tree
        self._known: dict[Evidence, _Known] = {}
        # Those that go by their depth, or by the classes around them.
        self._known_at: dict[tuple[Evidence, int], _Known] = {}
        self._begun: set[Evidence] = set()

    def join(self, path: bytes, shape: Shape, depth: int = 0) -> Shape | None:
        """A shape with its inherited fields and whole graphs; None where its kind is not known.
        What was asked for before makes no difference.
        """
        place = shape.evidence[0]
        known = self._find_known(place, depth)
        if known is not None:
            self._tree.note(known.asked, depth + known.height)
            return known.shape
        loop = make_loop(place.path, place.symbol)
        if place in self._begun or depth > DEEPEST:
            # A class that inherits from itself has no meaning.
            self._tree.note({loop: None} if place in self._begun else {CUT: None})
            return None
        self._begun.add(place)
        outer = self._tree.begin(depth)
        found = self._join_bases(path, shape, depth)
        asked, deepest = self._tree.end(outer, loop)
        self._begun.remove(place)
        if any(map(is_loop, asked)):
            return found  # it goes by what is not joined yet
        known = _Known(found, asked, deepest - depth)
        if CUT in asked or LOOPED in asked:
            self._known_at[place, depth] = known
        else:
            self._known[place] = known
        return found

    def _find_known(self, place: Evidence, depth: int) -> _Known | None:
        known = self._known.get(place)
        if known is not None and depth + known.height <= DEEPEST:
            return known
        known = self._known_at.get((place, depth))
        is_alone = known is None or not self._begun or LOOPED not in known.asked
        return known if is_alone else None

    def _join_bases(self, path: bytes, shape: Shape, depth: int) -> Shape | None:
        bases = [self._find_base(path, base, depth + 1) for base in shape.bases]
        parents = [
            (base.path, self._leave_overridden(parent, shape))
            for base in bases
            if base is not None
            and isinstance(base.meaning, Shape)
            and (parent := self.join(base.path, base.meaning, depth + 1)) is not None
        ]
        shared = share_states(shape, [parent for _, parent in parents])
        states = {*list_complete(shared)}
        # What goes through states is no class that only lends what it has.
        chosen = _choose_kind(shape, [parent for _, parent in parents]) or self._unknown
        kind = "entity" if states else chosen
        found = _inherit(shape, kind, parents)._replace(shared=shared) if kind else None
        return add_states(found, states) if found is not None else None

    def _leave_overridden(self, parent: Shape, heir: Shape) -> Shape:
        """A base class without the transitions that only methods make which an heir overrides."""
        if not (heir.overriding and parent.graphs):
            return parent
        symbols = {each.symbol for each in parent.evidence}
        gone: set[tuple[str, Edge]] = set()
        left: set[tuple[str, Edge]] = set()
        for facts in filter(None, map(self._finder.read, parent.evidence)):
            for rule in (each for each in facts.declarations if isinstance(each, Rule)):
                owner, _, method = rule.evidence[0].symbol.rpartition(".")
                if owner in symbols:
                    found = gone if method in heir.overriding else left
                    found.update((rule.field, each) for each in rule.edges)
        # What a class lists by itself, its methods do not make.
        graphs = (
            each if each.is_whole else _doubt_edges(each, gone - left) for each in parent.graphs
        )
        return parent._replace(graphs=tuple(graphs))

    def _find_base(self, path: bytes, dotted: str, depth: int) -> Found | None:
        found = self._finder.find_symbol(path, dotted, depth)
        if found is not None and isinstance(found.meaning, Type) and found.meaning.is_relation:
            return self._finder.find_by_name(found.path, found.meaning.source)
        return found


def _choose_kind(shape: Shape, parents: Sequence[Shape]) -> str:
    """The kind that a shape has or inherits, "" where nothing says it; an identity makes a value
    an entity.
    """
    kind = shape.kind or next((parent.kind for parent in parents), "")
    is_identified = not shape.kind and any(each.name in IDENTITIES for each in shape.fields)
    if kind == "value" and (is_identified or any(each.kind == "entity" for each in parents)):
        return "entity"
    return kind


def _inherit(shape: Shape, kind: str, parents: Sequence[tuple[bytes, Shape]]) -> Shape:
    """A shape with what its parents have, which were found in these files. Of two with one name its
    own counts, then the first.
    """
    fields: dict[str, Field] = {}
    invariants: dict[str, Invariant] = {}
    graphs: dict[str, Graph] = {}
    for path, parent in reversed(parents):
        # What a base class says of its names holds in its own file.
        fields |= {
            each.name: each._replace(type=bind_type(each.type, path))
            for each in parent.fields
            if each.symbol not in shape.removed and not each.is_unasked
        }
        invariants |= {each.name: each for each in parent.invariants}
        unasked = {each.symbol for each in parent.fields if each.is_unasked}
        graphs |= {each.field: each for each in parent.graphs if each.field not in unasked}
    evidence = dict.fromkeys(shape.evidence)
    switched = dict.fromkeys(shape.switched)
    asked = [*shape.asked]
    for _, parent in parents:
        switched |= dict.fromkeys(parent.switched)
        asked += (_add_moves(each, shape) for each in parent.asked if each not in asked)
        if parent.fields:
            evidence |= dict.fromkeys(parent.evidence)
    fields |= {each.name: each for each in shape.fields}
    invariants |= {each.name: each for each in shape.invariants}
    graphs |= {each.field: _keep_doubts(each, graphs.get(each.field)) for each in shape.graphs}
    return shape._replace(
        kind=kind, evidence=tuple(evidence), fields=tuple(fields.values()),
        invariants=tuple(invariants.values()), graphs=tuple(graphs.values()),
        switched=tuple(switched), asked=tuple(asked),
    )  # fmt: skip


def _add_moves(asked: Asked, heir: Shape) -> Asked:
    """What a base class asks, with the transitions that its heir makes."""
    graphs = (each for each in heir.graphs if each.field == asked.field)
    moves = (TableMoves(((),), each.edges) for each in graphs)
    return asked._replace(moves=(*asked.moves, *moves))


def _keep_doubts(graph: Graph, parent: Graph | None) -> Graph:
    """The graph of a class with what is in doubt of its base class."""
    return graph if parent is None else graph._replace(doubted=(*graph.doubted, *parent.doubted))


def _doubt_edges(graph: Graph, doubted: Set[tuple[str, Edge]]) -> Graph:
    """A graph without these edges of fields, which it may still have."""
    sure = tuple(each for each in graph.edges if (graph.field, each) not in doubted)
    more = (Doubt("", each) for each in graph.edges if (graph.field, each) in doubted)
    return graph._replace(edges=sure, doubted=(*graph.doubted, *more))
