"""Classes that are machines: their body says their states, and what moves between them.

Of python-statemachine::

    class Light(StateMachine):
        green = State(initial=True)
        red = State(final=True)
        stop = green.to(red)

and of automat, whose inputs are methods::

    class Door:
        _machine = MethodicalMachine()

        @_machine.state(initial=True)
        def closed(self): ...

        @_machine.input()
        def open(self): ...

        closed.upon(open, enter=opened, outputs=[])
"""

import ast
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from git_retcon.allium.extract.python.machines.machine_moves import Machine, Move, name_states
from git_retcon.allium.extract.python.syntax.constants import Constants, read_constants
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# From a state to another, each by the name that the class has for it.
_Ways: TypeAlias = tuple[tuple[str, str], ...]
_CURRENT = "current_state"
_MACHINES = ("StateMachine", "StateChart")


def read_class_machine(node: ast.ClassDef) -> Machine | None:
    """The machine that a class is, or that its methods are the states and inputs of."""
    constants = read_constants(node.body)
    if any(get_last(spell_dotted(base)).endswith(_MACHINES) for base in node.bases):
        return _read_states_machine(node, constants)
    for name, value in constants.items():
        if get_last(spell_dotted(value)) == "MethodicalMachine":
            return _read_methods(node, name)
    return None


def _read_states_machine(node: ast.ClassDef, constants: Constants) -> Machine | None:
    names = [n for n, v in constants.items() if _is_call(v, "State")]
    ended = frozenset(n for n in names if _has_word(constants[n], "final"))
    enum, owner = _find_enum(constants)
    # Of an enum, nobody knows here which others there are.
    left = None if enum else tuple(each for each in names if each not in ended)
    states = _Members(frozenset(names), owner, left)
    ways: dict[str, _Ways | None] = {}
    for item in node.body:
        for name, value in _list_events(item):
            found = states.read_ways(value, ways)
            if found is not None or states.tells_way(value):
                ways[name] = found
    if bool(names) == bool(enum) or not any(ways.values()):
        return None
    choices = name_states(names)
    spelled = {each.symbol: each.name for each in choices} if names else None
    moves = [
        Move(event, (_spell(source, spelled),), (_spell(target, spelled),))
        for event, found in ways.items()
        for source, target in found or ()
    ]
    moves += [Move(event) for event, found in ways.items() if found is None]
    return Machine(_CURRENT, tuple(moves), choices, enum)


def _find_enum(constants: Constants) -> tuple[str, str]:
    """The enum that has the states, and the name of the class for them."""
    for name, value in constants.items():
        match value:
            case ast.Call(args=[ast.Name() | ast.Attribute() as enum, *_]):
                if spell_dotted(value).endswith("States.from_enum"):
                    return spell_dotted(enum), name
    return "", ""


def _has_word(node: ast.expr, name: str) -> bool:
    words = node.keywords if isinstance(node, ast.Call) else ()
    return any(each.arg == name and ast.unparse(each.value) == "True" for each in words)


def _spell(state: str, spelled: Mapping[str, str] | None) -> str:
    return spelled.get(state, state) if spelled is not None else state.lower()


def _is_call(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and get_last(spell_dotted(node)) == name


def _list_events(item: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """What a statement of the body names that may be a way from one state to another."""
    match item:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            match value:
                case ast.Call(args=[inner, *_]) if _is_call(value, "Event"):
                    value = inner
            yield name, value
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            for mark in item.decorator_list:
                yield name, mark


class _Members:
    """The states of a class by its names for them, and what leads from one to another. ``left`` are
    those that a machine may leave.
    """

    def __init__(self, names: frozenset[str], owner: str, left: tuple[str, ...] | None) -> None:
        self._names = names
        self._owner = owner
        self._left = left

    def tells_way(self, node: ast.expr) -> bool:
        """Whether an expression is about ways of states, also where it cannot be read."""
        for each in walk_nodes(node):
            match each:
                case ast.Call(func=ast.Attribute(value=value, attr="to" | "from_")):
                    return self._read_state(value) is not None
        return False

    def read_ways(self, node: ast.expr, known: Mapping[str, _Ways | None]) -> _Ways | None:
        match node:
            case ast.Name(id=name):
                return known.get(name)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                one, two = self.read_ways(left, known), self.read_ways(right, known)
                return (*one, *two) if one is not None and two is not None else None
            case ast.Call(func=ast.Attribute(value=value, attr=verb), args=arguments):
                return self._read_call(value, verb, arguments)
        return None

    def _read_call(self, value: ast.expr, verb: str, arguments: list[ast.expr]) -> _Ways | None:
        others = [self._read_state(each) for each in arguments]
        own = self._read_state(value)
        if own is not None and verb in ("to", "from_") and others and all(others):
            pairs = [(own, each) if verb == "to" else (each, own) for each in others if each]
            return tuple(pairs)
        match value:
            case ast.Attribute(value=inner, attr="to" | "from_" as way) if not others:
                own = self._read_state(inner)
                if own is not None and verb == "itself":
                    return ((own, own),)
                if own is not None and (way, verb) == ("from_", "any") and self._left is not None:
                    return tuple((each, own) for each in self._left)
        return None

    def _read_state(self, node: ast.expr) -> str | None:
        match node:
            case ast.Name(id=name) if name in self._names:
                return name
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == self._owner:
                return name
        return None


def _read_methods(node: ast.ClassDef, machine: str) -> Machine | None:
    """The states and inputs that methods are, and what ``state.upon(input, enter=...)`` says."""
    marks = {
        item.name: get_last(spell_dotted(mark))
        for item in node.body
        if isinstance(item, _Function)
        for mark in item.decorator_list
        if spell_dotted(mark).partition(".")[0] == machine
    }
    if "serializer" in marks.values():
        return None  # another object keeps its state
    choices = name_states([name for name, mark in marks.items() if mark == "state"])
    names = {each.symbol: each.name for each in choices}
    said = [item.value for item in node.body if isinstance(item, ast.Expr)]
    moves = tuple(
        _read_upon(each, names, marks) for each in said if get_last(spell_dotted(each)) == "upon"
    )
    return Machine(machine, moves, choices) if any(each.sources for each in moves) else None


def _read_upon(node: ast.expr, names: Mapping[str, str], marks: Mapping[str, str]) -> Move:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=source)), args=arguments):
            words = dict(zip(("input", "enter"), arguments, strict=False))
            words |= {each.arg: each.value for each in node.keywords if each.arg}
            asked, enter = words.get("input"), words.get("enter")
            trigger = spell_dotted(asked) if asked is not None else ""
            target = spell_dotted(enter) if enter is not None else source
            if marks.get(trigger) == "input" and source in names and target in names:
                ends = (names[target],) if target != source else ()
                return Move(trigger, (names[source],), ends)
    return Move("")
