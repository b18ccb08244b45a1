"""Names of declarations that move to a module where another one has theirs already."""

from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.spec_layout import (
    Modules,
    Place,
    find_place,
    find_space,
    list_candidates,
)
from git_retcon.allium.store.module_layout import Move
from git_retcon.allium.store.spec_store import SpecStore

# Those of which a module may have several of one name, or one for all who refer to it.
_NAMELESS = frozenset({"config", "open question", "external entity", "use"})


def name_moved(store: SpecStore, modules: Modules, moves: Iterable[Move]) -> Iterator[Move]:
    """The moves, each with a name that is free where it leads; the declarations cite their new
    files.
    """
    planned = list(moves)
    leaving = {(each.origin, each.declaration.key) for each in planned}
    taken = {
        (module, find_space(each.kind), each.name)
        for module in dict.fromkeys(each.target for each in planned)
        for each in modules.read(store.module_spec(module)).text.declarations
        if (module, each.key) not in leaving
    }
    for move in planned:
        declaration, space = move.declaration, find_space(move.declaration.kind)
        if declaration.kind in _NAMELESS:
            yield move
            continue
        place = find_place(declaration) or Place("", declaration.name, space)
        candidates = list_candidates(place, declaration.kind, declaration.name)
        name = next(each for each in candidates if (move.target, space, each) not in taken)
        taken.add((move.target, space, name))
        yield move._replace(name=name if name != declaration.name else "")
