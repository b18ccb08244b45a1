"""Import lines with what first uses them; new files before the lines that import them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import FileText, Kind
from git_retcon.retcon.planner.definition_order import SHORTEST_NAME, is_code
from git_retcon.retcon.planner.facts import Facts, Pair
from git_retcon.retcon.planner.vocabulary import Vocabulary, find_words, index_words


class ImportBonds(NamedTuple):
    """``order`` and ``inseparable`` are pairs as in ``Constraints``; ``first_uses`` maps an added
    import line to its uses, ``last_uses`` a removed one to the removed uses."""

    order: list[Pair]
    inseparable: list[Pair]
    first_uses: dict[int, list[int]]
    last_uses: dict[int, list[int]]


class _FileNames(NamedTuple):
    """Of one file, by name: the import lines that bring it or drop it, and the other atoms that
    add a use, remove a use, bind it themselves, or end that."""

    brought: Mapping[str, list[int]]
    dropped: Mapping[str, list[int]]
    used: Mapping[str, list[int]]
    unused: Mapping[str, list[int]]
    bound: Mapping[str, list[int]]
    unbound: Mapping[str, list[int]]


def bind_imports(facts: Sequence[Facts], words: Vocabulary) -> ImportBonds:
    """The import lines of every file with the uses in the same file."""
    bonds = ImportBonds([], [], {}, {})
    by_file: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        if one.atom.kind is Kind.LINES and is_code(one):
            by_file.setdefault(one.atom.path, []).append(at)
    for atoms in by_file.values():
        lines = [at for at in atoms if facts[at].imports_only]
        if lines:
            others = [at for at in atoms if not facts[at].imports_only]
            _bind_file(bonds, lines, _read_names(facts, words, lines, others), words)
    return bonds


def _read_names(
    facts: Sequence[Facts], words: Vocabulary, lines: Sequence[int], others: Sequence[int]
) -> _FileNames:
    return _FileNames(
        brought=index_words(lines, {at: words.added[at] - words.removed[at] for at in lines}),
        dropped=index_words(lines, {at: words.removed[at] - words.added[at] for at in lines}),
        used=index_words(others, {at: words.added[at] for at in others}),
        unused=index_words(others, {at: words.removed[at] for at in others}),
        bound=index_words(others, {at: facts[at].bindings | facts[at].defines for at in others}),
        unbound=index_words(others, {at: facts[at].undefines - facts[at].defines for at in others}),
    )


def _bind_file(
    bonds: ImportBonds, lines: Sequence[int], names: _FileNames, words: Vocabulary
) -> None:
    for name in sorted(names.brought.keys() & names.dropped.keys()):
        # The name stays in use while its import moves: both halves at once.
        if len(names.brought[name]) == len(names.dropped[name]) == 1:
            bonds.inseparable.append((names.brought[name][0], names.dropped[name][0]))
    for at in lines:
        _bind_line(bonds, at, names, words)


def _bind_line(bonds: ImportBonds, at: int, names: _FileNames, words: Vocabulary) -> None:
    brought = words.added[at] - words.removed[at]
    dropped = words.removed[at] - words.added[at]
    # A name that several import lines have is a keyword, or part of a path ("import", "src").
    fresh = (n for n in brought if n not in names.dropped and len(names.brought[n]) == 1)
    stale = (n for n in dropped if n not in names.brought and len(names.dropped[n]) == 1)
    users = _find_atoms(names.used, fresh)
    last_users = _find_atoms(names.unused, stale)
    # A line that does both (``import a`` becomes ``import b``) goes with what it adds; the order
    # below keeps it from dropping a name too early.
    if users:
        bonds.first_uses[at] = users
        bonds.order.extend((at, user) for user in users)
    elif last_users:
        bonds.last_uses[at] = last_users
    bonds.order.extend((user, at) for user in last_users)
    # What binds the name instead: until then, lines that stay may still need the import.
    bonds.order.extend((binder, at) for binder in _find_atoms(names.bound, dropped))
    # The same the other way round: a definition goes once the import is there instead.
    bonds.order.extend((at, remover) for remover in _find_atoms(names.unbound, brought))


def _find_atoms(holders: Mapping[str, list[int]], names: Iterable[str]) -> list[int]:
    return sorted({at for name in names for at in holders.get(name, ())})


def order_new_files(facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> Iterator[Pair]:
    """A new file's first hunk no later than a line that imports it by its name."""
    firsts = _find_new_files(facts, texts)
    for at, one in enumerate(facts):
        for name in sorted(_imported_words(one) & firsts.keys()) if firsts else ():
            if facts[firsts[name]].atom.path != one.atom.path:
                yield firsts[name], at


def _find_new_files(facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> Mapping[str, int]:
    """The name that others import a new file by → its first atom; of two files, the first."""
    firsts: dict[str, int] = {}
    for at, one in enumerate(facts):
        text = texts.get(one.atom.path)
        is_new = (text is not None and text.is_new) or one.atom.kind in (Kind.RENAME, Kind.ADD)
        base = one.atom.path.rpartition(b"/")[2].partition(b".")[0].decode("utf-8", "replace")
        if is_new and is_code(one) and len(base) >= SHORTEST_NAME:
            firsts.setdefault(base, at)
    return firsts


def _imported_words(one: Facts) -> frozenset[str]:
    imports = one.language.imports
    if imports is None or not is_code(one):
        return frozenset()
    return find_words(line for line in one.atom.added if imports.match(line))
