"""Declarations that a side of a merge moved to another module, and the other side changed or moved
as well.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping

from git_retcon.allium.store.module_layout import Move, move_declarations, place_nearest
from git_retcon.allium.store.module_text import DeclarationText, cut_module
from git_retcon.allium.store.sides import Sides, list_moving
from git_retcon.allium.store.spec_store import SpecStore

# Kind and name → the modules that declare it, each with its text.
_Declared = Mapping[tuple[str, str], Mapping[bytes, DeclarationText]]


def follow_moves(sides: Sides) -> Sides:
    """The base and both sides with what one of them moved and the other changed in one module."""
    base, ours = follow_other_side(*sides)
    base, theirs = follow_other_side(base, sides.theirs, ours)
    return Sides(base, ours, theirs)


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


def place_alike(sides: Sides) -> Sides:
    """The base and both sides with what a file declares in the nearest module that either side has:
    one may have split a module, or lost a file and got it back in that of its folder.
    """
    modules = sides.ours.all_modules().keys() | sides.theirs.all_modules().keys()
    return sides.change(lambda store: place_nearest(store, modules))


def settle_moves(sides: Sides, has_source: Callable[[str], bool]) -> Sides:
    """The base and both sides with every declaration of which they cite different files where the
    merged source has it: ``has_source`` says whether that has a file.

    Where it has both files, they are two declarations now.
    """
    base, ours, theirs = sides
    changed = sides.list_changed()
    old, mine, other = (_list_declared(store, changed) for store in sides)
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
    return Sides(base, ours, theirs)


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
        for each in list_moving(store.module_spec(path)):
            found.setdefault(each.key[:2], {})[path] = each
    return found
