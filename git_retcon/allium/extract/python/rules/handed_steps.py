"""Private steps that a class hands to others, to be run later.

``create_task(self._read())``, ``Thread(target=self._run)`` and ``call_later(5, self._give_up)``
run a step in a state that the operation may leave its object in, or in one that others lead to
from there. A table of steps by states, ``{State.HELLO: self._on_hello}``, which is asked for the
state of its object, runs each in its own; so does one by states and something else.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.grammar.calls import name_call
from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Rule

_SIMPLE = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return


class Handed(NamedTuple):
    """A step that a statement of a method hands on: ``node`` names it, or makes its coroutine."""

    method: str
    statement: ast.stmt
    node: ast.expr


class Ways(NamedTuple):
    """The calls that run a step, by the method that has them, where it is handed on, and those
    that run it of an object just made.
    """

    calls: Mapping[str, Sequence[ast.Call]]
    handed: Sequence[Handed]
    made: Sequence[ast.Call]


def list_calls(
    methods: Mapping[str, Function],
) -> Mapping[str, Mapping[str, Sequence[ast.Call]]]:
    """The calls of each step, by the method that has them."""
    found: dict[str, dict[str, list[ast.Call]]] = {}
    for name, method in methods.items():
        for each in walk_nodes(method):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=step)):
                    found.setdefault(step, {}).setdefault(name, []).append(each)
    return found


def list_handed(
    methods: Mapping[str, Function], steps: Collection[str], decorated: Collection[str] = ()
) -> Mapping[str, Sequence[Handed]]:
    """Those of these steps, by their names. ``decorated`` are those that may run later wherever
    they are called.
    """
    made = {name for name, each in methods.items() if isinstance(each, ast.AsyncFunctionDef)}
    made.update(decorated)
    found: dict[str, list[Handed]] = {}
    for name, method in methods.items():
        for each in walk_statements(method.body):
            if isinstance(each, _SIMPLE) and each.value is not None:
                for step, node in _list_in(each.value, made, steps):
                    found.setdefault(step, []).append(Handed(name, each, node))
    return found


def _list_in(
    value: ast.expr, made: Collection[str], steps: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """The steps that an expression names and does not run; those ``made`` by a call run later."""
    run: set[ast.expr] = set()
    inner: set[ast.AST] = set()
    # What is nearer comes first.
    for node in walk_nodes(value):
        if node in inner or isinstance(node, ast.Lambda):
            inner |= {*ast.iter_child_nodes(node)}
            continue
        match node:
            case ast.Await(value=awaited):
                run.add(awaited)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name) as func):
                run.add(func)
                if name in made and node not in run and name in steps:
                    yield name, node
            case ast.Attribute(value=applied, attr="call" | "apply"):
                run.add(applied)  # perhaps on another object
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if node not in run:
                # Other languages have another name for a call of it.
                named = name if name in steps else name_call(name)
                if named in steps:
                    yield named, node


def read_tabled(
    handed: Handed,
    methods: Collection[Function],
    states: States,
    is_field: Callable[[ast.expr], bool],
) -> Set[str]:
    """The states by which a table has a step, where its object is what asks it; else none."""
    match handed.statement:
        case ast.Assign(targets=[target], value=ast.Dict(keys=keys, values=values)):
            pass
        case ast.AnnAssign(target=target, value=ast.Dict(keys=keys, values=values)):
            pass
        case _:
            return frozenset()
    read = [[states.read(part) for part in _split_key(each)] for each in keys]
    columns = [*zip(*read, strict=True)] if len({*map(len, read)}) == 1 else []
    place, count, asked = spell_dotted(target), 0, list[Sequence[ast.expr]]()
    for method in methods:
        nodes = [*walk_nodes(method)]
        uses = (each for each in nodes if isinstance(each, ast.Attribute | ast.Name))
        count += sum(spell_dotted(each) == place for each in uses)
        found = filter(None, (_find_key(each, place) for each in nodes))
        asked += [_split_key(_read_local(each, nodes)) for each in found]
    if count != len(asked) + 1 or any(len(each) != len(columns) for each in asked):
        return frozenset()
    # Where it is asked for several things at once, the state is one of them.
    for at, column in enumerate(columns):
        if None not in column and all(is_field(each[at]) for each in asked):
            pairs = zip(column, values, strict=True)
            return frozenset(key for key, each in pairs if each is handed.node and key is not None)
    return frozenset()


def _split_key(node: ast.expr | None) -> Sequence[ast.expr]:
    """What a key of a table consists of."""
    if node is None:
        return ()
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _read_local(key: ast.expr, nodes: Sequence[ast.AST]) -> ast.expr:
    """What a variable holds that is given one value, and that in one place, where nothing of the
    object is set before it is used.
    """
    targets = [target for each in nodes if isinstance(each, ast.Assign) for target in each.targets]
    is_set = any(isinstance(each, ast.Attribute) for each in targets)
    if not isinstance(key, ast.Name) or is_set:
        return key
    given = [
        each.value
        for each in nodes
        if isinstance(each, ast.Assign) and key.id in map(spell_dotted, each.targets)
    ]
    stored = sum(
        isinstance(each, ast.Name) and each.id == key.id and isinstance(each.ctx, ast.Store)
        for each in nodes
    )
    return given[0] if len(given) == stored == 1 else key


def _find_key(node: ast.AST, place: str) -> ast.expr | None:
    """The key that an expression asks a table for."""
    match node:
        case (
            ast.Subscript(value=table, slice=key)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_])
        ) if spell_dotted(table) == place:
            return key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return key if spell_dotted(table) == place else None
    return None


def keep_moves(edges: Iterable[Edge], moves: Collection[Edge]) -> Iterator[Edge]:
    """The transitions that are among these, or stand for some of them as one from any state."""
    for each in edges:
        if each in moves:
            yield each
        elif each.source == ANY_STATE:
            found = sorted(move for move in moves if move.target == each.target)
            yield from found or [each]


def list_reached(states: Iterable[str], rules: Iterable[Rule], makers: Set[str]) -> Set[str]:
    """The states that these, and what the rules lead to from them, are; without the rules of
    methods that ``makers`` name: these begin another run of the step.
    """
    edges: list[Edge] = []
    for each in rules:
        if get_last(each.evidence[0].symbol) not in makers:
            edges += each.edges
    return follow_edges(states, edges)


def follow_edges(states: Iterable[str], edges: Sequence[Edge]) -> Set[str]:
    """The states that these, and what transitions lead to from them, are."""
    found = {*states}
    while more := {
        each.target
        for each in edges
        if each.target not in found and (each.source in found or each.source == ANY_STATE)
    }:
        found |= more
    return found
