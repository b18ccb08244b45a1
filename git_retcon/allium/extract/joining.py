"""What a file declares, by all of the source tree: inherited fields and rules, moves by others.

Only files that a name leads to are read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.bound_types import (
    list_names,
    name_self,
)
from git_retcon.allium.extract.marked_fields import (
    is_mark,
    leave_out_marks,
    leave_out_moves,
    list_beside,
)
from git_retcon.allium.extract.python.machines.observed_graphs import is_given
from git_retcon.allium.extract.service_rules import ServiceRule, ServiceRules
from git_retcon.allium.extract.source_facts import (
    Configuration,
    Contract,
    Declaration,
    Edge,
    Enumeration,
    Evidence,
    Field,
    FileFacts,
    Graph,
    Rule,
    Shape,
    Type,
    is_silent,
)
from git_retcon.allium.extract.specified_types import Layout, SpecifiedTypes
from git_retcon.allium.extract.spelling import is_plain, spell_variable
from git_retcon.allium.extract.traced_tree import SourceTree

_ANY_STATE = "*"


class Joiner:
    """Joins the files of one source tree. ``services`` are the operations that it has."""

    def __init__(
        self, tree: SourceTree, layout: Layout, services: ServiceRules | None = None
    ) -> None:
        self._tree = tree
        self._layout = layout
        self._services = services or ServiceRules(tree)
        self._finder, self._shapes = self._services.finder, self._services.shapes
        self._types = SpecifiedTypes(self._finder, self._shapes, layout)
        # What a file says of operations.
        self._told: dict[bytes, list[Rule]] = {}

    def join(self, path: bytes) -> Sequence[Declaration]:
        """What a file declares, with the names and modules of the specification."""
        facts = self._tree.read(path)
        if facts is None or is_silent(facts):
            return ()
        found: list[Declaration] = []
        external: dict[str, Shape] = {}
        entities: dict[str, Shape] = {}
        beside: dict[str, Set[str]] = {}
        for each in facts.declarations:
            if isinstance(each, Shape):
                whole = self._shapes.join(path, each)
                if whole is None or whole.is_abstract:
                    whole = self._services.find_moved(facts, each, self._is_placed)
                if whole is not None and not whole.is_abstract:
                    beside[each.name] = self._find_beside(facts, whole)
                    spelled = self._spell_shape(path, whole, external, beside[each.name])
                    entities[each.name] = spelled
                    found.append(spelled)
            elif isinstance(each, Enumeration):
                name = self._layout.find_name(each.evidence[0], "enum", each.name)
                found.append(each._replace(name=name))
            elif isinstance(each, Contract):
                found.append(self._types.spell_contract(path, each, external))
        # Where the states of a class are in another file, its rule as an operation is surer.
        moved = {n: {each.field for each in shape.graphs} for n, shape in entities.items()}
        joined = [*leave_out_moves(self._list_service_rules(facts, moved), beside)]
        places = {each.evidence[0] for each in joined}
        own = leave_out_moves(self._list_rules(facts, entities, moved), beside)
        found += [*(each for each in own if each.evidence[0] not in places), *joined]
        for each in facts.declarations:
            if isinstance(each, Configuration):
                settings = tuple(
                    setting._replace(
                        name=self._layout.find_name(setting.evidence, "config", setting.name),
                        type=self._types.spell(path, setting.type, setting.evidence, {}),
                    )
                    for setting in each.settings
                )
                found.append(each._replace(settings=settings))
        return [*external.values(), *found]

    def _find_beside(self, facts: FileFacts, shape: Shape) -> Set[str]:
        """The fields that an entity keeps beside its state."""
        if facts.path not in self._told:
            own = (each for each in facts.declarations if isinstance(each, Rule))
            served = (each.rule for each in self._services.list_rules(facts, self._is_placed))
            self._told[facts.path] = [*own, *served]
        return list_beside(shape, self._told[facts.path])

    def list_references(self, path: bytes) -> frozenset[str]:
        """The last parts of all type names that a file uses."""
        facts = self._tree.read(path)
        if facts is None:
            return frozenset()
        found: set[str] = set()
        for each in facts.declarations:
            if isinstance(each, Shape):
                found.update(base.rpartition(".")[2] for base in each.bases)
                for field in each.fields:
                    found.update(list_names(field.type))
        return frozenset(found)

    def _list_rules(
        self, facts: FileFacts, entities: Mapping[str, Shape], moved: Mapping[str, Set[str]]
    ) -> Iterator[Rule]:
        """The rules of a file's entities, with those that they have from abstract classes."""
        rules = [each for each in facts.declarations if isinstance(each, Rule)]
        told = [each for each in rules if each.entity in entities]
        for said in leave_out_marks(told, moved):
            yield said._replace(name=self._layout.find_name(said.evidence[0], "rule", said.name))
        own = {(rule.entity, rule.evidence[0].symbol.rpartition(".")[2]) for rule in rules}
        for name, shape in entities.items():
            for place in shape.evidence[1:]:
                lender = self._tree.read(self._tree.locate(place))
                base = (
                    self._finder.list_symbols(lender).get(place.symbol)
                    if lender is not None
                    else None
                )
                if lender is None or not isinstance(base, Shape) or not base.is_abstract:
                    continue
                for each in lender.declarations:
                    method = each.evidence[0].symbol.rpartition(".")[2]
                    is_lent = isinstance(each, Rule) and each.entity == base.name
                    if isinstance(each, Rule) and is_lent and (name, method) not in own:
                        own.add((name, method))
                        yield self._lend_rule(each, name, shape.evidence[0])

    def _list_service_rules(
        self, facts: FileFacts, moved: Mapping[str, Set[str]]
    ) -> Iterator[Rule]:
        rules = [each.rule for each in self._services.list_rules(facts, self._is_placed)]
        for rule in leave_out_marks(rules, moved):
            yield rule._replace(name=self._layout.find_name(rule.evidence[0], "rule", rule.name))

    def _is_placed(self, path: bytes) -> bool:
        return self._layout.find_module(path) is not None

    def _lend_rule(self, rule: Rule, entity: str, place: Evidence) -> Rule:
        old, new = rule.parameters[0], spell_variable(entity)

        def rename(texts: tuple[str, ...]) -> tuple[str, ...]:
            renamed = (re.sub(rf"\b{old}\.", f"{new}.", text) for text in texts)
            # What it leads to is its own.
            led = rf"{rule.entity}\({old}: {old}\b"
            return tuple(re.sub(led, f"{entity}({new}: {new}", text) for text in renamed)

        method = rule.evidence[0].symbol.rpartition(".")[2]
        own = place._replace(symbol=f"{place.symbol}.{method}")
        name = entity + rule.name.removeprefix(rule.entity)
        return rule._replace(
            name=self._layout.find_name(own, "rule", name), evidence=(own, *rule.evidence),
            trigger=rule.trigger.removesuffix(rule.entity) + entity,
            parameters=(new, *rule.parameters[1:]), requires=rename(rule.requires),
            ensures=rename(rule.ensures), entity=entity,
        )  # fmt: skip

    def _spell_shape(
        self, path: bytes, shape: Shape, external: dict[str, Shape], beside: Set[str]
    ) -> Shape:
        place = shape.evidence[0]
        fields: list[Field] = []
        graphs: list[Graph] = []
        questions = list(shape.questions)
        observed, places = _read_observed(shape), dict.fromkeys(shape.evidence)
        for field in (name_self(each, place.symbol) for each in shape.fields):
            evidence = place._replace(symbol=f"{place.symbol}.{field.symbol or field.name}")
            values = (enum := self._types.find_enum(path, field.type)).values
            graph = observed.get(field.name)
            table = self._services.tables.find(shape, field)
            if table is not None and (graph is None or not graph.is_whole):
                graph = table.graph
                if table.place.path not in {each.path for each in places}:
                    places[table.place] = None
            if graph is not None and graph.is_whole and not values and field.type.name == "String":
                # A text that only a machine sets has the machine's states.
                values = tuple(
                    dict.fromkeys(s for edge in graph.edges for s in edge if s != _ANY_STATE)
                )
                field = field._replace(type=Type("", (), values, field.type.is_optional))
            is_state = len(values) > 1 and field.name not in beside
            movers = self._list_movers(place, field.name, graph) if is_state else ()
            graph = _add_moves(graph, field.name, movers)
            if graph and not graph.is_whole and is_mark(field.name, graph.edges, values):
                graph = None
            if graph is not None and is_state:
                left = self._services.tables.list_left(shape, field)
                is_scattered = any(each.is_beside for each in movers)
                graph, question = _complete_graph(shape.name, graph, values, is_scattered, left)
                graphs += [graph] if graph and not (enum.is_combined and graph.terminal) else []
                questions += [question] if question else []
            spelled = self._types.spell(path, field.type, evidence, external)
            fields.append(field._replace(type=spelled))
        return shape._replace(
            name=self._layout.find_name(place, shape.kind, shape.name), evidence=tuple(places),
            fields=tuple(fields), graphs=tuple(graphs), questions=tuple(questions),
        )  # fmt: skip

    def _list_movers(
        self, place: Evidence, field: str, graph: Graph | None
    ) -> Sequence[ServiceRule]:
        """What moves a field as its class does not, where the source lists not all moves. What
        has one value by all of them is a mark and no state.
        """
        if graph is not None and graph.is_whole:
            return ()
        found = self._services.list_movers(place, field)
        known = graph.edges if graph is not None else ()
        edges = (*known, *(edge for each in found for edge in each.rule.edges))
        if len({each.target for each in edges}) < 2:
            return ()
        every = {each.target for each in known if each.source == _ANY_STATE}
        new = {each for each in edges if each not in known and each.target not in every}
        doubted = {each.operation for each in graph.doubted} if graph is not None else set()
        return [
            each
            for each in found
            if not new.isdisjoint(each.rule.edges)
            or (not each.is_beside and each.rule.evidence[0].symbol in doubted)
        ]


def _read_observed(shape: Shape) -> Mapping[str, Graph]:
    """The graphs of a class by their fields; what its base classes give is in their files."""
    is_open = len(shape.evidence) > 1
    return {e.field: e._replace(given=None) if is_open else e for e in shape.graphs}


def _add_moves(graph: Graph | None, field: str, movers: Sequence[ServiceRule]) -> Graph | None:
    """The graph with what operations move. What is known of one by now is not in doubt any more."""
    if not any(each.rule.edges for each in movers):
        return graph
    graph = graph or Graph(field, ())
    edges = dict.fromkeys([*graph.edges, *(edge for each in movers for edge in each.rule.edges)])
    known = {each.rule.evidence[0].symbol for each in movers if not each.is_beside}
    doubted = (each for each in graph.doubted if each.operation not in known)
    if len(edges) == len(graph.edges):
        return graph._replace(doubted=tuple(doubted))
    return Graph(field, tuple(edges), is_whole=False, doubted=tuple(doubted))


def _complete_graph(
    entity: str, graph: Graph, values: tuple[str, ...], is_scattered: bool, opened: Set[str]
) -> tuple[Graph | None, str]:
    """The graph over all states; None, and perhaps a question, where some are not covered. Of
    operations that are ``scattered`` over other classes some may be unknown, so that all states but
    the first have to be entered. One that may leave to any other, as ``opened``, is not the last.
    What the file never gives anything is no state that an operation might have left unseen.
    """
    edges: dict[Edge, None] = {}
    for edge in graph.edges:
        sources = values if edge.source == _ANY_STATE else (edge.source,)
        for source in sources:
            if source != edge.target and source in values and edge.target in values:
                edges[Edge(source, edge.target)] = None
    if not edges or not all(map(is_plain, values)):
        return None, ""
    used = {state for edge in edges for state in edge}
    missing = [state for state in values if state not in used]
    entered = {edge.target for edge in edges}
    if is_scattered and len(entered) < len(values) - 1:
        missing = [state for state in values if state not in entered]
    question = ""
    if missing and not graph.is_whole:
        listed = ", ".join(missing)
        question = (
            f"{entity}.{graph.field}: no operation here leads to or from {listed}. What does?"
        )
        given = graph.given
        if is_scattered or given is None or any(is_given(each, given) for each in missing):
            return None, question
    left = {edge.source for edge in edges}
    terminal = tuple(state for state in values if state not in left)
    listed = ", ".join(terminal)
    if terminal and not opened.isdisjoint((_ANY_STATE, *terminal)):
        asked = f"an operation may set any state, or none. Does it leave {listed}?"
        return None, f"{entity}.{graph.field}: {asked}"
    if doubted := [each for each in terminal if _may_leave(graph, each)]:
        asked = f"what lets an operation leave {', '.join(doubted)} cannot be read. Does any?"
        return None, f"{entity}.{graph.field}: {asked}"
    ordered = sorted(edges, key=lambda edge: (values.index(edge.source), values.index(edge.target)))
    return Graph(graph.field, tuple(ordered), terminal), question


def _may_leave(graph: Graph, state: str) -> bool:
    """Whether an operation may leave a state by an edge that is doubted."""
    edges = (each.edge for each in graph.doubted)
    return any(each.source in (state, _ANY_STATE) and each.target != state for each in edges)
