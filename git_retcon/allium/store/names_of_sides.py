"""Names of declarations in a merge: each definition of the source has one, and no other one's."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.store.contradictions import drop_where
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_layout import Move, move_declarations
from git_retcon.allium.store.module_text import (
    DeclarationText,
    cut_module,
    join_module,
    list_citations,
)
from git_retcon.allium.store.sides import MOVING, Sides, list_moving
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import TYPES

_ASKED = b"a side calls it"


class NamedAlike(NamedTuple):
    """The sides with one name for each definition, and what has to be asked of these, by module."""

    sides: Sides
    conflicts: Mapping[bytes, list[Conflict]]


class _Place(NamedTuple):
    """Where a declaration is, and which definition of the source it is of."""

    module: bytes
    kind: str
    path: str
    symbol: str


_Placed = Mapping[_Place, DeclarationText]


class _Choice(NamedTuple):
    """What a definition may be called, the best first; and what it was, "" for nothing. With a
    namesake in the source, one of the two has a name that is made of its file's.
    """

    names: tuple[str, str]
    was: str
    has_namesake: bool


def name_alike(sides: Sides) -> NamedAlike:
    """The base and both sides with one name for each definition of the source: the one that a side
    gave it since, ours where both did, and another one only where that is taken. Of several equal
    names in the source, each side may have seen another one first.

    A name that a side gave to what had one, and that is not kept, is asked about.
    """
    sides = _name_removed(_follow_names(_follow_names(sides), is_ours=False))
    changed = sides.list_changed()
    placed = [_list_placed(store, changed) for store in sides]
    conflicts: dict[bytes, list[Conflict]] = {}
    choices = _list_choices(*placed)
    for module in sorted({place.module for place in choices}):
        here = {place: each for place, each in choices.items() if place.module == module}
        wanted = _choose_names(sides, placed, module, here)
        stores = zip(sides, placed, strict=True)
        sides = Sides(*(_rename_placed(store, found, wanted) for store, found in stores))
        asked = [*_list_dropped(here, wanted)]
        if asked:
            conflicts[module] = asked
    return NamedAlike(sides.change(_drop_answered) if choices else sides, conflicts)


def _drop_answered(store: SpecStore) -> SpecStore:
    """The specification without what was asked about a name that is the chosen one now."""
    for module, content in store.all_modules().items():
        if _ASKED in content:
            text = cut_module(content)
            kept = drop_where(text.declarations, lambda each: _is_answered(each.name))
            written = join_module(text.head, [each.text for each in kept])
            store = store.set_module_spec(module, written)
    return store


def _is_answered(question: str) -> bool:
    named, found, other = question.partition(f": {_ASKED.decode()} ")
    return bool(found) and re.split(r"\W", other)[0] == named.rpartition(" ")[2]


def _follow_names(sides: Sides, *, is_ours: bool = True) -> Sides:
    """The sides with the names that one of them gave to what the other has of another file now: it
    was moved, and is the same definition still.
    """
    changed = sides.list_changed()
    namer, mover = (sides.ours, sides.theirs) if is_ours else (sides.theirs, sides.ours)
    old, named, moved = (_list_placed(store, changed) for store in (sides.base, namer, mover))
    came = {(each.kind, moved[each].name, each.symbol): each for each in moved.keys() - old.keys()}
    first: dict[_Place, str] = {}
    second: dict[_Place, str] = {}
    for place in sorted((old.keys() & named.keys()) - moved.keys()):
        was, name = old[place].name, named[place].name
        target = came.get((place.kind, was, place.symbol))
        if name != was and target is not None and target not in named:
            first[place], second[target] = name, name
    found = ((sides.base, old, first), (mover, moved, second))
    if not first or not all(_are_apart(*each) for each in found):
        return sides
    base, mover = (_rename_placed(*each) for each in found)
    return Sides(base, namer, mover) if is_ours else Sides(base, mover, namer)


def _name_removed(sides: Sides) -> Sides:
    """The sides, with what one has under another name than the base has, and the other side has
    removed, under one name in both: it is what was removed, and nothing new. It is the new name,
    unless that is now the one of something else.
    """
    changed = sides.list_changed()
    placed = [_list_placed(store, changed) for store in sides]
    old, *others = placed
    wanted: dict[_Place, str] = {}
    for mine, other in (others, others[::-1]):
        for place in sorted((old.keys() & mine.keys()) - other.keys()):
            # As something of another kind, it is not removed.
            is_there = any((e.path, e.symbol) == (place.path, place.symbol) for e in other)
            if mine[place].name != old[place].name and not is_there:
                names = _list_free(sides, placed, place)
                wanted[place] = next(each for each in names if each not in wanted.values())
    pairs = [*zip(sides, placed, strict=True)]
    if not wanted or not all(_are_apart(store, found, wanted) for store, found in pairs):
        return sides
    return Sides(*(_rename_placed(store, found, wanted) for store, found in pairs))


def _list_free(sides: Sides, placed: list[_Placed], place: _Place) -> Iterator[str]:
    """The names that nothing else has in its module, the one that a side gave it first."""
    taken = {
        each.name
        for store, found in zip(sides, placed, strict=True)
        for each in list_moving(store.module_spec(place.module))
        if place not in found or each.key != found[place].key
    }
    given = [found[place].name for found in placed if place in found]
    numbered = (f"{given[0]}{number}" for number in itertools.count(2))
    return (name for name in itertools.chain(reversed(given), numbered) if name not in taken)


def _are_apart(store: SpecStore, placed: _Placed, wanted: Mapping[_Place, str]) -> bool:
    modules = {each.module for each in wanted}
    return all(_is_apart(store.module_spec(each), placed, wanted) for each in modules)


def _list_choices(old: _Placed, mine: _Placed, other: _Placed) -> Mapping[_Place, _Choice]:
    """The definitions that the sides call otherwise than each other, or than the base does."""
    found: dict[_Place, _Choice] = {}
    for place in sorted(mine.keys() & other.keys()):
        one, two = mine[place].name, other[place].name
        was = old[place].name if place in old else ""
        if one != two or was not in ("", one):
            is_second = one == was or (not was and _is_derived(one, place))
            has_namesake = any(
                each != place and (each.module, each.symbol) == (place.module, place.symbol)
                for each in (*old, *mine, *other)
            )
            found[place] = _Choice((two, one) if is_second else (one, two), was, has_namesake)
    return found


def _choose_names(
    sides: Sides, placed: list[_Placed], module: bytes, choices: Mapping[_Place, _Choice]
) -> Mapping[_Place, str]:
    """One name for each; none for what neither of its names is free for."""
    contents = [store.module_spec(module) for store in sides]

    def are_apart(names: Mapping[_Place, str]) -> bool:
        pairs = zip(contents, placed, strict=True)
        return all(_is_apart(content, found, names) for content, found in pairs)

    best = {place: each.names[0] for place, each in choices.items()}
    if are_apart(best):
        return best
    # Two may have each other's name, so all of the second ones are free only together.
    wanted = {place: each.names[1] for place, each in choices.items()}
    if not are_apart(wanted):
        wanted = {}
    for place, each in choices.items():
        candidates = ({**wanted, place: name} for name in each.names)
        wanted = next((names for names in candidates if are_apart(names)), wanted)
    return wanted


def _list_dropped(
    choices: Mapping[_Place, _Choice], wanted: Mapping[_Place, str]
) -> Iterator[Conflict]:
    for place, each in choices.items():
        name = wanted.get(place)
        is_taken = name not in each.names[:1]
        is_given = is_taken and not each.has_namesake
        lost = [
            other
            for other in each.names
            if other not in (name, each.was) and (is_given or not _is_derived(other, place))
        ]
        if name is not None and lost:
            why = f"{_ASKED.decode()} {lost[0]}"
            if is_taken:
                why += ", which is another one's name now"
            # What is asked about stays open while it has this name.
            named = f"{place.kind} {name} {{".encode()
            yield Conflict(place.kind, name, None, named, None, why=why)


def _is_derived(name: str, place: _Place) -> bool:
    """Whether a name is made of that of its definition, and of its file's: no person gave it."""
    parts = place.path.split("/")
    stems = ["", parts[-1].partition(".")[0], *parts[-2:-1]]
    symbols = [place.symbol, place.symbol.rpartition(".")[2]]
    plain = _spell_plainly(name).rstrip("0123456789")
    return plain in {_spell_plainly(stem + symbol) for stem in stems for symbol in symbols}


def _spell_plainly(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _list_placed(store: SpecStore, modules: list[bytes]) -> _Placed:
    """What is declared of each definition, once: what people wrote may cite the same one."""
    found: dict[_Place, list[DeclarationText]] = {}
    for module in modules:
        for each in list_moving(store.module_spec(module)):
            cited = list_citations(each.text)
            if cited:
                found.setdefault(_Place(module, each.kind, *cited[0]), []).append(each)
    return {place: each for place, (each, *others) in found.items() if not others}


def _is_apart(content: bytes | None, placed: _Placed, wanted: Mapping[_Place, str]) -> bool:
    """Whether all that a module declares has names of its own once it has these."""
    renamed = {placed[each].key: name for each, name in wanted.items() if each in placed}
    declared = [
        (each.kind in TYPES, renamed.get(each.key, each.name))
        for each in (cut_module(content).declarations if content is not None else ())
        if each.kind in MOVING or each.kind in TYPES
    ]
    return len({*declared}) == len(declared)


def _rename_placed(store: SpecStore, placed: _Placed, wanted: Mapping[_Place, str]) -> SpecStore:
    return move_declarations(
        store,
        [
            Move(placed[each], each.module, each.module, name)
            for each, name in sorted(wanted.items())
            if each in placed and placed[each].name != name
        ],
    )
