"""Declarations that a side of a merge moved to another module, and the other side changed or moved
as well.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.store.module_layout import Move, move_declarations, place_nearest
from git_retcon.allium.store.module_text import DeclarationText, cut_module, list_citations
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import TYPES

# The others are of a module, and several may have them.
_MOVING = frozenset({"entity", "value", "enum", "contract", "rule"})

# Kind and name → the modules that declare it, each with its text.
_Declared = Mapping[tuple[str, str], Mapping[bytes, DeclarationText]]


class _Place(NamedTuple):
    """Where a declaration is, and which definition of the source it is of."""

    module: bytes
    kind: str
    path: str
    symbol: str


def follow_other_side(
    base: SpecStore, side: SpecStore, mover: SpecStore
) -> tuple[SpecStore, SpecStore]:
    """The base and a side with what the other side, ``mover``, moved and this one changed or began
    to name, in the module where it is now: there its three versions are merged.
    """
    changed = [
        path
        for path in {**base.all_modules(), **mover.all_modules()}
        if base.module_spec(path) != mover.module_spec(path)
    ]
    old, new, own = (_list_declared(store, changed) for store in (base, mover, side))
    named = _list_named(base, side)
    first: list[Move] = []
    second: list[Move] = []
    for key, places in old.items():
        there, here = new.get(key, {}), own.get(key, {})
        if len(places) == len(there) == len(here) == 1 and places.keys() == here.keys():
            (origin, before), (target, _) = *places.items(), *there.items()
            is_changed = here[origin].text != before.text
            if origin != target and (is_changed or key[1].encode() in named):
                first.append(Move(before, origin, target))
                second.append(Move(here[origin], origin, target))
    return move_declarations(base, first), move_declarations(side, second)


def _list_named(base: SpecStore, side: SpecStore) -> frozenset[bytes]:
    """The types that a side names more often in a module than the base does."""
    found: set[bytes] = set()
    for path, text in side.all_modules().items():
        before = base.module_spec(path)
        if before != text:
            found |= (_count_names(text) - _count_names(before or b"")).keys()
    return frozenset(found)


def _count_names(text: bytes) -> Counter[bytes]:
    return Counter(re.findall(rb"\b[A-Z]\w*", text))


def place_alike(
    base: SpecStore, ours: SpecStore, theirs: SpecStore
) -> tuple[SpecStore, SpecStore, SpecStore]:
    """The base and both sides with what a file declares in the nearest module that either side has:
    one may have split a module, or lost a file and got it back in that of its folder.
    """
    modules = ours.all_modules().keys() | theirs.all_modules().keys()
    return (
        place_nearest(base, modules),
        place_nearest(ours, modules),
        place_nearest(theirs, modules),
    )


def name_alike(
    base: SpecStore, ours: SpecStore, theirs: SpecStore
) -> tuple[SpecStore, SpecStore, SpecStore]:
    """The base and both sides with one name for each definition of the source: the one that a side
    gave it since, ours where both did, and another one only where that is taken. Of several equal
    names in the source, each side may have seen another one first.
    """
    changed = _list_changed(base, ours, theirs)
    old, mine, other = (_list_placed(store, changed) for store in (base, ours, theirs))
    differing = [each for each in mine.keys() & other.keys() if mine[each].name != other[each].name]
    for module in sorted({place.module for place in differing}):
        first: dict[_Place, str] = {}
        second: dict[_Place, str] = {}
        for place in (each for each in differing if each.module == module):
            one, two, was = mine[place].name, other[place].name, old.get(place)
            is_theirs = was is not None and one == was.name
            first[place], second[place] = (two, one) if is_theirs else (one, two)
        sides = ((base, old), (ours, mine), (theirs, other))
        for names in (first, second):
            if all(_is_apart(store.module_spec(module), found, names) for store, found in sides):
                base, ours, theirs = (_rename_placed(*side, names) for side in sides)
                break
    return base, ours, theirs


def _list_changed(*stores: SpecStore) -> list[bytes]:
    every = dict.fromkeys(path for store in stores for path in store.all_modules())
    return [path for path in every if len({each.module_spec(path) for each in stores}) > 1]


def _list_placed(store: SpecStore, modules: list[bytes]) -> Mapping[_Place, DeclarationText]:
    """What is declared of each definition, once: what people wrote may cite the same one."""
    found: dict[_Place, list[DeclarationText]] = {}
    for module in modules:
        for each in _list_moving(store.module_spec(module)):
            cited = list_citations(each.text)
            if cited:
                found.setdefault(_Place(module, each.kind, *cited[0]), []).append(each)
    return {place: each for place, (each, *others) in found.items() if not others}


def _is_apart(
    content: bytes | None, placed: Mapping[_Place, DeclarationText], wanted: Mapping[_Place, str]
) -> bool:
    """Whether all that a module declares has names of its own once it has these."""
    renamed = {placed[each].key: name for each, name in wanted.items() if each in placed}
    declared = [
        (each.kind in TYPES, renamed.get(each.key, each.name))
        for each in (cut_module(content).declarations if content is not None else ())
        if each.kind in _MOVING or each.kind in TYPES
    ]
    return len({*declared}) == len(declared)


def _rename_placed(
    store: SpecStore, placed: Mapping[_Place, DeclarationText], wanted: Mapping[_Place, str]
) -> SpecStore:
    return move_declarations(
        store,
        [
            Move(placed[each], each.module, each.module, name)
            for each, name in sorted(wanted.items())
            if each in placed and placed[each].name != name
        ],
    )


def settle_moves(
    base: SpecStore, ours: SpecStore, theirs: SpecStore, has_source: Callable[[str], bool]
) -> tuple[SpecStore, SpecStore, SpecStore]:
    """The base and both sides with every declaration of which they cite different files where the
    merged source has it: ``has_source`` says whether that has a file.

    Where it has both files, they are two declarations now.
    """
    changed = _list_changed(base, ours, theirs)
    old, mine, other = (_list_declared(store, changed) for store in (base, ours, theirs))
    for key, places in old.items():
        one, two = mine.get(key, {}), other.get(key, {})
        if not len(places) == len(one) == len(two) == 1:
            continue
        (origin, was), (here, own), (there, their) = *places.items(), *one.items(), *two.items()
        first = [each.sources[:1] for each in (was, own, their)]
        if not all(first) or first[1] == first[2]:
            continue
        is_here, is_there = (has_source(each.sources[0]) for each in (own, their))
        have_both_moved = first[0] not in first[1:]
        if is_here == is_there and (is_here or not have_both_moved):
            continue
        if is_here or not is_there:
            theirs = _move_cited(theirs, there, their, here, own)
            base = _move_cited(base, origin, was, here, own)
        elif have_both_moved:
            ours = _move_cited(ours, here, own, there, their)
            base = _move_cited(base, origin, was, there, their)
    return base, ours, theirs


def _move_cited(
    store: SpecStore,
    origin: bytes,
    declaration: DeclarationText,
    target: bytes,
    to: DeclarationText,
) -> SpecStore:
    """The store with a declaration in the module of another one, citing the file of that one."""
    content = store.module_spec(origin)
    found = cut_module(content).declarations if content is not None else ()
    there = next((each for each in found if each.key == declaration.key), None)
    if content is None or there is None:
        return store
    old, new = (f"-- Source: {each.sources[0]}, ".encode() for each in (there, to))
    recited = there.text.replace(old, new)
    store = store.set_module_spec(origin, content.replace(there.text, recited, 1))
    if origin == target:
        return store
    return move_declarations(store, [Move(there._replace(text=recited), origin, target)])


def _list_declared(store: SpecStore, modules: list[bytes]) -> _Declared:
    found: dict[tuple[str, str], dict[bytes, DeclarationText]] = {}
    for path in modules:
        for each in _list_moving(store.module_spec(path)):
            found.setdefault(each.key[:2], {})[path] = each
    return found


def _list_moving(content: bytes | None) -> Iterator[DeclarationText]:
    for each in cut_module(content).declarations if content else ():
        if each.kind in _MOVING and each.ordinal == 0:
            yield each
