"""Machines of the library transitions: tables of states, and of what moves between them.

::

    class Lamp:
        def __init__(self):
            self.machine = Machine(model=self, states=["off", "on"], initial="off")
            self.machine.add_transition("press", "off", "on")

The library gives the object the field ``state``, and a method for each trigger.
"""

import ast
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.machines.machine_moves import ANY, Machine, Move, name_states
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import spell_member

_MACHINE = "Machine"
_SAME = "="
_LISTS = ast.List | ast.Tuple
_PARTS = ("trigger", "source", "dest")


class _Made(NamedTuple):
    """A call that makes a machine: the attribute that keeps it, "" for the object itself."""

    attribute: str
    call: ast.Call
    is_own: bool = False


class _Names(NamedTuple):
    """How the states of a machine are written."""

    constants: Constants
    states: tuple[Choice, ...]
    enum: str

    def read(self, node: ast.expr | None) -> str | None:
        node = _follow(node, self.constants)
        if isinstance(node, ast.Attribute):
            owner, _, name = spell_dotted(node).removesuffix(".value").rpartition(".")
            is_member = self.enum and get_last(owner) == get_last(self.enum)
            return spell_member(name) if is_member else None
        stored = node.value if isinstance(node, ast.Constant) else None
        if self.enum and isinstance(stored, str) and stored.isupper():
            return stored.lower()
        return next((each.name for each in self.states if each.stored == stored), None)

    def read_sources(self, node: ast.expr | None) -> tuple[str, ...]:
        node = _follow(node, self.constants)
        items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
        if any(isinstance(each, ast.Constant) and each.value == ANY for each in items):
            return (ANY,)
        found = [self.read(each) for each in items]
        return tuple(each for each in found if each) if all(found) else ()


def read_table_machine(node: ast.ClassDef, constants: Constants) -> Machine | None:
    """The machine that a class makes for itself; ``machine.add_transition(...)`` adds to it."""
    for made in _list_made(node):
        named = {each.arg: each.value for each in made.call.keywords if each.arg}
        words = {**dict(zip(("model", "states"), made.call.args, strict=False)), **named}
        names = _read_states(words.get("states"), constants)
        if names is None:
            continue
        items = _list_items(words.get("transitions"), constants)
        moves = [Move("")] if items is None else [_read_item(each, names) for each in items]
        moves += [each for call in _list_added(node, made) for each in _read_added(call, names)]
        if any(each.sources for each in moves):
            is_own = made.is_own or "model" in words or not made.attribute
            field = "state" if is_own else made.attribute
            return Machine(field, tuple(moves), names.states, names.enum)
    return None


def _list_made(node: ast.ClassDef) -> Iterator[_Made]:
    """What makes a machine, by itself or as what the class is."""
    is_machine = any(get_last(spell_dotted(base)).endswith(_MACHINE) for base in node.bases)
    methods = (item for item in node.body if isinstance(item, ast.FunctionDef))
    making = (e for e in methods if (made := _list_called(e)) and (is_machine or _MACHINE in made))
    for each in (each for item in making for each in walk_statements(item.body)):
        call = each.value if isinstance(each, ast.Assign | ast.Expr) else None
        if not isinstance(call, ast.Call):
            continue
        match each:
            case ast.Assign(targets=[ast.Attribute(attr=name)]):
                pass
            case _:
                name = ""
        dotted = spell_dotted(call)
        if get_last(dotted).endswith(_MACHINE):
            yield _Made(name, call)
        elif is_machine and get_last(dotted) == "__init__":
            is_class = dotted.removesuffix(".__init__").endswith(_MACHINE)
            plain = ast.Call(call.func, call.args[1:] if is_class else call.args, call.keywords)
            yield _Made("", plain, is_own=True)


@answer_once
def _list_called(node: Function) -> Set[str]:
    """How that ends which a method calls and which may make a machine, alone or in a base class."""
    statements = (e for e in walk_statements(node.body) if isinstance(e, ast.Assign | ast.Expr))
    calls = [spell_dotted(e.value) for e in statements if isinstance(e.value, ast.Call)]
    endings = (_MACHINE, "__init__")
    return {end for end in endings if any(each.endswith(end) for each in calls)}


def _read_states(node: ast.expr | None, constants: Constants) -> _Names | None:
    found = _follow(node, constants)
    match found:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name() | ast.Attribute() as enum]):
            found = enum
    if isinstance(found, ast.Name | ast.Attribute):
        name = get_last(spell_dotted(found))
        is_enum = name[:1].isupper() and not name.isupper()
        return _Names(constants, (), spell_dotted(found)) if is_enum else None
    items = found.elts if isinstance(found, _LISTS) else []
    owners = {spell_dotted(each).rpartition(".")[0] for each in items}
    followed = [_follow(each, constants) for each in items]
    if len(owners) == 1 and all(isinstance(each, ast.Attribute) for each in followed):
        members = [get_last(spell_dotted(each)) for each in items]
        listed = tuple(Choice(each, each, spell_member(each)) for each in members)
        return _Names(constants, listed, owners.pop()) if len(items) > 1 else None
    stored = [_read_state(each) for each in followed]
    states = name_states([each for each in stored if each])
    return _Names(constants, states, "") if states and all(stored) else None


def _read_state(node: ast.expr | None) -> str:
    """A state by its name: a text, ``State("open")``, or ``{"name": "open"}``."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(args=[ast.Constant(value=str(text)), *_]):
            return text if get_last(spell_dotted(node)).endswith("State") else ""
        case ast.Call(keywords=words) if get_last(spell_dotted(node)).endswith("State"):
            parts = {each.arg: each.value for each in words if each.arg}
            return _read_state(parts.get("name")) if "name" in parts else ""
        case ast.Dict():
            known = _read_parts(node)
            return "" if {"children", "states"} & known.keys() else _read_state(known.get("name"))
    return ""


def _list_items(node: ast.expr | None, constants: Constants) -> list[ast.expr] | None:
    """The transitions that are listed; None where nobody knows here which."""
    found = _follow(node, constants)
    if found is None:
        return []
    return found.elts if isinstance(found, _LISTS) else None


def _list_added(node: ast.ClassDef, made: _Made) -> Iterator[ast.Call]:
    owner = f"self.{made.attribute}" if made.attribute else "self" if made.is_own else "machine"
    wanted = (f"{owner}.add_transition", f"{owner}.add_transitions")
    for each in walk_nodes(node):
        if isinstance(each, ast.Call) and spell_dotted(each.func) in wanted:
            yield each


def _read_added(call: ast.Call, names: _Names) -> Iterator[Move]:
    if spell_dotted(call).endswith("s"):
        items = _list_items(call.args[0], names.constants) if call.args else None
        yield from [Move("")] if items is None else (_read_item(each, names) for each in items)
        return
    words = dict(zip(_PARTS, call.args, strict=False))
    yield _make_move(
        {**words, **{each.arg: each.value for each in call.keywords if each.arg}}, names
    )


def _read_item(node: ast.expr, names: _Names) -> Move:
    if isinstance(node, ast.Dict):
        return _make_move(_read_parts(node), names)
    if isinstance(node, _LISTS) and len(node.elts) >= len(_PARTS):
        return _make_move(dict(zip(_PARTS, node.elts, strict=False)), names)
    return Move("")


def _read_parts(node: ast.Dict) -> Mapping[str, ast.expr]:
    return {
        key.value: value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _make_move(parts: Mapping[str, ast.expr], names: _Names) -> Move:
    trigger = _follow(parts.get("trigger"), names.constants)
    method = trigger.value if isinstance(trigger, ast.Constant) else None
    sources = names.read_sources(parts.get("source"))
    target = parts.get("dest")
    kept = target.value if isinstance(target, ast.Constant) else target
    end = names.read(target)
    name = method if isinstance(method, str) else ""
    if not name or not (end or kept in (None, _SAME)):
        return Move(name)
    return Move(name, sources, (end,) if end and kept not in (None, _SAME) else ())


def _follow(node: ast.expr | None, constants: Constants) -> ast.expr | None:
    if isinstance(node, ast.Name | ast.Attribute):
        return constants.get(get_last(spell_dotted(node)), node)
    return node
