"""What machines that are written down as such have: triggers that move a field, and their rules."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.source_facts import Choice, Edge, Evidence, Field, Rule, Shape
from git_retcon.allium.extract.spelling import (
    is_value,
    name_values,
    spell_type_name,
    spell_value,
)
from git_retcon.allium.extract.spelling import spell_variable as name_variable

ANY = "*"  # each state
OTHER = "+"  # each state but the one that it leads to


class Move(NamedTuple):
    """One trigger of a machine: from any of ``sources`` to one of ``targets``, to none where it
    stays as it is. ``method`` is what runs, "" where that cannot be read; if it fails, it leads to
    ``failed``. Without ``sources`` nobody knows what it does.
    """

    method: str
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


class Machine(NamedTuple):
    """A machine of a class: all of its states, by an enum or one by one, and what moves between
    them. ``field`` is where the class keeps its state.
    """

    field: str
    moves: tuple[Move, ...]
    states: tuple[Choice, ...] = ()
    enum: str = ""


def name_states(stored: Sequence[str]) -> tuple[Choice, ...]:
    """States by their names in the source; none where some cannot be written, or are not apart."""
    names = name_values(stored)
    if len({*stored}) < len(stored) or len(names) < len(stored) or not all(map(is_value, names)):
        return ()
    return tuple(Choice(each, each, name) for each, name in zip(stored, names, strict=True))


def is_whole(moves: Iterable[Move]) -> bool:
    """Whether all that moves is known."""
    return all(each.sources for each in moves)


def list_edges(moves: Iterable[Move]) -> tuple[Edge, ...]:
    """The transitions of moves, each once."""
    edges = (
        Edge(ANY if source == OTHER else source, target)
        for move in moves
        for source in move.sources
        for target in (*move.targets, *move.failed)
    )
    return tuple(dict.fromkeys(each for each in edges if each.source != each.target))


def make_rules(
    moves: Iterable[Move], field: Field, shape: Shape, place: Evidence
) -> Iterator[Rule]:
    """The rules of what moves a field of a class, whose place this is: one for each trigger of
    which all is known.
    """
    triggers: dict[str, list[Move]] = {}
    for move in moves:
        triggers.setdefault(move.method, []).append(move)
    variable = name_variable(shape.name)
    state = f"{variable}.{field.name}"
    for method, found in triggers.items() if "" not in triggers else ():
        if not is_whole(found):
            continue
        verb = spell_type_name(method.strip("_")) or "Move"
        demands, effects = tuple(_list_demands(found, state)), tuple(_list_effects(found, state))
        if demands or effects:
            yield Rule(
                shape.name + verb, (place._replace(symbol=f"{place.symbol}.{method}"),),
                verb + shape.name, (variable,), demands, effects, (), shape.name, field.name,
                list_edges(found),
            )  # fmt: skip


def _list_demands(moves: Sequence[Move], state: str) -> Iterator[str]:
    sources = [*dict.fromkeys(each for move in moves for each in move.sources)]
    if ANY in sources:
        return
    if OTHER not in sources:
        yield f"{state} {_spell(sources)}"
    elif len(moves) == 1 and len(moves[0].targets) == 1:
        yield f"{state} != {spell_value(moves[0].targets[0])}"


def _spell(states: Sequence[str]) -> str:
    if len(states) == 1:
        return f"= {spell_value(states[0])}"
    return f"in {{{', '.join(map(spell_value, states))}}}"


def _list_effects(moves: Sequence[Move], state: str) -> Iterator[str]:
    ends: dict[str, set[str]] = {}
    for move in moves:
        for source in move.sources:
            ends.setdefault(source, set()).update(move.targets or (source,))
    reached = [*dict.fromkeys(each for move in moves for each in move.targets)]
    if not reached or any(not move.targets and {*move.sources} & {ANY, OTHER} for move in moves):
        return
    stays = any(not move.targets for move in moves)
    if all(each == {*reached[:1]} for each in ends.values()):
        yield f"{state} = {spell_value(reached[0])}"
    elif all(len(each) == 1 for each in ends.values()) and not {*ends} & {ANY, OTHER}:
        cases = [(old, min(new)) for old, new in ends.items() if new != {old}]
        text = "\n        else ".join(
            f"if {state} = {spell_value(old)}: {state} = {spell_value(new)}" for old, new in cases
        )
        if cases:
            yield f"{state} = {spell_value(cases[0][1])}" if len(ends) == 1 else f"\n        {text}"
    elif not stays:
        yield f"{state} {_spell(reached)}"
