"""Types whose source moved from one file to another: their declarations go along, as they are.

Of a type that one file does not declare any more and another one does now, what a person wrote
in the specification is still meant. Rules and operations go with their type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.extract.moved_names import name_moved
from git_retcon.allium.extract.source_facts import (
    Contract,
    Enumeration,
    FileFacts,
    Shape,
)
from git_retcon.allium.extract.source_tree import GitTree
from git_retcon.allium.extract.spec_layout import Modules, find_place, find_space
from git_retcon.allium.store.contradictions import find_section
from git_retcon.allium.store.module_layout import Move, make_head, move_declarations
from git_retcon.allium.store.module_text import (
    DeclarationText,
    cite_source,
    join_module,
    read_citation,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.show.style import show_path

_EXTERNAL = "external entity"


class TypeSource(NamedTuple):
    """Where a type is declared, and the names of what it has: fields, values, operations."""

    path: bytes
    symbol: str
    has: frozenset[str]


class TypeMove(NamedTuple):
    """A type that is declared in the file ``new`` now, and was in ``old`` before; with a ``symbol``
    of "" all that is in the file.
    """

    symbol: str
    old: bytes
    new: bytes


def pair_types(gone: Iterable[TypeSource], come: Iterable[TypeSource]) -> Sequence[TypeMove]:
    """The types that moved: of one name and alike, and no other could be meant as well."""
    arrived: dict[str, list[TypeSource]] = {}
    for each in come:
        arrived.setdefault(each.symbol, []).append(each)
    pairs = [
        (one, other)
        for one in gone
        for other in arrived.get(one.symbol, ())
        if one.path != other.path and _are_alike(one.has, other.has)
    ]
    together: dict[tuple[bytes, bytes], int] = {}
    for one, other in pairs:
        files = (one.path, other.path)
        together[files] = together.get(files, 0) + 1

    def rate(one: TypeSource, other: TypeSource) -> tuple[bool, bool, int]:
        names = (path.rpartition(b"/")[2] for path in (one.path, other.path))
        return one.has == other.has, len({*names}) == 1, together[one.path, other.path]

    return [
        TypeMove(one.symbol, one.path, other.path)
        for one, other in pairs
        if all(
            rate(*rival) < rate(one, other)
            for rival in pairs
            if rival != (one, other) and (rival[0] == one or rival[1] == other)
        )
    ]


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether they share half of what the smaller one has."""
    return len(one & other) * 2 >= min(len(one), len(other)) and bool(one) == bool(other)


def find_moved_types(paths: Iterable[bytes], before: GitTree, after: GitTree) -> Sequence[TypeMove]:
    """The types that went from one of these files to another one of them."""
    gone: list[TypeSource] = []
    come: list[TypeSource] = []
    for path in paths:
        if before.is_broken(path) or after.is_broken(path):
            continue
        old, new = (
            {each.symbol: each for each in _list_types(tree.read(path))} for tree in (before, after)
        )
        gone += (old[symbol] for symbol in old.keys() - new.keys())
        come += (new[symbol] for symbol in new.keys() - old.keys())
    return pair_types(sorted(gone), sorted(come)) if gone and come else ()


def _list_types(facts: FileFacts | None) -> Iterator[TypeSource]:
    for each in facts.declarations if facts is not None else ():
        match each:
            case Shape(fields=fields):
                names = [field.name for field in fields]
            case Enumeration(values=values):
                names = list(values)
            case Contract(operations=operations):
                names = [operation.name for operation in operations]
            case _:
                continue
        place = each.evidence[0]
        yield TypeSource(place.path, place.symbol, frozenset(names))


class MovedTypes:
    """Moves by where the types were. A type that ``stays`` does not go with its file either."""

    def __init__(
        self, moves: Iterable[TypeMove], stays: AbstractSet[TypeMove] = frozenset()
    ) -> None:
        self._moves = {(each.old, each.symbol): each for each in moves}
        self._stays = stays
        self._shown = {show_path(each.old): each.old for each in self._moves.values()}
        self.left = frozenset(self._shown.values())

    def find(self, path: bytes, symbol: str) -> TypeMove | None:
        """The move of a type, or of the one that a symbol is of."""
        while symbol:
            found = self._moves.get((path, symbol))
            if found is not None:
                return None if found in self._stays else found
            symbol = symbol.rpartition(".")[0]
        found = self._moves.get((path, ""))
        return None if found in self._stays else found

    def find_owner(self, declaration: DeclarationText) -> TypeMove | None:
        """The move that a declaration of the specification is to go along with; None for what is
        external, which is of all that refer to it.
        """
        place = find_place(declaration)
        path = self._shown.get(place.path) if place is not None else None
        return self.find(path, place.symbol) if place is not None and path is not None else None

    def find_cited(self, line: bytes) -> tuple[TypeMove, bytes] | None:
        """What a comment line cites as it was, and the line as it is to be; None for any other."""
        comment = line[2:].strip().decode("utf-8", "replace") if line.startswith(b"--") else ""
        path = self._shown.get(read_citation(comment) or "")
        symbol = comment.rpartition(", ")[2]
        found = self.find(path, symbol) if path is not None else None
        return (found, cite_source(found.new, symbol).encode()) if found is not None else None

    def cite_new(self, declaration: DeclarationText) -> bytes:
        """A declaration that cites the new files."""
        head, body = _cut_head(declaration.text)
        # A configuration is of its file, also where a class of another file gives it a parameter.
        if declaration.kind == "config" and self.find_owner(declaration) is None:
            return declaration.text
        cited = (self.find_cited(line) for line in head)
        lines = [new[1] if new else line for line, new in zip(head, cited, strict=True)]
        return b"\n".join([*lines, body])

    def is_cited_in(self, content: bytes) -> bool:
        """Whether a module may speak of them: a search is far cheaper than reading it."""
        return any(path.encode() in content for path in self._shown)


class FollowedTypes(NamedTuple):
    """A specification after moves, and those of them that it could follow."""

    store: SpecStore
    moves: Sequence[TypeMove]


def follow_types(store: SpecStore, modules: Modules, moves: Sequence[TypeMove]) -> FollowedTypes:
    """Put the declarations of these types, and of what is theirs, into the modules of the files
    where they are now, and have every declaration cite these.

    Where another declaration of the module has its name, it gets another one.
    """
    planned = MovedTypes(moves)
    speaking = [module for module, text in store.all_modules().items() if planned.is_cited_in(text)]
    targets = {each: _find_target(store, each) for each in moves}
    refused: set[TypeMove] = set()
    for module in speaking:
        for each in modules.read(store.module_spec(module)).text.declarations:
            move = planned.find_owner(each)
            if move is None:
                continue
            target = targets[move]
            if target is None:
                refused.add(move)
    planned = MovedTypes(moves, refused)
    moved: list[Move] = []
    external: list[_External] = []
    for module in speaking:
        content = store.module_spec(module) or b""
        text = modules.read(content).text
        for each in text.declarations:
            if each.kind == _EXTERNAL:
                cited, left = _divide_external(each, module, planned, targets)
                external += left
            else:
                cited = planned.cite_new(each)
            # In place: what is between two declarations stays as a person wrote it.
            content = content.replace(each.text, cited, 1)
            move = planned.find_owner(each)
            target = targets[move] if move is not None else None
            if target is not None and target != module:
                moved.append(Move(each._replace(text=cited), module, target))
        store = store.set_module_spec(module, content)
        moved += _list_questions(text.declarations, [*moved], module)
    store = move_declarations(store, name_moved(store, modules, moved))
    # Each is put before all that is there.
    for entity in reversed(external):
        store = _add_external(store, modules, entity)
    return FollowedTypes(store, [each for each in moves if each not in refused])


def _list_questions(
    declarations: Iterable[DeclarationText], moved: Iterable[Move], module: bytes
) -> Iterator[Move]:
    """What is asked about the declarations that leave a module goes with them."""
    titles = {
        f"{each.declaration.kind} {each.declaration.name}": each.target
        for each in moved
        if each.origin == module
    }
    for each in declarations:
        title = (find_section(each) or "").partition(": ")[0]
        if title in titles:
            yield Move(each, module, titles[title])


class _External(NamedTuple):
    """An external entity that a module needs, and the comments that cite who refers to it."""

    module: bytes
    name: str
    cited: Sequence[bytes]
    body: bytes


def _divide_external(
    declaration: DeclarationText,
    module: bytes,
    planned: MovedTypes,
    targets: Mapping[TypeMove, bytes | None],
) -> tuple[bytes, Sequence[_External]]:
    """An external entity as those who stay refer to it, b"" where nobody does; and for those who
    left, one in each of their modules.
    """
    head, body = _cut_head(declaration.text)
    kept: list[bytes] = []
    left: dict[bytes, list[bytes]] = {}
    for line in head:
        found = planned.find_cited(line)
        target = targets[found[0]] if found else None
        if found and target is not None and target != module:
            left.setdefault(target, []).append(found[1])
        else:
            kept.append(found[1] if found else line)
    entities = [_External(each, declaration.name, left[each], body) for each in sorted(left)]
    is_needed = any(line.startswith(b"-- Source: ") for line in kept) or not left
    kept = sorted(kept) if kept != head and is_needed else kept
    return b"\n".join([*kept, body]) if is_needed else b"", entities


def _add_external(store: SpecStore, modules: Modules, entity: _External) -> SpecStore:
    """Have a module declare what is external to it, unless it declares the type itself."""
    content = store.module_spec(entity.module)
    text = modules.read(content).text
    declarations = list(text.declarations)
    for at, each in enumerate(declarations):
        if (find_space(each.kind), each.name) == ("type", entity.name):
            if each.kind != _EXTERNAL:
                return store
            head, body = _cut_head(each.text)
            lines = [*sorted({*head, *entity.cited}), body]
            declarations[at] = each._replace(text=b"\n".join(lines))
            break
    else:
        at = next((n for n, each in enumerate(declarations) if each.kind != "use"), 0)
        whole = b"\n".join([*sorted(entity.cited), entity.body])
        declarations.insert(at, DeclarationText(_EXTERNAL, entity.name, 0, whole, ()))
    written = join_module(
        text.head or make_head(entity.module), [each.text for each in declarations]
    )
    return store.set_module_spec(entity.module, written)


def _cut_head(text: bytes) -> tuple[Sequence[bytes], bytes]:
    """The lines of comments above a declaration, and the declaration."""
    lines = text.split(b"\n")
    end = next((at for at, line in enumerate(lines) if not line.startswith(b"--")), len(lines))
    return lines[:end], b"\n".join(lines[end:])


def _find_target(store: SpecStore, move: TypeMove) -> bytes | None:
    """The module of the file where a type is now; None: it may have none."""
    target = store.root.find_module(move.new, store.all_modules()) or store.root.name_module(
        move.new
    )
    return store.spell_module(target) if target is not None else None
