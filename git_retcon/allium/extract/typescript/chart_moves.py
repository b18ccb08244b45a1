"""What charts of states do to fields: one for a chart, or for each of its states that are at once.

A field has the innermost states, with the names of those around them: ``paying_failed``. A state
whose own parts are at once is one of them as a whole.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.python.machines.machine_moves import Move
from git_retcon.allium.extract.spelling import (
    is_plain,
    is_value,
    name_values,
    spell_field_name,
    spell_type_name,
    spell_words,
)
from git_retcon.allium.extract.typescript.state_charts import (
    DEEP_HISTORY,
    ENDS,
    FINAL,
    HISTORY,
    PARALLEL,
    ChartState,
    Step,
    list_states,
)

# A step with the state that takes it.
_Taken: TypeAlias = tuple[ChartState, Step]
_ANY_EVENT = "*"
_UNNAMED = "a condition of its own"
_STATE = "state"


class ChartField(NamedTuple):
    """A field with its states, and what moves it. ``unasked`` are moves that no event makes.
    ``symbols`` are the events in the source by the methods of the moves, ``guards`` what allows
    them, by the states in which they ask for that. Only those in ``kept`` are not left at once, and
    nobody knows here all ways out of those that are ``doubtful``.
    """

    name: str
    values: tuple[str, ...]
    moves: tuple[Move, ...]
    unasked: tuple[Move, ...]
    symbols: Mapping[str, str]
    guards: Mapping[str, Mapping[str, str]]
    kept: frozenset[str]
    doubtful: frozenset[str] = frozenset()


def list_chart_fields(root: ChartState) -> Sequence[ChartField]:
    """The fields that a chart has; none where their names are not apart."""
    bases = [*root.inner.values()] if root.kind == PARALLEL else [root]
    found = (_Chart(root, base).read_field() for base in bases)
    fields = [each for each in found if each is not None]
    return fields if len({each.name for each in fields}) == len(fields) else ()


class _Chart:
    """The part of a chart that is below ``base``."""

    def __init__(self, root: ChartState, base: ChartState) -> None:
        self._root = root
        self._base = base
        states = list_states(root)
        self._by_path = {each.path: each for each in states}
        self._by_id = {
            root.id or "(machine)": root,
            **{each.id: each for each in states if each.id},
        }
        self._leaves = _list_leaves(base)
        self._events = _list_events(states)
        self._others = [e for e in states if e.path and not _is_below(e, base)]
        self._names: dict[tuple[str, ...], str] = {}
        self._verbs = _name_events(states)
        self._unasked: list[Move] = []
        self._passed: set[str] = set()
        self._doubtful: set[str] = set()
        self._outer: set[str] = {""}
        self._guards: dict[str, dict[str, str]] = {}

    def read_field(self) -> ChartField | None:
        depth = len(self._base.path)
        spelled = [_spell_path(each.path[depth:]) for each in self._leaves]
        values = name_values(spelled)
        name = spell_field_name(_spell_path(self._base.path) if depth else _STATE)
        is_named = len(values) == len(spelled) > 1 and all(map(is_value, values))
        if not is_named or name is None:
            return None
        self._names = {e.path: n for e, n in zip(self._leaves, values, strict=True)}
        found = [move for leaf in self._leaves for move in self._list_moves(leaf)]
        # What only parts of a state do among themselves says nothing of it.
        moves = tuple(each for each in found if each.method in self._outer)
        symbols = {verb: symbol for symbol, verb in self._verbs.items()}
        kept = frozenset(values) - self._passed
        return ChartField(
            name, values, moves, tuple(self._unasked), symbols, self._guards, kept,
            frozenset(self._doubtful),
        )  # fmt: skip

    def _list_moves(self, leaf: ChartState) -> Iterator[Move]:
        if leaf.kind == FINAL and len(leaf.path) == 1:
            return  # it is over
        around = [*self._list_around(leaf)]
        within = list_states(leaf)[1:] if leaf.kind == PARALLEL else []
        if any(each.is_open for each in (*around, *within)):
            self._doubtful.add(self._names[leaf.path])
            yield Move("")
        at_once = [*_list_immediate(leaf, within, around)]
        self._unasked += self._follow("", leaf, at_once)
        if any(_is_certain(step) for _, step in at_once):
            self._passed.add(self._names[leaf.path])
            return  # no event finds it there
        asked = dict(self._list_asked(within, around))
        for state in (*within, *around):
            for steps in state.delayed:
                self._unasked += self._follow("", leaf, [(state, each) for each in steps])
            for each in state.services:
                known = asked.setdefault(each.symbol if state not in within else "", [])
                known += [self._place_step(each.symbol, state, step) for step in each.steps]
        for name, taken in asked.items():
            verb = self._verbs.get(name, "")
            if verb:
                moves = [*self._follow(verb, leaf, taken)]
                is_outer = any(state not in within for state, _ in taken)
                if is_outer or any(each.targets or not each.sources for each in moves):
                    self._outer.add(verb)
                self._note_guards(verb, leaf, taken)
                yield from moves
            else:
                self._unasked += self._follow("", leaf, taken)

    def _list_asked(
        self, within: Sequence[ChartState], around: Sequence[ChartState]
    ) -> Iterator[tuple[str, list[_Taken]]]:
        """What events do in a state: those that it names, and others that it takes as any and that
        lead away.
        """
        named = dict.fromkeys(name for each in (*within, *around) for name in each.events)
        takes_any = any(name.endswith(_ANY_EVENT) for name in named)
        for name in dict.fromkeys((*named, *(self._events if takes_any else ()))):
            listed = _list_steps(name, within, around)
            # What does nothing only keeps the event from others.
            taken = [each for each in listed if not (each[1].is_idle and each[1].guard is None)]
            if any(s.target != "" or (name in named and not s.is_idle) for _, s in taken):
                yield name, [self._place_step(name, *each) for each in taken]

    def _place_step(self, name: str, state: ChartState, step: Step) -> _Taken:
        """A step, which leads nobody knows where if it is around all that is at once, and others of
        these may take the event first.
        """
        others = self._others if self._is_outer(state) and step.target else ()
        is_taken = any(any(_list_handlers(name, each)) for each in others)
        return state, step._replace(target=None) if is_taken else step

    def _is_outer(self, state: ChartState) -> bool:
        return len(state.path) < len(self._base.path)

    def _list_around(self, leaf: ChartState) -> Iterator[ChartState]:
        """A state with all around it, the nearest first."""
        for length in range(len(leaf.path), -1, -1):
            yield self._by_path[leaf.path[:length]]

    def _follow(self, verb: str, leaf: ChartState, taken: Iterable[_Taken]) -> Iterator[Move]:
        """Where the steps lead from a state."""
        source = self._names[leaf.path]
        for state, step in taken:
            ends = () if step.target == "" else self._find_ends(verb, state, step.target)
            if ends is None:
                self._doubtful.add(source)
                yield Move(verb)
            else:
                yield Move(verb, (source,), () if ends == (source,) else ends)

    def _note_guards(self, verb: str, leaf: ChartState, taken: Sequence[_Taken]) -> None:
        guards = [step.guard for _, step in taken]
        if None not in guards:
            named = dict.fromkeys(each or _UNNAMED for each in guards)
            self._guards.setdefault(verb, {})[self._names[leaf.path]] = " or ".join(map(str, named))

    def _find_ends(
        self, verb: str, state: ChartState, target: str | None
    ) -> tuple[str, ...] | None:
        """The innermost states that a target leads to; None where nobody knows here."""
        found = self._resolve(state, target) if target is not None else None
        # What else is at once may begin anew where one of its parts is entered from outside.
        is_known = found is not None and _is_below(found, self._base)
        if found is None or not is_known or (self._is_outer(state) and not verb):
            return None
        leaves = self._enter(found)
        return tuple(dict.fromkeys(self._names[each.path] for each in leaves)) if leaves else None

    def _resolve(self, state: ChartState, target: str) -> ChartState | None:
        if target.startswith("#"):
            parts = target[1:].split(".")
            for length in range(len(parts), 0, -1):
                named = self._by_id.get(".".join(parts[:length]))
                if named is not None:
                    return self._by_path.get((*named.path, *parts[length:]))
            return None
        is_own = target.startswith(".") or not state.path
        above = state.path if is_own else state.path[:-1]
        return self._by_path.get((*above, *target.removeprefix(".").split(".")))

    def _enter(self, state: ChartState) -> Sequence[ChartState]:
        """The innermost states in which a chart is once it entered a state, or may be."""
        for length in range(len(self._base.path) + 1, len(state.path) + 1):
            if self._by_path[state.path[:length]].kind == PARALLEL:
                return [self._by_path[state.path[:length]]]
        if state.kind in (HISTORY, DEEP_HISTORY):
            above = self._by_path[state.path[:-1]]
            if state.kind == DEEP_HISTORY:
                return _list_leaves(above)
            entered = [self._enter(each) for each in _list_parts(above)]
            return [one for each in entered for one in each] if all(entered) else []
        if not _list_parts(state):
            return [state]
        first = state.inner.get(state.initial or "")
        return self._enter(first) if first is not None else []


def _list_parts(state: ChartState) -> Sequence[ChartState]:
    return [e for e in state.inner.values() if e.kind not in (HISTORY, DEEP_HISTORY)]


def _list_leaves(state: ChartState) -> Sequence[ChartState]:
    parts = _list_parts(state) if state.kind != PARALLEL else ()
    return [leaf for each in parts for leaf in _list_leaves(each)] or [state]


def _is_below(state: ChartState, base: ChartState) -> bool:
    return state.path[: len(base.path)] == base.path


def _is_over(state: ChartState, leaf: ChartState) -> bool:
    """Whether all that is inside a state may be over in one of its innermost states."""
    if state.kind == PARALLEL:
        return True
    return leaf.kind == FINAL and leaf.path[:-1] == state.path


def _list_immediate(
    leaf: ChartState, within: Iterable[ChartState], around: Iterable[ChartState]
) -> Iterator[_Taken]:
    """What happens at once in a state, to the first that nothing forbids."""
    for state in within:
        yield from ((state, each._replace(guard="")) for each in (*state.always, *state.done))
    for state in around:
        over = [e._replace(guard="") if leaf.kind == PARALLEL else e for e in state.done]
        for step in (*state.always, *(over if _is_over(state, leaf) else ())):
            yield state, step
            if _is_certain(step):
                return


def _is_certain(step: Step) -> bool:
    """Whether a step leads away, and nothing forbids it."""
    return step.guard is None and step.target != ""


def _list_steps(
    name: str, within: Iterable[ChartState], around: Iterable[ChartState]
) -> Iterator[_Taken]:
    """What may happen at an event, to the first that nothing forbids."""
    for state in within:
        # Whether one of them is there is another condition.
        yield from ((state, e._replace(guard="")) for e in _list_handlers(name, state))
    for state in around:
        for step in _list_handlers(name, state):
            yield state, step
            if step.guard is None:
                return


def _list_handlers(name: str, state: ChartState) -> Iterator[Step]:
    """What a state does at an event: as this, or as any, or as any of a kind (``mouse.*``)."""
    yield from state.events.get(name, ())
    for other, steps in state.events.items():
        is_any = other == _ANY_EVENT or (other[-2:] == ".*" and name.startswith(other[:-1]))
        if is_any and other != name:
            yield from steps


def _list_events(states: Iterable[ChartState]) -> Sequence[str]:
    """The events that states take by their names."""
    named = dict.fromkeys(name for each in states for name in each.events)
    return [name for name in named if name and not name.endswith(_ANY_EVENT)]


def _name_events(states: Iterable[ChartState]) -> Mapping[str, str]:
    """What rules call the events and the ends of services; none that cannot be told apart."""
    symbols = dict.fromkeys(
        name
        for each in states
        for name in (*each.events, *(service.symbol for service in each.services))
        if name and not name.endswith(_ANY_EVENT)
    )
    verbs = {symbol: _spell_verb(symbol) for symbol in symbols}
    named = [*verbs.values()]
    return {symbol: verb for symbol, verb in verbs.items() if verb and named.count(verb) == 1}


def _spell_verb(symbol: str) -> str:
    kind, _, name = symbol.partition(".")
    if name and kind in ENDS:
        return _spell_verb(name) + ENDS[kind]
    parts = re.findall(r"[A-Za-z0-9]+", symbol)
    words = (each.capitalize() if each.isupper() else each[:1].upper() + each[1:] for each in parts)
    return spell_type_name("".join(words)) or ""


def _spell_path(path: Iterable[str]) -> str:
    words = (re.sub(r"[\W_]+", "_", spell_words(part)).strip("_") for part in path)
    name = "_".join(words)
    plain = (each for each in (name, f"{name}_", f"_{name}") if is_plain(each))
    return next(plain, name)
