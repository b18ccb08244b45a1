"""A source tree as it was, whose moved types are said to be where they are now."""

from collections.abc import Sequence

from git_retcon.allium.extract.moved_types import MovedTypes, TypeMove
from git_retcon.allium.extract.source_facts import (
    Configuration,
    Declaration,
    Evidence,
    FileFacts,
    ServiceOperation,
)
from git_retcon.allium.extract.source_tree import GitTree


class MovedTree:
    """The types are found in the file where they were, with what their names mean there."""

    def __init__(self, tree: GitTree, moves: Sequence[TypeMove]) -> None:
        self._tree = tree
        self._moves = MovedTypes(moves)
        self._origins: dict[bytes, dict[bytes, None]] = {}
        for move in moves:
            self._origins.setdefault(move.new, {})[move.old] = None

    def read(self, path: bytes) -> FileFacts | None:
        """The facts of a file; None where there is none, or it cannot be read."""
        facts = self._tree.read(path)
        if facts is None or path not in self._moves.left:
            return facts
        return facts._replace(
            declarations=[*map(self._move_declaration, facts.declarations)],
            services=[*map(self._move_service, facts.services)],
        )

    def is_broken(self, path: bytes) -> bool:
        """Whether there is a file that cannot be read."""
        return self._tree.is_broken(path)

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        """The paths of the files right in a folder, sorted."""
        return self._tree.list_folder(folder)

    def list_origins(self, path: bytes) -> Sequence[bytes]:
        """The files from which something came to this one."""
        return [*self._origins.get(path, ())]

    def locate(self, place: Evidence) -> bytes:
        """The path of the file that has what its evidence says to be at a place."""
        for origin in self._origins.get(place.path, ()):
            move = self._moves.find(origin, place.symbol)
            # All of a file may have come to one that had something of its own.
            if move is not None and move.new == place.path and self._has(origin, place.symbol):
                return origin
        return place.path

    def _has(self, path: bytes, symbol: str) -> bool:
        facts = self._tree.read(path)
        if facts is None:
            return False
        declared = {each.evidence[0].symbol for each in facts.declarations}
        return symbol in declared or any(each.place.symbol == symbol for each in facts.services)

    def _move_service(self, service: ServiceOperation) -> ServiceOperation:
        move = self._moves.find(*service.place)
        place = service.place
        return service if move is None else service._replace(place=place._replace(path=move.new))

    def _move_declaration(self, declaration: Declaration) -> Declaration:
        place, *others = declaration.evidence
        move = self._moves.find(*place) if not isinstance(declaration, Configuration) else None
        if move is None:
            return declaration
        return declaration._replace(evidence=(place._replace(path=move.new), *others))
