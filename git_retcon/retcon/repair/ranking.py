"""A ranking of what is left: how likely a failure lacks it, by what the failure printed.

Words and pairs of words that the output and a hunk share count the more, the fewer hunks have
them. So do the files and definitions of a stack, the file that a failing test is about, and what
came together with the commit in work in the source's own commits.
"""

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_import_name, find_subject
from git_retcon.git.atoms import Atom, Kind
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.run.failure import Failure

_WORD = re.compile(rb"[^\W\d]\w+")
_FILE = re.compile(rb"[\w./+-]+\.[A-Za-z]\w{0,4}\b")
_MOST_FILES = 2_000  # different names; a verbose build prints every file
_MOST_OF_WORDS = 8.0  # so that a long hunk does not win by its length alone
_ONLY_REMOVES = 1.5  # a failure lacks something more often than it has something too much

Word = bytes | tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class _Clues:
    """What a failure printed: words and pairs of neighbours, changed files, what tests test."""

    words: frozenset[Word]
    paths: frozenset[bytes]
    subjects: frozenset[bytes]
    modules: frozenset[str]


def rank_groups(
    inventory: Inventory, failure: Failure, current: Sequence[Atom]
) -> tuple[frozenset[str], ...]:
    """All that is left, by definition, the likeliest first; ``current`` is taken for the commit."""
    groups = _group_atoms(inventory)
    clues = _read_clues(inventory, failure.output)
    words = [_words_of(group) & clues.words for group in groups]
    common = Counter(word for held in words for word in held)
    source = _count_origins(inventory, current)
    touched = {(atom.path, scope) for atom in current for scope in _list_scopes(atom)}

    def score(at: int) -> float:
        group = groups[at]
        weights = ((2.0 if isinstance(word, tuple) else 1.0) / common[word] for word in words[at])
        near = [(group[0].path, scope) in touched for scope in _list_scopes(group[0])]
        return (
            min(math.fsum(weights), _MOST_OF_WORDS)  # fsum: the same in any order of a set
            # Rough weights: they only put the likeliest of many first, then trials decide.
            + _score_place(inventory, group[0], clues)
            + _score_scope(group[0].scope, clues)
            + 3.0 * _share_origin(_count_origins(inventory, group), source)
            + 0.7 * sum(near)
            - (0.0 if any(atom.added for atom in group) else _ONLY_REMOVES)
            - 0.2 * _measure_distance(inventory, group)
        )

    order = sorted(range(len(groups)), key=lambda at: (-score(at), at))
    return tuple(frozenset(atom.id for atom in groups[at]) for at in order)


def _list_scopes(atom: Atom) -> tuple[str, str]:
    """The definition that an atom is in, and the outermost around it."""
    return atom.scope, atom.scope.partition(".")[0]


def _group_atoms(inventory: Inventory) -> list[list[Atom]]:
    """The atoms left, those of one definition together."""
    found: dict[tuple[bytes, str], list[Atom]] = defaultdict(list)
    for atom in inventory.left:
        # What is at the top of a file has nothing in common but the file: each atom for itself.
        inside = atom.kind is Kind.LINES and atom.scope
        found[atom.path, f".{atom.scope}" if inside else atom.id].append(atom)
    return list(found.values())


def _read_clues(inventory: Inventory, output: bytes) -> _Clues:
    named = list(dict.fromkeys(_FILE.findall(output)))[:_MOST_FILES]
    paths = {path for path in map(inventory.path, named) if path is not None}
    tests = [path for path in named if FileClass.TEST in file_classes(path)]
    read = [inventory.file(path) for path in paths if FileClass.TEST in file_classes(path)]
    return _Clues(
        frozenset(_list_words(output.splitlines())),
        frozenset(paths),
        frozenset(map(find_subject, tests)) - {b""},
        frozenset().union(*(file.modules | file.imports for file in read)),
    )


def _list_words(lines: Iterable[bytes]) -> Iterable[Word]:
    """Words, and pairs of neighbours: a message is known by these where its words are common."""
    for line in lines:
        words = _WORD.findall(line)
        yield from words
        yield from itertools.pairwise(words)


def _words_of(group: Sequence[Atom]) -> frozenset[Word]:
    return frozenset(_list_words(line for atom in group for line in (*atom.added, *atom.removed)))


def _score_place(inventory: Inventory, atom: Atom, clues: _Clues) -> float:
    classes = file_classes(atom.path)
    if FileClass.CODE not in classes or FileClass.DOC in classes:
        # Documents and data seldom break a build, unless it names them.
        return 2.0 if atom.path in clues.paths else -4.0
    if FileClass.TEST in classes:
        return 0.0 if atom.path in clues.paths else -2.0
    found = 2.0 if atom.path in clues.paths else 0.0
    found += 2.0 if find_subject(atom.path) in clues.subjects else 0.0
    return found + (
        1.0 if find_import_name(atom.path).decode("utf-8", "replace") in clues.modules else 0.0
    )


def _score_scope(scope: str, clues: _Clues) -> float:
    names = [name.encode() for name in scope.split(".") if name]
    return 1.5 if names and names[-1] in clues.words else 0.0


def _count_origins(inventory: Inventory, atoms: Iterable[Atom]) -> Mapping[int, int]:
    """Lines by the source's commit that they came from."""
    found: Counter[int] = Counter()
    for atom in atoms:
        found.update(inventory.situation.origin.get(atom.id, {}))
    return found


def _share_origin(mine: Mapping[int, int], others: Mapping[int, int]) -> float:
    """The share of lines that came from one of the other's source commits."""
    total = sum(mine.values())
    return sum(lines for at, lines in mine.items() if at in others) / total if total else 0.0


def _measure_distance(inventory: Inventory, group: Sequence[Atom]) -> int:
    """For how much later a commit it was planned."""
    situation = inventory.situation
    planned = [situation.planned.get(atom.id, situation.index) for atom in group]
    # Beyond five commits, later is not less likely.
    return min(5, min(planned) - situation.index)
