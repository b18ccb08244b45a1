"""The states that a field may be in on the way through an operation, and that names may hold."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.constants import Constants, States
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_Method = ast.FunctionDef | ast.AsyncFunctionDef
# Possible states of a field: None for any, empty for code that is not reached.
Possible = frozenset[str] | None
NOWHERE: Possible = frozenset()


def join_states(one: Possible, two: Possible) -> Possible:
    """What is possible behind two ways that meet."""
    return None if one is None or two is None else one | two


def keep_states(before: Possible, named: Iterable[str]) -> Possible:
    """What is possible of these states."""
    return frozenset(named) if before is None else before & frozenset(named)


class LeftRounds:
    """The states in which a round of a loop ends early: ``over`` by a break, ``again`` where the
    loop goes on.
    """

    def __init__(self) -> None:
        self.over: Possible = NOWHERE
        self.again: Possible = NOWHERE

    def leave(self, node: ast.Continue | ast.Break, states: Possible) -> Possible:
        """Leave here, in some states."""
        if isinstance(node, ast.Break):
            self.over = join_states(self.over, states)
        else:
            self.again = join_states(self.again, states)
        return NOWHERE


class Answers:
    """The states in which a method that a condition runs is over, by what it answers; ``is_plain``
    where that is always yes or no.
    """

    def __init__(
        self, yes: Possible = NOWHERE, no: Possible = NOWHERE, *, is_plain: bool = True
    ) -> None:
        self.yes = yes
        self.no = no
        self.is_plain = is_plain

    def add(self, value: ast.expr | None, states: Possible) -> None:
        """It may return a value in some states; without one it answers "no"."""
        truth = bool(value.value) if isinstance(value, ast.Constant) else None
        truth = False if value is None else truth
        self.is_plain = self.is_plain and truth is not None
        self.yes = self.yes if truth is False else join_states(self.yes, states)
        self.no = self.no if truth is True else join_states(self.no, states)

    @classmethod
    def read(cls, value: ast.expr, states: Possible) -> "Answers | None":
        """What a constant answers; None for anything else."""
        if not isinstance(value, ast.Constant):
            return None
        found = cls()
        found.add(value, states)
        return found

    def join(self, other: "Answers") -> None:
        """Either of both may answer."""
        self.yes, self.no = join_states(self.yes, other.yes), join_states(self.no, other.no)

    def turn(self, *, is_negated: bool, is_plain: bool) -> "Answers":
        """The same of a condition that asks for the answer, or for its opposite."""
        ways = (self.no, self.yes) if is_negated else (self.yes, self.no)
        return Answers(*ways, is_plain=is_plain and self.is_plain)

    def keep(self, method: ast.FunctionDef | ast.AsyncFunctionDef, end: Possible) -> None:
        """What it has done at its ``end``: by either answer where something runs behind these."""
        listed = walk_statements(method.body)
        if any(isinstance(each, ast.Try) and each.finalbody for each in listed):
            self.yes = self.no = end


class HeldStates:
    """What variables hold where a state of one field is known; those of others are not kept.
    ``constants`` may be tables of states.
    """

    def __init__(
        self,
        states: States,
        constants: Constants,
        held: Mapping[str, frozenset[str]] = {},
        kept: Iterable[str] = (),
    ) -> None:
        self._states = states
        self._constants = constants
        self._held = {**held}
        self._kept = {*kept}  # the variables that keep what the field was

    def is_like(self, other: "HeldStates") -> bool:
        """Whether both hold the same."""
        return self._held == other._held

    def copy(self) -> "HeldStates":
        """The same, to go another way with."""
        return HeldStates(self._states, self._constants, self._held, self._kept)

    def hand(self, method: _Method, given: Mapping[str, ast.expr]) -> "HeldStates":
        """What is held in a method that is run with these variables."""
        own = list_local_names(method) if self._held and given else frozenset[str]()
        names = {each.id for each in given.values() if isinstance(each, ast.Name)} - own
        held = {name: self._held[name] for name in names & self._held.keys()}
        return HeldStates(self._states, self._constants, held, self._kept & held.keys())

    def keep(self, targets: Sequence[ast.expr], before: Possible) -> None:
        """Let variables hold the states that the field itself may be in."""
        self.hold(targets, before or frozenset())
        self._kept |= {each.id for each in targets if isinstance(each, ast.Name)}

    def leave(self, method: _Method, is_moved: bool) -> "HeldStates":
        """The same behind a method that was run: one that waits may go on to move the field, and
        what a variable kept of it would be given back from elsewhere.
        """
        inner = (each for each in walk_nodes(method) if each is not method) if self._kept else ()
        is_waiting = any(isinstance(e, ast.FunctionDef | ast.AsyncFunctionDef) for e in inner)
        if is_moved and self._kept and (is_waiting or isinstance(method, ast.AsyncFunctionDef)):
            self.drop(*map(ast.Name, self._kept))
        return self

    def hold(self, targets: Iterable[ast.expr], found: frozenset[str]) -> None:
        """Let variables hold one of some states, in place of what they held; none is anything."""
        for target in targets:
            self.drop(target)
            if isinstance(target, ast.Name) and found:
                self._held[target.id] = found

    def drop(self, *targets: ast.expr | None) -> None:
        """Hold nothing in the variables that these set."""
        for target in targets if self._held else ():
            for each in walk_nodes(target) if target is not None else ():
                self._held.pop(name := getattr(each, "id", ""), None)
                self._kept.discard(name)

    def find(self, node: ast.expr) -> frozenset[str]:
        """The states that a variable may hold; empty where that is open."""
        return self._held.get(node.id, frozenset()) if isinstance(node, ast.Name) else frozenset()

    def read(self, value: ast.expr) -> frozenset[str]:
        """The states that an expression may be; empty where that is open."""
        if isinstance(value, ast.IfExp):
            one, two = self.read(value.body), self.read(value.orelse)
            return one | two if one and two else frozenset()
        state = self._states.read(value)
        if state is not None:
            return frozenset([state])
        return self.find(value) or self.read_table(value, may_miss=True)

    def read_table(self, value: ast.expr, *, may_miss: bool) -> frozenset[str]:
        """The states that a table has for something: ``{"up": State.UP}[text]``; empty where that
        is open, or where it has them for states. ``may_miss`` where it may have none, too.
        """
        match value:
            case ast.Subscript(value=table, slice=ast.expr()):
                others: list[ast.expr] = []
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *others]) if (
                others or may_miss
            ):
                pass
            case _:
                return frozenset()
        found = self._constants.get(table.id) if isinstance(table, ast.Name) else table
        match found:
            case ast.Dict(keys=keys, values=values) if keys:
                is_of_states = any(self._states.read(each) for each in _list_keys(keys))
                states = [self._states.read(each) for each in (*values, *others)]
                known = frozenset(each for each in states if each is not None)
                return known if None not in states and not is_of_states else frozenset()
        return frozenset()

    def join(self, other: "HeldStates") -> None:
        """Hold what may be held behind two ways that meet."""
        both = self._held.keys() & other._held.keys()
        self._kept |= other._kept
        self._held = {name: self._held[name] | other._held[name] for name in both}

    def interrupt(self, body: Sequence[ast.stmt], read: Callable[[ast.expr], ast.expr]) -> None:
        """Hold what may be held where an error ended some statements anywhere."""
        stored = Counter(
            each.id
            for statement in body
            for each in walk_nodes(statement)
            if isinstance(each, ast.Name) and isinstance(getattr(each, "ctx", None), ast.Store)
        )
        given: dict[str, list[frozenset[str]]] = {}
        for each in walk_statements(body):
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    given.setdefault(name, []).append(self.read(read(value)))
        for name in self._held.keys() & (stored.keys() | given.keys()):
            found = given.get(name, [])
            if len(found) >= stored[name] and all(found):
                self._held[name] = self._held[name].union(*found)
            else:
                del self._held[name]

    def forget(self) -> None:
        """Hold nothing any more."""
        self._held.clear()


def join_held(one: HeldStates, two: HeldStates, end: Possible, caught: Possible) -> HeldStates:
    """What is held behind two ways, of which one may end before."""
    if NOWHERE in (end, caught):
        return two if end == NOWHERE else one
    found = one.copy()
    found.join(two)
    return found


def _list_keys(keys: Iterable[ast.expr | None]) -> Iterator[ast.expr]:
    """What a table is asked for, also where that is several things at once."""
    for each in keys:
        if isinstance(each, ast.Tuple):
            yield from each.elts
        elif each is not None:
            yield each
