"""Declarations whose source is in another file now: they follow it before anything is compared, so
that a move alone is no difference, and what a person wrote goes along.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.extract.moved_types import TypeMove, TypeSource, follow_types, pair_types
from git_retcon.allium.extract.spec_layout import Modules
from git_retcon.allium.reconcile.spec_index import SpecIndex, list_symbols
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.module_layout import find_renamed, rename_modules
from git_retcon.allium.store.module_text import MARKER, DeclarationText
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.show.style import show_path

_MOVING = frozenset({"entity", "value", "enum", "contract"})

# What each file declares; None where it cannot be read.
Declared = Mapping[bytes, Sequence[DeclarationText] | None]


class FollowedSources(NamedTuple):
    """A specification after moves, those that it followed, and the files that something of a file
    came from.
    """

    store: SpecStore
    moves: Sequence[TypeMove]
    origins: Mapping[bytes, Sequence[bytes]]


def follow_sources(
    store: SpecStore, index: SpecIndex, now: Declared, renames: Mapping[bytes, bytes]
) -> FollowedSources:
    """The specification with all that moved at its new place.

    ``now`` is what the source declares, and ``renames`` are old path → new path of files that moved
    as they were.
    """
    gone = [*_list_gone(index, now)]
    others = [each for each in gone if each.path not in renames]
    come = [*_list_come(index, now, {each.symbol for each in others})] if others else []
    types = pair_types(others, come)
    files = {**renames, **_find_emptied(others, types, now)}
    whole = _find_whole(store, index, files)
    if whole:
        store = rename_modules(store, whole)
    # What is in a module with other files goes by itself.
    moves = [TypeMove("", old, files[old]) for old in sorted(files.keys() - whole.keys())]
    moves += (
        TypeMove(each.symbol, each.path, files[each.path])
        for each in gone
        if each.path in files.keys() - whole.keys()
    )
    moves += (each for each in types if each.old not in files)
    followed = follow_types(store, Modules(), moves) if moves else None
    done = [TypeMove("", old, new) for old, new in whole.items()]
    done += followed.moves if followed else ()
    origins: dict[bytes, dict[bytes, None]] = {}
    for move in done:
        origins.setdefault(move.new, {})[move.old] = None
    return FollowedSources(
        followed.store if followed else store,
        done,
        {new: tuple(old) for new, old in origins.items()},
    )


def _list_gone(index: SpecIndex, now: Declared) -> Iterator[TypeSource]:
    """The types that the specification has of a file which does not declare them any more."""
    for path, declared in now.items():
        if declared is None:
            continue
        there = {_find_symbol(each) for each in declared if each.kind in _MOVING}
        for place in index.list_citing(show_path(path)):
            each = place.declaration
            is_own = each.sources[:1] == (show_path(path),)
            if is_own and each.kind in _MOVING and _find_symbol(each) not in there:
                yield _make_source(path, each)


def _list_come(index: SpecIndex, now: Declared, symbols: AbstractSet[str]) -> Iterator[TypeSource]:
    """The types of these names that a file declares and the specification does not have of it."""
    for path, declared in now.items():
        shown = show_path(path)
        known: set[str] | None = None
        for each in declared or ():
            symbol = _find_symbol(each)
            if each.kind not in _MOVING or symbol not in symbols:
                continue
            if known is None:
                # What inherits from a type of this file cites it behind its own.
                own = (each.declaration for each in index.list_citing(shown))
                known = {_find_symbol(each) for each in own if each.sources[:1] == (shown,)}
            if symbol not in known:
                yield _make_source(path, each)


def _make_source(path: bytes, declaration: DeclarationText) -> TypeSource:
    facts = read_facts(MARKER + declaration.text)
    has = frozenset(item for _, _, item in facts if item)
    return TypeSource(path, _find_symbol(declaration), has)


def _find_symbol(declaration: DeclarationText) -> str:
    return next((symbol for _, symbol in list_symbols(declaration)), "")


def _find_emptied(
    gone: Sequence[TypeSource], types: Sequence[TypeMove], now: Declared
) -> Mapping[bytes, bytes]:
    """Files that declare nothing any more, and all of whose types went to one other: old → new."""
    targets: dict[bytes, set[bytes | None]] = {each.path: set() for each in gone}
    moved = {(each.old, each.symbol): each.new for each in types}
    for each in gone:
        targets[each.path].add(moved.get((each.path, each.symbol)))
    return {
        old: new
        for old, found in targets.items()
        if len(found) == 1 and (new := next(iter(found))) is not None and not now[old]
    }


def _find_whole(
    store: SpecStore, index: SpecIndex, files: Mapping[bytes, bytes]
) -> Mapping[bytes, bytes]:
    """Those files, old → new, whose modules move as a whole: they speak of no file that stayed, and
    they all go to one module, which is not there yet.
    """
    shown = {show_path(old) for old in files}
    staying = {
        place.module
        for cited, places in index.list_cited().items()
        if cited not in shown
        for place in places
    }
    targets: dict[bytes, set[bytes | None]] = {}
    for old, new in files.items():
        for place in index.list_citing(show_path(old)):
            if place.module in store.root.list_modules(old):
                target = find_renamed(place.module, old, new, store.root)
                targets.setdefault(place.module, set()).add(target)
    there = store.all_modules()
    staying |= {
        module for module, found in targets.items() if len(found) > 1 or not found.isdisjoint(there)
    }
    return {
        old: new
        for old, new in files.items()
        if all(place.module not in staying for place in index.list_citing(show_path(old)))
    }
