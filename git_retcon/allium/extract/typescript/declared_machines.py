"""Machines that a TypeScript file declares as their libraries have it: an entity with its states.

Of XState::

    const doorMachine = createMachine({
      id: 'door', initial: 'closed',
      states: { closed: { on: { OPEN: 'opened' } }, opened: { on: { CLOSE: 'closed' } } },
    });

and of javascript-state-machine::

    const door = new StateMachine({
      init: 'closed', transitions: [{ name: 'open', from: 'closed', to: 'opened' }],
    });
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.machines.machine_moves import is_whole, list_edges, make_rules
from git_retcon.allium.extract.source_facts import (
    Declaration,
    Evidence,
    Field,
    Graph,
    Import,
    Rule,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import spell_type_name
from git_retcon.allium.extract.typescript.chart_moves import ChartField, list_chart_fields
from git_retcon.allium.extract.typescript.plain_objects import PlainObjects
from git_retcon.allium.extract.typescript.state_charts import read_chart
from git_retcon.allium.extract.typescript.transition_lists import read_transition_list

_CHARTS = ("createMachine", "Machine")
_WORDS = (b"createMachine", b"xstate", b"StateMachine", b"state-machine")
_LISTS = "javascript-state-machine"
_LIST_CALLS = ("create", "factory", "apply")
_GENERAL = ("Machine", "StateMachine", "Fsm", "State", "Root", "App")
_MAKING = re.compile(r"^(?:create|make|get|build)(?=[A-Z])")
_NAMED = (
    "variable_declarator", "function_declaration", "class_declaration", "method_definition",
    "public_field_definition", "abstract_class_declaration",
)  # fmt: skip


class _Found(NamedTuple):
    """A call that makes a machine, below these names."""

    names: tuple[str, ...]
    fields: Sequence[ChartField]
    id: str


def read_machines(
    path: bytes, root: Node, imports: Mapping[str, Import], declared: Collection[str]
) -> Iterator[Declaration]:
    """The entities and the rules of a file's machines. ``declared`` are names that it has for
    others.
    """
    text = root.text or b""
    if not any(each in text for each in _WORDS):
        return
    found = [*_Finder(root, imports).list_machines()]
    symbols = [_find_symbol(each) for each in found]
    ids = [spell_type_name(_spell_words(each.id)) for each in found]
    for each, symbol, name in zip(found, symbols, ids, strict=True):
        is_own = name is not None and name not in _GENERAL and ids.count(name) == 1
        spelled = name if is_own and name not in declared else _name_by_symbol(symbol)
        if (
            spelled is not None
            and symbols.count(symbol) == 1
            and not {symbol, spelled} & {*declared}
        ):
            yield from _describe(each.fields, spelled, Evidence(path, symbol))


class _Finder:
    def __init__(self, root: Node, imports: Mapping[str, Import]) -> None:
        self._root = root
        self._imports = imports
        self._objects = PlainObjects(root.named_children, imports)
        is_required = b"require" in (root.text or b"")
        self._is_required = is_required and b"xstate" in (root.text or b"")

    def list_machines(self) -> Iterator[_Found]:
        for node in self._root.named_children:
            if b"achine" in (node.text or b"") and node.type != "import_statement":
                yield from self._walk(node, ())

    def _walk(self, node: Node, names: tuple[str, ...]) -> Iterator[_Found]:
        if node.type in _NAMED:
            names = (*names, read_name(node).lstrip("#"))
        elif node.type == "assignment_expression":
            held = read_text(node.child_by_field_name("left"))
            # A member belongs to its class, and not to what sets it.
            names = (*(names[:1] if held.startswith("this.") else names), held.rpartition(".")[2])
        fields = self._read_call(node) if node.type in ("call_expression", "new_expression") else ()
        if fields:
            given = list_inner(node, "arguments")
            known = self._objects.list_members(given[0]).known
            yield _Found(names, fields, self._objects.read_text(known.get("id")) or "")
            return
        for each in node.named_children:
            yield from self._walk(each, names)

    def _read_call(self, node: Node) -> Sequence[ChartField]:
        made = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        given = [each for each in list_inner(node, "arguments") if each.type != "comment"]
        if made is None or not given:
            return ()
        owner, _, name = read_text(made).rpartition(".")
        if self._is_of_library(made, owner, name):
            chart = read_chart(given[0], self._objects)
            return list_chart_fields(chart) if chart is not None else ()
        kind = self._imports.get(owner or name)
        is_list = kind is not None and kind.full_name.startswith(_LISTS)
        if is_list and (name in _LIST_CALLS if owner else node.type == "new_expression"):
            field = read_transition_list(given[-1], self._objects)
            return [field] if field is not None else ()
        return ()

    def _is_of_library(self, made: Node, owner: str, name: str) -> bool:
        if made.type == "member_expression":
            property_ = read_text(made.child_by_field_name("property"))
            return property_ == _CHARTS[0]  # of what ``setup`` or a model returned
        found = self._imports.get(name)
        if found is None:
            return self._is_required and name in _CHARTS
        return "xstate" in found.full_name and found.full_name.rpartition(".")[2] in _CHARTS


def _find_symbol(found: _Found) -> str:
    """What the file calls a machine: a class with its member, else the first name around it."""
    names = [each for each in found.names if each.replace(".", "_").isidentifier()]
    return ".".join(names[:2] if names and names[0][:1].isupper() else names[:1]) or found.id


def _name_by_symbol(symbol: str) -> str | None:
    return spell_type_name(_MAKING.sub("", symbol)) if symbol else None


def _spell_words(text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", text)
    return "".join(each[:1].upper() + each[1:] for each in words) or "-"


def _describe(fields: Sequence[ChartField], name: str, place: Evidence) -> Iterator[Declaration]:
    if not any(each.sources for one in fields for each in (*one.moves, *one.unasked)):
        return
    kept = [Field(e.name, Type("", values=e.values), e.name) for e in fields]
    graphs = [
        Graph(e.name, list_edges(moved), is_whole=is_whole(moved))
        for e in fields
        for moved in [(*e.moves, *e.unasked)]
    ]
    questions = {e.name: [*_list_dead_ends(e, g)] for e, g in zip(fields, graphs, strict=True)}
    asked = [
        f"{name}.{field}: how is {' or '.join(ends)} left?"
        for field, ends in questions.items()
        if ends
    ]
    known = tuple(each for each in graphs if each.edges and not questions[each.field])
    shape = Shape("entity", name, (place,), tuple(kept), known, questions=tuple(asked))
    yield shape
    for each, field in zip(fields, kept, strict=True):
        others = {m.method for one in fields if one is not each for m in one.moves}
        for rule in make_rules(each.moves, field, shape, place):
            told = _tell(rule, each, others)
            if told.requires or told.ensures:
                yield told


def _list_dead_ends(field: ChartField, graph: Graph) -> Iterator[str]:
    """The states that may be left, though nobody knows here for which."""
    left = {each.source for each in graph.edges}
    yield from (each for each in field.values if each in field.doubtful and each not in left)


def _tell(rule: Rule, field: ChartField, others: Collection[str]) -> Rule:
    """A rule of an event by its name in the source, apart from the same event's ``others``, with
    what allows it.
    """
    owner, _, verb = rule.evidence[0].symbol.rpartition(".")
    symbol = field.symbols.get(verb, verb)
    name = rule.name
    if verb in others:
        symbol = f"{field.name}.{symbol}"
        name += spell_type_name(field.name) or ""
    sources = [
        *dict.fromkeys(each for move in field.moves if move.method == verb for each in move.sources)
    ]
    is_anywhere = field.kept <= {*sources}
    return rule._replace(
        name=name, evidence=(rule.evidence[0]._replace(symbol=f"{owner}.{symbol}"),),
        requires=() if is_anywhere else rule.requires,
        guidance=(*_list_guards(sources, field.guards.get(verb, {})),),
    )  # fmt: skip


def _list_guards(sources: Sequence[str], guards: Mapping[str, str]) -> Iterator[str]:
    asked: dict[str, list[str]] = {}
    for each in sources:
        if each in guards:
            asked.setdefault(guards[each], []).append(each)
    for guard, states in asked.items():
        where = "" if len(states) == len(sources) else f"In {', '.join(states)}: "
        yield (
            f"{where}does nothing unless {guard} holds."[0].upper()
            + (f"{where}does nothing unless {guard} holds."[1:])
        )
