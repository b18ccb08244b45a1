"""A source tree as it was, whose moved types are said to be where they are now."""

from collections.abc import Sequence

from git_retcon.allium.extract.moved_types import MovedTypes, TypeMove
from git_retcon.allium.extract.source_facts import (
    Configuration,
    Declaration,
    FileFacts,
    Import,
    ServiceOperation,
    list_types,
)
from git_retcon.allium.extract.source_tree import GitTree


class MovedTree:
    """The types are found in the file where they were as well: what they name means something
    there.
    """

    def __init__(self, tree: GitTree, moves: Sequence[TypeMove]) -> None:
        self._tree = tree
        self._moves = MovedTypes(moves)
        self._origins: dict[bytes, dict[bytes, None]] = {}
        for move in moves:
            self._origins.setdefault(move.new, {})[move.old] = None
        self._read: dict[bytes, FileFacts | None] = {}

    def list_origins(self, path: bytes) -> Sequence[bytes]:
        """The files from which something came to this one."""
        return [*self._origins.get(path, ())]

    def read(self, path: bytes) -> FileFacts | None:
        """The facts of a file; None where there is none, or it cannot be read."""
        if path not in self._read:
            facts = self._read_left(path)
            for origin in self._origins.get(path, ()):
                come = self._read_left(origin)
                if come is not None:
                    facts = _add_facts(facts or FileFacts(path), come)
            self._read[path] = facts
        return self._read[path]

    def is_broken(self, path: bytes) -> bool:
        """Whether there is a file that cannot be read."""
        return self._tree.is_broken(path)

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        """The paths of the files right in a folder, sorted."""
        return self._tree.list_folder(folder)

    def _read_left(self, path: bytes) -> FileFacts | None:
        """What is in a file, and what left it."""
        facts = self._tree.read(path)
        if facts is None or path not in self._moves.left:
            return facts
        return facts._replace(
            declarations=[*map(self._move_declaration, facts.declarations)],
            services=[*map(self._move_service, facts.services)],
        )

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


def _add_facts(facts: FileFacts, come: FileFacts) -> FileFacts:
    """What a file says, with what came to it from another one and what goes by names there."""
    stayed = {name: Import((come.path,), name, name) for name in list_types(come)}
    declarations = [each for each in come.declarations if each.evidence[0].path == facts.path]
    services = [each for each in come.services if each.place.path == facts.path]
    return FileFacts(
        facts.path,
        [*facts.declarations, *declarations],
        {**come.aliases, **facts.aliases},
        {**stayed, **come.imports, **facts.imports},
        [*facts.services, *services],
        {**come.choices, **facts.choices},
        {**come.answers, **facts.answers},
    )
