"""In which ways hunks are alike, so that an answer about one says something of the others.

Each relation is a table of keys: an answered hunk writes what is known of it under its keys, and
a hunk that is still open reads its own. That makes one step linear in the keys of all hunks.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Kind
from git_retcon.retcon.planner.facts import Facts, Origin, Pair
from git_retcon.retcon.planner.vocabulary import Vocabulary

Key = Hashable
Keys = Sequence[tuple[Key, float]]  # with how much each counts

_MOST_SIGNED = 14  # changed words; a hunk with more is like no other by these alone
_MOST_HOLDERS = 60  # a word that more hunks have makes none of them alike
_MOST_ALIKE = 10  # neighbours by words that a hunk reads
_NEAR, _FAR = 15.0, 60  # lines: where nearness falls to a third; where it ends
_TEST_MARKS = (b"test", b"tests", b"spec")
_MOVED = 0.5  # cosine of what one hunk adds with what another removes


class Relation(NamedTuple):
    """``writes`` and ``reads`` are by hunk, in the order of the facts."""

    writes: Sequence[Keys]
    reads: Sequence[Keys]


RELATIONS = (
    "signature", "text", "words", "new words", "dead words", "move", "hunk", "before", "after",
    "near", "definition", "outermost definition", "file", "folder", "file stem", "file name",
    "file class", "needs", "needed", "source", "source in file", "next source",
)  # fmt: skip


def relate_atoms(
    facts: Sequence[Facts], words: Vocabulary, order: Sequence[Pair], origins: Sequence[Origin]
) -> list[Relation]:
    """Every relation, in the order of ``RELATIONS``. ``order`` are pairs as in ``Constraints``."""
    changed = [_sign_words(one, words, at) for at, one in enumerate(facts)]
    paths = [one.atom.path for one in facts]
    shares = [_share_lines(origin) for origin in origins]
    return [
        _by_key(changed),
        _by_key([(one.added, one.removed) for one in facts]),
        _by_cosine([a | b for a, b in zip(words.added, words.removed, strict=True)]),
        _by_cosine([each - words.old.everywhere for each in words.added]),
        _by_cosine([each - words.new.everywhere for each in words.removed]),
        _by_moves(facts, words),
        _by_key(_find_runs(facts)),
        _by_place(paths, -1),
        _by_place(paths, 1),
        _by_distance(facts),
        _by_key([(one.atom.path, one.names[0]) if one.names else None for one in facts]),
        _by_key([one.outermost if one.names else None for one in facts]),
        _by_key(paths),
        _by_key([path.rpartition(b"/")[0] for path in paths]),
        _by_key([_find_stem(path) for path in paths]),
        _by_key([path.rpartition(b"/")[2] for path in paths]),
        _by_key([one.classes or None for one in facts]),
        _by_pairs(len(facts), ((b, a) for a, b in order)),
        _by_pairs(len(facts), order),
        *_by_source(paths, shares),
    ]


def _by_key(keys: Sequence[Key | None]) -> Relation:
    """Hunks of one key are alike."""
    own = [((key, 1.0),) if key is not None else () for key in keys]
    return Relation(own, own)


def _by_place(paths: Sequence[bytes], step: int) -> Relation:
    """The neighbour in the file, the one before (-1) or the one behind (1)."""
    writes = [((at, 1.0),) for at in range(len(paths))]
    reads = [
        ((at + step, 1.0),) if 0 <= at + step < len(paths) and paths[at + step] == path else ()
        for at, path in enumerate(paths)
    ]
    return Relation(writes, reads)


def _by_pairs(count: int, pairs: Iterable[Pair]) -> Relation:
    """The first of each pair reads the second."""
    reads: list[dict[Key, float]] = [{} for _ in range(count)]
    for reader, writer in pairs:
        reads[reader][writer] = 1.0
    return _by_neighbours([tuple(each.items()) for each in reads])


def _by_neighbours(reads: Sequence[Keys]) -> Relation:
    return Relation([((at, 1.0),) for at in range(len(reads))], reads)


def _by_distance(facts: Sequence[Facts]) -> Relation:
    """Hunks of one file, the nearer the more."""
    reads: list[Keys] = []
    for at, one in enumerate(facts):
        own: list[tuple[Key, float]] = []
        for step in (-1, 1):
            other = at + step
            while 0 <= other < len(facts) and facts[other].atom.path == one.atom.path:
                lines = abs(facts[other].atom.new.start - one.atom.new.start)
                if lines > _FAR:
                    break
                own.append((other, math.exp(-lines / _NEAR)))
                other += step
        reads.append(own)
    return _by_neighbours(reads)


def _by_cosine(bags: Sequence[frozenset[str]]) -> Relation:
    """Hunks that share rare words: the cosine of their words by rarity, squared."""
    return _by_neighbours(
        [
            [(other, value * value) for value, other in sorted(own, reverse=True)[:_MOST_ALIKE]]
            for own in _measure_cosines(bags, bags)
        ]
    )


def _by_moves(facts: Sequence[Facts], words: Vocabulary) -> Relation:
    """What one hunk removes and another adds."""
    away = [
        [(other, value) for value, other in own if value > _MOVED]
        for own in _measure_cosines(words.added, words.removed)
    ]
    reads: list[dict[Key, float]] = [{} for _ in facts]
    for at, own in enumerate(away):
        for other, value in own:
            reads[at][other] = reads[other][at] = value
    return _by_neighbours([tuple(each.items()) for each in reads])


def _measure_cosines(
    ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]
) -> Iterator[list[tuple[float, int]]]:
    """For each of ours the cosine with every one of theirs that shares a word, but not itself."""
    spread = Counter(word for bag in theirs for word in bag)
    rarity = {
        word: math.log1p(len(theirs) / holders) ** 2
        for word, holders in spread.items()
        if holders <= _MOST_HOLDERS
    }
    holders: dict[str, list[int]] = {word: [] for word in rarity}
    for at, bag in enumerate(theirs):
        for word in bag & rarity.keys():
            holders[word].append(at)
    ours_norms, norms = (
        [math.sqrt(sum(sorted(rarity[word] for word in bag & rarity.keys()))) for bag in bags]
        for bags in (ours, theirs)
    )
    for at, bag in enumerate(ours):
        sums: dict[int, float] = {}
        # Sorted, so that sums of floats come out the same on every run.
        for word in sorted(bag & rarity.keys()):
            for other in holders[word]:
                sums[other] = sums.get(other, 0.0) + rarity[word]
        sums.pop(at, None)
        yield [(value / (ours_norms[at] * norms[other]), other) for other, value in sums.items()]


def _sign_words(one: Facts, words: Vocabulary, at: int) -> Key | None:
    """What a hunk does to words: the same replacement in two places has the same signs."""
    comes, goes = words.added[at] - words.removed[at], words.removed[at] - words.added[at]
    return (comes, goes) if 0 < len(comes) + len(goes) <= _MOST_SIGNED else None


def _find_runs(facts: Sequence[Facts]) -> list[Key]:
    """The run of changed lines that each hunk was cut from: unchanged lines part two runs."""
    found: list[Key] = []
    run = 0
    for at, one in enumerate(facts):
        before = facts[at - 1].atom if at else None
        if (
            before is None
            or before.path != one.atom.path
            or before.kind is not Kind.LINES
            or (before.old.stop, before.new.stop) != (one.atom.old.start, one.atom.new.start)
        ):
            run += 1
        found.append(run)
    return found


def _find_stem(path: bytes) -> bytes:
    """What the names of a file and of its test have in common, and of a header and its source."""
    base = path.rpartition(b"/")[2].partition(b".")[0].lower()
    for mark in _TEST_MARKS:
        base = base.removeprefix(mark + b"_").removesuffix(b"_" + mark).removesuffix(b"-" + mark)
    return base


def _share_lines(origin: Origin) -> list[tuple[int, float]]:
    total = sum(origin.values())
    return [(w, lines / total) for w, lines in sorted(origin.items())] if total else []


def _by_source(
    paths: Sequence[bytes], shares: Sequence[Sequence[tuple[int, float]]]
) -> tuple[Relation, ...]:
    """The same source commit; the same one within one file; the one before or behind it."""
    own = [tuple(each) for each in shares]
    in_file = [
        tuple(((w, path), part) for w, part in each)
        for path, each in zip(paths, shares, strict=True)
    ]
    beside = [tuple((w + step, part) for w, part in each for step in (-1, 1)) for each in shares]
    return Relation(own, own), Relation(in_file, in_file), Relation(own, beside)
