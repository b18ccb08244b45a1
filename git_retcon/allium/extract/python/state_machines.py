"""State machines that are written down as such: tables of transitions, and two libraries."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.conditions import read_states
from git_retcon.allium.extract.python.constants import Constants, States, read_constants
from git_retcon.allium.extract.python.guards import open_blocks
from git_retcon.allium.extract.python.names import get_last, spell_dotted
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Edge, Evidence, Field, Rule, Shape
from git_retcon.allium.extract.spelling import (
    is_value,
    spell_type_name,
    spell_value,
    spell_variable,
)

_ANY = "*"


class Move(NamedTuple):
    """One trigger of a machine: from any of ``sources`` to ``target``. ``method`` is what runs."""

    method: str
    sources: tuple[str, ...]
    target: str


def read_table(node: ast.expr, states: States, constants: Constants) -> tuple[Edge, ...] | None:
    """``{State.NEW: {State.PAID}, State.PAID: set()}`` as edges; None for any other value."""
    if not isinstance(node, ast.Dict) or len(node.keys) < 2:
        return None
    edges: dict[Edge, None] = {}
    is_table = False
    for key, value in zip(node.keys, node.values, strict=True):
        source = states.read(key) if key is not None else None
        if isinstance(value, ast.Call) and not value.args:
            targets: tuple[str, ...] | None = ()  # set()
        elif isinstance(value, ast.List | ast.Tuple | ast.Set) and not value.elts:
            targets = ()
        else:
            is_table = True
            is_many = not isinstance(value, ast.Constant)
            targets = read_states(value, states, constants) if is_many else None
        if source is None or targets is None:
            return None
        edges |= {Edge(source, target): None for target in targets if target != source}
    return tuple(edges) if is_table else None


def list_tables(
    node: ast.ClassDef, states: States, constants: Constants
) -> Iterator[tuple[Edge, ...]]:
    """The transitions of an enum, by each table of them that its file has: a constant, one that a
    method of the enum asks, or a list of pairs that is named for transitions.
    """
    for value in (*constants.values(), *_list_inner_tables(node)):
        if found := read_table(value, states, constants):
            yield found
    for name, value in constants.items():
        if "TRANSITION" in name.upper() and (found := _read_pairs(value, states)):
            yield found


def _list_inner_tables(node: ast.ClassDef) -> Iterator[ast.expr]:
    methods = (item for item in node.body if isinstance(item, ast.FunctionDef))
    for each in (each for item in methods for each in walk_statements(item.body)):
        match each:
            case ast.Assign(value=ast.Dict() as table) | ast.AnnAssign(value=ast.Dict() as table):
                # One for each is another way to say it, and no way to go.
                if not any(isinstance(one, ast.Attribute | ast.Name) for one in table.values):
                    yield table


def _read_pairs(node: ast.expr, states: States) -> tuple[Edge, ...]:
    """``[(State.NEW, State.PAID), ...]`` as edges; none for any other value."""
    edges: dict[Edge, None] = {}
    for each in node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ():
        pair = each.elts if isinstance(each, ast.Tuple) else []
        source, *targets = [states.read(one) for one in pair] or [None]
        if source is None or len(targets) != 1 or targets[0] is None:
            return ()
        edges |= {Edge(source, targets[0]): None} if source != targets[0] else {}
    return tuple(edges) if len(edges) > 1 else ()


def read_decorated(node: ast.ClassDef, field: str, states: States | None) -> Iterator[Move]:
    """django-fsm's ``@transition(field=status, source=[...], target=...)``."""
    inner = _list_inner_constants(node)
    for item in node.body:
        if not isinstance(item, ast.FunctionDef):
            continue
        for mark in item.decorator_list:
            if not isinstance(mark, ast.Call):
                continue
            words = {each.arg: each.value for each in mark.keywords if each.arg}
            name = get_last(spell_dotted(mark)).removesuffix("()")
            # Projects wrap the decorator: @locking_transition(field=..., source=..., target=...).
            is_wrapped = name.endswith("_transition") and {"field", "source", "target"} <= {*words}
            if name != "transition" and not is_wrapped:
                continue
            place = words.get("field") or (mark.args[0] if mark.args else None)
            named = place.value if isinstance(place, ast.Constant) else None
            if place is None or field not in (named, get_last(spell_dotted(place))):
                continue
            sources = _read_any(words.get("source"), states, inner)
            target = _read_any(words.get("target"), states, inner)
            if sources and target and len(target) == 1 and target[0] != _ANY:
                yield Move(item.name, sources, target[0])


def list_callers(node: ast.ClassDef, moves: Sequence[Move]) -> Iterator[Move]:
    """The operations that people call, where only they make the transitions: as these, by their
    own names.
    """
    private = {each.method: each for each in moves if each.method.startswith("_")}
    for item in node.body if private else ():
        if not isinstance(item, ast.FunctionDef) or item.name in private:
            continue
        for each in open_blocks(item.body):
            match each:
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name))
                ):
                    if name in private:
                        yield private[name]._replace(method=item.name)
                        break


def _list_inner_constants(node: ast.ClassDef) -> Constants:
    """The constants of the classes inside a class, by dotted name: ``States.NEW``."""
    return {
        f"{item.name}.{name}": value
        for item in node.body
        if isinstance(item, ast.ClassDef)
        for name, value in read_constants(item.body).items()
    }


def _read_any(node: ast.expr | None, states: States | None, inner: Constants) -> tuple[str, ...]:
    if node is None:
        return ()
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    found: list[str] = []
    for item in items:
        known = states.read(item) if states is not None else None
        dotted = spell_dotted(item) if isinstance(item, ast.Attribute) else ""
        stored = inner.get(dotted, item)
        plain = (
            stored.value
            if isinstance(stored, ast.Constant) and isinstance(stored.value, str)
            else None
        )
        name = known or plain or _name_constant(item)
        if name is None or name == "+":
            return ()
        found.append(name)
    return tuple(found)


def _name_constant(node: ast.expr) -> str | None:
    """A constant from elsewhere by its own name, as a member of an enum: ``states.DRAFT``."""
    name = get_last(spell_dotted(node)) if isinstance(node, ast.Name | ast.Attribute) else ""
    return name.lower() if name.isupper() and is_value(name.lower()) else None


class Machine(NamedTuple):
    """A machine of the library transitions: all of its states, and what moves between them.

    ``field`` is where the class keeps its state: "state", which the library gives to a model, or
    the attribute that holds a machine without one.
    """

    states: tuple[str, ...]
    moves: tuple[Move, ...]
    field: str


def read_machine(node: ast.ClassDef, constants: Constants) -> Machine | None:
    """``Machine(model=self, states=[...], transitions=[...])`` in a class, if there is one.

    ``machine.add_transition(...)`` adds to its transitions.
    """
    for attribute, call in _list_machine_calls(node):
        words = {each.arg: each.value for each in call.keywords if each.arg}
        states = _read_texts(_follow_constant(words.get("states"), constants))
        listed = _follow_constant(words.get("transitions"), constants)
        items = listed.elts if isinstance(listed, ast.List | ast.Tuple) else []
        moves = [*map(_read_move, items), *map(_read_added, _list_added(node, attribute))]
        if states and moves and all(moves):
            field = attribute if attribute and "model" not in words and not call.args else "state"
            return Machine(states, tuple(each for each in moves if each), field)
    return None


def _list_machine_calls(node: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    """What makes a machine, with the attribute that keeps it."""
    for item in node.body:
        for each in item.body if isinstance(item, ast.FunctionDef) else ():
            match each:
                case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call() as call):
                    pass
                case ast.Assign(value=ast.Call() as call) | ast.Expr(value=ast.Call() as call):
                    name = ""
                case _:
                    continue
            if get_last(spell_dotted(call)).endswith("Machine"):
                yield name, call


def _list_added(node: ast.ClassDef, attribute: str) -> Iterator[ast.Call]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and spell_dotted(each.func) == (
            f"self.{attribute}.add_transition"
        ):
            yield each


def _read_added(call: ast.Call) -> Move | None:
    words = dict(zip(("trigger", "source", "dest"), call.args, strict=False))
    words |= {each.arg: each.value for each in call.keywords if each.arg}
    return _make_move(words)


def _follow_constant(node: ast.expr | None, constants: Constants) -> ast.expr | None:
    if isinstance(node, ast.Name | ast.Attribute):
        return constants.get(get_last(spell_dotted(node)), node)
    return node


def _read_texts(node: ast.expr | None) -> tuple[str, ...]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    texts = [each.value for each in items if isinstance(each, ast.Constant)]
    found = tuple(each for each in texts if isinstance(each, str))
    return found if found and len(found) == len(items) else ()


def _read_move(node: ast.expr) -> Move | None:
    parts: Mapping[str, ast.expr] = {}
    if isinstance(node, ast.Dict):
        parts = {
            key.value: value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
    elif isinstance(node, ast.List | ast.Tuple) and len(node.elts) >= 3:
        parts = dict(zip(("trigger", "source", "dest"), node.elts, strict=False))
    return _make_move(parts)


def _make_move(parts: Mapping[str, ast.expr]) -> Move | None:
    trigger, source, target = (parts.get(each) for each in ("trigger", "source", "dest"))
    if not isinstance(trigger, ast.Constant) or not isinstance(target, ast.Constant):
        return None
    sources = _read_texts(source) if isinstance(source, ast.List | ast.Tuple) else ()
    if isinstance(source, ast.Constant) and isinstance(source.value, str):
        sources = (source.value,)
    if not sources or not isinstance(trigger.value, str) or not isinstance(target.value, str):
        return None
    return Move(trigger.value, sources, target.value)


def make_rule(move: Move, field: Field, shape: Shape, place: Evidence) -> Rule:
    """The rule of a method that a machine of a class, whose place this is, moves a field by."""
    variable = spell_variable(shape.name)
    state = f"{variable}.{field.name}"
    verb = spell_type_name(move.method) or "Move"
    sources = [each for each in move.sources if each != _ANY]
    requires: tuple[str, ...] = ()
    if len(sources) == 1:
        requires = (f"{state} = {spell_value(sources[0])}",)
    elif sources:
        requires = (f"{state} in {{{', '.join(map(spell_value, sources))}}}",)
    edges = tuple(Edge(each, move.target) for each in move.sources)
    method = place._replace(symbol=f"{place.symbol}.{move.method}")
    return Rule(
        shape.name + verb, (method,), verb + shape.name,
        (variable,), requires, (f"{state} = {spell_value(move.target)}",), (), shape.name,
        field.name, edges,
    )  # fmt: skip
