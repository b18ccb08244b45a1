"""The states that a field gets where a method assigns it, and the transitions that this makes."""

import ast
from collections.abc import Callable

from git_retcon.allium.extract.python.flow.narrowed_states import StateNarrowing
from git_retcon.allium.extract.python.flow.possible_states import (
    NOWHERE,
    HeldStates,
    Possible,
    join_states,
    keep_states,
)
from git_retcon.allium.extract.python.flow.state_questions import AskedStates
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.source_facts import Edge

ANY_STATE = "*"


class AssignedStates:
    """What one field gets on the way through a method.

    It ``is_set_now`` where that is not only by what runs when the method is over. ``doubted`` are
    transitions behind a guard that cannot be read. ``opened`` is where it gets what may be any
    state, ``emptied`` where it gets none, ``has_moved`` whether it gets any at all, also by an
    operation that was called; ``asked`` are the states that the conditions around ask for.
    ``resolve`` finds what a call gives a parameter.
    """

    def __init__(
        self, states: States, narrowing: StateNarrowing, resolve: Callable[[ast.expr], ast.expr]
    ) -> None:
        self._states = states
        self._narrowing = narrowing
        self._resolve = resolve
        self.edges: dict[Edge, None] = {}
        self.doubted: dict[Edge, None] = {}
        self.is_set = self.is_set_now = False
        self.has_moved = False
        self.opened = self.emptied = NOWHERE
        self.asked: list[AskedStates] = []

    def assign(self, value: ast.expr, before: Possible, held: HeldStates) -> Possible:
        """The possible states behind an assignment of a value, which variables may hold."""
        self._narrowing.decided += 1
        value = self._narrowing.open_answer(value)
        if isinstance(value, ast.IfExp):
            yes = self._narrowing.narrow_states(value.test, before, True)
            no = self._narrowing.narrow_states(value.test, before, False)
            return self._assign_both(value, yes, no, held)
        value = self._resolve_member(self._resolve(value))
        if isinstance(value, ast.IfExp):  # its condition is about names of the caller
            return self._assign_both(value, before, before, held)
        found = held.find(value) or held.read_table(value, may_miss=False)
        if isinstance(value, ast.Attribute) and self._narrowing.kept:
            found = self._narrowing.kept.get(ast.unparse(value), found)
        if found:
            doubted, end = self._narrowing.is_doubtful, NOWHERE
            for each in sorted(found):
                self._narrowing.is_doubtful = doubted
                end = join_states(end, self._assign_state(each, before))
            return end
        target = self._states.read(value)
        if target is not None:
            return self._assign_state(target, before)
        if isinstance(value, ast.Constant) and value.value is None:
            self._narrowing.is_doubtful = True  # no transition begins where there is no state
            self.emptied = join_states(self.emptied, before)
        else:
            self.opened = join_states(self.opened, before)
            sources = sorted(before) if before is not None else (ANY_STATE,)
            self.doubted |= dict.fromkeys(Edge(each, ANY_STATE) for each in sources)
            default = self._states.read(_find_default(value))
            if default is not None:
                self._assign_state(default, before)
        return None

    def _resolve_member(self, value: ast.expr) -> ast.expr:
        """The member of the enum that is taken by what a call gives a parameter."""
        key = self._states.find_key(value)
        if not isinstance(key, ast.Name):
            return value
        given = self._resolve(key)
        if self._states.read(given) is not None and not isinstance(given, ast.Constant):
            return given
        made = copy_node(value)
        if isinstance(made, ast.Subscript):
            made.slice = given
        elif isinstance(made, ast.Call):
            made.args = [given]
        return made

    def _assign_state(self, target: str, before: Possible) -> Possible:
        self.is_set = self.has_moved = True
        # Behind "state is X" of a variable, what sets another state may well begin in X alone.
        for asked in self.asked:
            if asked.states and target not in asked.states:
                self._narrowing.is_doubtful |= not asked.is_named
                before = keep_states(before, asked.states)
        found = self.doubted if self._narrowing.is_doubtful else self.edges
        for source in sorted(before) if before is not None else (ANY_STATE,):
            if source != target:
                found[Edge(source, target)] = None
        self._narrowing.is_doubtful = False
        return frozenset([target])

    def _assign_both(
        self, value: ast.IfExp, yes: Possible, no: Possible, held: HeldStates
    ) -> Possible:
        doubted, end = self._narrowing.is_doubtful, NOWHERE
        for way, states in ((value.body, yes), (value.orelse, no)):
            if states != NOWHERE:
                self._narrowing.is_doubtful = doubted
                end = join_states(end, self.assign(way, states, held))
        return end


def _find_default(value: ast.expr) -> ast.expr:
    """What a field gets where its method is given nothing: ``given or DONE``."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name() | ast.Call(), default]):
            return default
    return value
