"""Declarations that one side of a merge moved to another module, and the other side changed."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.store.module_layout import Move, move_declarations
from git_retcon.allium.store.module_text import DeclarationText, cut_module
from git_retcon.allium.store.spec_store import SpecStore

# The others are of a module, and several may have them.
_MOVING = frozenset({"entity", "value", "enum", "contract", "rule"})

# Kind and name → the modules that declare it, each with its text.
_Declared = Mapping[tuple[str, str], Mapping[bytes, DeclarationText]]


def follow_other_side(
    base: SpecStore, side: SpecStore, mover: SpecStore
) -> tuple[SpecStore, SpecStore]:
    """The base and a side with what the other side, ``mover``, moved and this one changed, in the
    module where it is now: there its three versions are merged.
    """
    changed = [
        path
        for path in {**base.all_modules(), **mover.all_modules()}
        if base.module_spec(path) != mover.module_spec(path)
    ]
    old, new, own = (_list_declared(store, changed) for store in (base, mover, side))
    first: list[Move] = []
    second: list[Move] = []
    for key, places in old.items():
        there, here = new.get(key, {}), own.get(key, {})
        if len(places) == len(there) == len(here) == 1 and places.keys() == here.keys():
            (origin, before), (target, _) = *places.items(), *there.items()
            if origin != target and here[origin].text != before.text:
                first.append(Move(before, origin, target))
                second.append(Move(here[origin], origin, target))
    return move_declarations(base, first), move_declarations(side, second)


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
