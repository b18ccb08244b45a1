"""Two sides of a merge that each declare something of one name, in two files that the merge has."""

from collections.abc import Callable, Iterator

from git_retcon.allium.extract.spec_layout import find_place, find_space, list_candidates
from git_retcon.allium.store.module_layout import Move, move_declarations
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.sides import Sides, list_moving
from git_retcon.allium.store.spec_store import SpecStore

HasSource = Callable[[str], bool]


def name_apart(sides: Sides, has_source: HasSource) -> Sides:
    """The sides with a name of its own for each of two such declarations: theirs gets the one that
    a second one gets wherever a module has two. ``has_source`` says which files the merge has.
    """
    moves: list[Move] = []
    base = sides.base
    for module in sides.list_changed():
        ours, theirs = (store.module_spec(module) for store in sides[1:])
        if ours is None or theirs is None:
            continue
        pairs = [*_list_pairs(ours, theirs, base.module_spec(module), has_source)]
        taken = {
            (find_space(each.kind), each.name)
            for text in (ours, theirs)
            for each in (cut_module(text).declarations if pairs else ())
        }
        for each in pairs:
            place, space = find_place(each), find_space(each.kind)
            assert place is not None, "it cites a file"
            candidates = list_candidates(place, each.kind, each.name)
            name = next(found for found in candidates if (space, found) not in taken)
            taken.add((space, name))
            moves.append(Move(each, module, module, name))
    for move in moves:
        base = _leave_out(base, move)
    return Sides(base, sides.ours, move_declarations(sides.theirs, moves))


def _list_pairs(
    ours: bytes, theirs: bytes, base: bytes | None, has_source: HasSource
) -> Iterator[DeclarationText]:
    """Their declarations that have the name of another one of ours.

    What the base declares of one of these files, the other side may have moved to its own.
    """
    mine = {(find_space(each.kind), each.name): each for each in list_moving(ours)}
    known = {(find_space(each.kind), each.name): each for each in list_moving(base)}
    for each in list_moving(theirs):
        key = find_space(each.kind), each.name
        own, was = mine.get(key), known.get(key)
        if own is None or not own.sources or not each.sources:
            continue
        # Behind the first one may be those of a base class that both have.
        pairs = [(own, each), (each, own)]
        pairs += [(was, own), (was, each)] if was is not None and was.sources else []
        are_others = all(one.sources[0] not in other.sources for one, other in pairs)
        if are_others and all(has_source(one.sources[0]) for one in (own, each)):
            yield each


def _leave_out(base: SpecStore, move: Move) -> SpecStore:
    """The base without what both sides have of another file: it is neither of the two."""
    content = base.module_spec(move.origin)
    if content is None:
        return base
    text = cut_module(content)
    space = find_space(move.declaration.kind)
    kept = [
        each
        for each in text.declarations
        if (find_space(each.kind), each.name) != (space, move.declaration.name)
    ]
    if len(kept) == len(text.declarations):
        return base
    return base.set_module_spec(move.origin, join_module(text.head, [each.text for each in kept]))
