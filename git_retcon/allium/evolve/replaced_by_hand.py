"""Classes that one side of a merge changed, and in the place of which a person put something of
another kind on the other side.

Both stay, the class under a name of its own, beside a question: what the one side refers to by the
old name is the class, what the other one does is what the person wrote.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.evolve.names_apart import name_otherwise
from git_retcon.allium.extract.spec_layout import find_space
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_layout import Move, move_declarations
from git_retcon.allium.store.module_text import DeclarationText
from git_retcon.allium.store.sides import Sides, list_moving
from git_retcon.allium.store.spec_store import SpecStore


class _Replaced(NamedTuple):
    """A class as it was, as a side has it, and what the other side has instead."""

    was: DeclarationText
    now: DeclarationText
    instead: DeclarationText


class Parted(NamedTuple):
    """The sides with other names for such classes, and what is asked of each, by its module, its
    kind and its new name.
    """

    sides: Sides
    asked: Mapping[tuple[bytes, str, str], str]

    def ask(self, module: bytes, conflicts: Sequence[Conflict]) -> list[Conflict]:
        """The conflicts of a module, with these questions in the place of those about them."""
        return [self._ask(module, each) for each in conflicts]

    def _ask(self, module: bytes, conflict: Conflict) -> Conflict:
        kind, name = conflict.kind, conflict.name
        why = self.asked.get((module, kind, name)) if not conflict.item else None
        # What is asked about stays open while it has this name.
        named = f"{kind} {name} {{".encode()
        return conflict if why is None else Conflict(kind, name, None, named, None, why=why)


def part_replaced(sides: Sides) -> Parted:
    """Give each of these classes a name that is free on both sides."""
    stores = [*sides]
    asked: dict[tuple[bytes, str, str], str] = {}
    for module in sides.list_changed():
        texts = [store.module_spec(module) for store in sides]
        for of, by in ((1, 2), (2, 1)):
            for each in _list_replaced(*(texts[number] for number in (0, of, by))):
                move = name_otherwise(each.now, module, _list_taken(texts))
                stores[0] = _rename(stores[0], each.was, move)
                stores[of] = _rename(stores[of], each.now, move)
                texts = [store.module_spec(module) for store in stores]
                why = f"the other side has {each.instead.kind} {each.instead.name} in its place"
                asked[module, each.now.kind, move.name] = why
    return Parted(Sides(*stores) if asked else sides, asked)


def _list_replaced(
    base: bytes | None, changed: bytes | None, written: bytes | None
) -> Iterator[_Replaced]:
    by_hand = {(find_space(e.kind), e.name): e for e in list_moving(written) if not e.sources}
    old = {each.key: each for each in list_moving(base)} if by_hand else {}
    for each in list_moving(changed) if by_hand else ():
        was, instead = old.get(each.key), by_hand.get((find_space(each.kind), each.name))
        is_changed = was is not None and was.text != each.text
        if was is not None and instead is not None and is_changed and each.sources:
            yield from [_Replaced(was, each, instead)] if instead.kind != each.kind else []


def _list_taken(texts: Sequence[bytes | None]) -> set[tuple[str, str]]:
    return {(find_space(each.kind), each.name) for text in texts for each in list_moving(text)}


def _rename(store: SpecStore, declaration: DeclarationText, move: Move) -> SpecStore:
    return move_declarations(store, [move._replace(declaration=declaration)])
