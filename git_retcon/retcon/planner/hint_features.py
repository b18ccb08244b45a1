"""How the names in hints speak for an atom: its file, its definition, and both together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_retcon.retcon.hints.hint import Names, names_directory, names_path
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.features import Row, Wish

FEATURES = (
    "hint: file", "hint: file share", "hint: definition", "hint: definition share",
    "hint: around share", "hint: file and definition", "hint: file of one only",
    "hint: file and definition share", "hint: another definition hinted",
    "hint: another definition hinted, none here", "hint: file alone, no definition",
    "hint: file, no names", "hint: definitions of an unhinted file",
    "hint: shared file, own definition",
    "hint: directory",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _FileHints:
    """What the hints say of one file: which commits name it, and which name definitions in it."""

    named: tuple[bool, ...]
    directory: tuple[bool, ...]
    definitions: tuple[bool, ...]


def rows(facts: Sequence[Facts], wishes: Sequence[Wish]) -> Iterator[Row]:
    """The hint features of every atom, for every commit that has hints."""
    if all(wish.hint.is_empty for wish in wishes):
        yield from ({} for _ in facts)
        return
    held: dict[bytes, set[str]] = {}
    for one in facts:
        held.setdefault(one.atom.path, set()).update(one.names, one.defines, one.undefines)
    files = {path: _file_hints(path, names, wishes) for path, names in held.items()}
    yield from (_row(one, files[one.atom.path], wishes) for one in facts)


def _file_hints(path: bytes, definitions: set[str], wishes: Sequence[Wish]) -> _FileHints:
    text = path.decode("utf-8", "replace").lower()
    return _FileHints(
        named=tuple(names_path(text, wish.hint.wanted) for wish in wishes),
        directory=tuple(names_directory(text, wish.hint.wanted) for wish in wishes),
        definitions=tuple(
            any(name in wish.hint.wanted.words for name in definitions) for wish in wishes
        ),
    )


def _own(one: Facts, names: Names) -> bool:
    """Whether the innermost definition, or one made or removed here, is named."""
    return any(name in names.words for name in (*one.names[:1], *one.defines, *one.undefines))


def _row(one: Facts, file: _FileHints, wishes: Sequence[Wish]) -> Row:
    count = range(len(wishes))
    own = [_own(one, wish.hint.wanted) for wish in wishes]
    around = [any(name in wish.hint.wanted.words for name in one.names[1:]) for wish in wishes]
    named, owned, arounds = sum(file.named), sum(own), sum(around)
    both = sum(file.named[k] and own[k] for k in count)
    row: Row = {}
    for k in count:
        wish, has_file, has_own = wishes[k], file.named[k], own[k]
        others = file.definitions[k] and not has_own
        vector = (
            has_file,
            has_file / max(named, 1),
            has_own,
            has_own / max(owned, 1),
            around[k] / max(arounds, 1),
            has_file and has_own,
            has_file and named == 1,
            (has_file and has_own) / max(both, 1),
            has_file and others and bool(one.names),
            has_file and others and not owned,
            has_file and not file.definitions[k] and not one.names,
            has_file and not wish.hint.wanted.names and not file.definitions[k],
            not named and file.definitions[k],
            has_file and named > 1 and has_own and owned == 1,
            file.directory[k],
        )
        if any(vector):
            row[k] = [float(value) for value in vector]
    return row
