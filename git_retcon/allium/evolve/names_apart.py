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
    a second one gets wherever a module has two, and of one that a person wrote and one of the
    source that of the source. ``has_source`` says which files the merge has.
    """
    base = sides.base
    by_us: list[Move] = []
    by_them: list[Move] = []
    for module in sides.list_changed():
        ours, theirs = (store.module_spec(module) for store in sides[1:])
        if ours is None or theirs is None:
            continue
        was = base.module_spec(module)
        second = [*_list_pairs(ours, theirs, was, has_source)]
        first = [*_list_written(theirs, ours, was)]
        second += [each for each in _list_written(ours, theirs, was) if each not in second]
        taken = {
            (find_space(each.kind), each.name)
            for text in (ours, theirs)
            for each in (cut_module(text).declarations if first or second else ())
        }
        by_us += [name_otherwise(each, module, taken) for each in first]
        by_them += [name_otherwise(each, module, taken) for each in second]
    for move in (*by_us, *by_them):
        base = _leave_out(base, move)
    return Sides(
        base, move_declarations(sides.ours, by_us), move_declarations(sides.theirs, by_them)
    )


def name_otherwise(each: DeclarationText, module: bytes, taken: set[tuple[str, str]]) -> Move:
    """A declaration of a file with the first name that is free, which is taken then."""
    place, space = find_place(each), find_space(each.kind)
    assert place is not None, "it cites a file"
    candidates = list_candidates(place, each.kind, each.name)
    name = next(found for found in candidates if (space, found) not in taken)
    taken.add((space, name))
    return Move(each, module, module, name)


def _list_written(one: bytes, other: bytes, base: bytes | None) -> Iterator[DeclarationText]:
    """What the other side has of a file, under a name that a person gave to something of another
    kind on the first side. Of one kind, they may be the same thing; what the base has under that
    name, the person put something else in the place of.
    """
    known = {(find_space(each.kind), each.name): each for each in list_moving(one)}
    replaced = {(find_space(each.kind), each.name) for each in list_moving(base)}
    for each in list_moving(other):
        key = find_space(each.kind), each.name
        own = known.get(key) if key not in replaced else None
        if own is not None and each.sources and not own.sources and own.kind != each.kind:
            yield each


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
