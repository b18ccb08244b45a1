"""How much each logical commit's words speak for each atom, as numbers for the model.

Raw scores are BM25-like sums over shared stems, with a rarity over messages and over atoms
(Robertson & Zaragoza 2009); then the same seen against the other commits (rows) and against the
other atoms (columns), which is the strongest evidence words give. Linear in atoms times commits.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from git_retcon.retcon.hints.hint import Hint
from git_retcon.retcon.hints.message import Message
from git_retcon.retcon.hints.words import WORD, stems
from git_retcon.retcon.planner.facts import Facts

_FIELDS = ("added", "removed", "around", "path", "names", "near")
# Each raw score with the weight it has in a group's sum.
_RAW: tuple[tuple[str, float], ...] = (
    ("subject added", 1), ("subject removed", 0.7), ("subject around", 0.6), ("subject path", 1),
    ("subject names", 0.8), ("subject near", 0.3),
    ("body added", 0.5), ("body removed", 0.35), ("body around", 0.3), ("body path", 0.4),
    ("body names", 0.4), ("body near", 0.1),
    ("name added", 1.2), ("name removed", 0.8), ("name defined", 1.5), ("name around", 1),
    ("option", 1), ("file", 2), ("file stem", 2), ("path", 1), ("area", 2),
    ("first mention", 1), ("subject in definition", 0.6),
)  # fmt: skip
_R = {name: at for at, (name, _) in enumerate(_RAW)}
_WALL = tuple(weight for _, weight in _RAW)
_GROUPS: tuple[tuple[str, tuple[str, ...], Mapping[str, float]], ...] = (
    ("subject", ("subject added", "subject removed", "subject around", "subject names"), {}),
    ("body", ("body added", "body removed", "body around", "body names"), {}),
    ("path", ("subject path", "body path", "file", "file stem", "path", "area"), {}),
    ("name", ("name added", "name removed", "name defined", "name around", "first mention"), {}),
    ("all", tuple(name for name, _ in _RAW), {}),
)
_GROUP_WEIGHTS = tuple(
    tuple((_R[name], _WALL[_R[name]]) for name in members) for _, members, _ in _GROUPS
)
_VIEWS = ("row", "column", "best", "file row", "file column", "definition row", "both")
FEATURES = (
    *(name for name, _ in _RAW),
    *(f"{group}: {view}" for group, _, _ in _GROUPS for view in _VIEWS),
)
_FIRST_VIEW = len(_RAW)


@dataclass(frozen=True, slots=True)
class Wish:
    """One logical commit, read: what its message and its hints say."""

    index: int
    message: Message
    hint: Hint


Row = dict[int, list[float]]  # commit (position in the wishes) → its features; absent is all 0


def rows(facts: Sequence[Facts], wishes: Sequence[Wish]) -> Iterator[Row]:
    """The features of every atom for every commit that any word speaks for, one by one: all at
    once they would not fit for a large difference."""
    raw = _Raw(facts, wishes).all()
    sums = [_group_sums(row) for row in raw]
    tops = _tops(sums, len(wishes))
    files = _means(facts, sums, [one.atom.path for one in facts])
    definitions = _means(facts, sums, [one.outermost for one in facts])
    file_tops = _tops(list(files.values()), len(wishes))
    for one, scores, groups in zip(facts, raw, sums, strict=True):
        file, definition = files[one.atom.path], definitions[one.outermost]
        yield _row(scores, groups, tops, file, file_tops, definition)


Groups = dict[int, tuple[float, ...]]  # commit → the five groups' sums


def _group_sums(row: Row) -> Groups:
    return {
        k: tuple(sum(weight * scores[at] for at, weight in group) for group in _GROUP_WEIGHTS)
        for k, scores in row.items()
    }


def _tops(sums: Sequence[Groups], count: int) -> list[list[float]]:
    """For every group, the greatest sum that any atom (or file) has for each commit."""
    tops = [[0.0] * count for _ in _GROUPS]
    for groups in sums:
        for k, values in groups.items():
            for group, value in enumerate(values):
                if value > tops[group][k]:
                    tops[group][k] = value
    return tops


_Key = TypeVar("_Key", bytes, str)


def _means(
    facts: Sequence[Facts], sums: Sequence[Groups], keys: Sequence[_Key]
) -> dict[_Key, Groups]:
    """The groups' sums averaged over the atoms of one key, each by its weight."""
    totals: dict[_Key, dict[int, list[float]]] = {}
    weights: dict[_Key, float] = {}
    for one, groups, key in zip(facts, sums, keys, strict=True):
        weight = one.weight
        weights[key] = weights.get(key, 0.0) + weight
        total = totals.setdefault(key, {})
        for k, values in groups.items():
            held = total.setdefault(k, [0.0] * len(_GROUPS))
            for group, value in enumerate(values):
                held[group] += weight * value
    return {
        key: {k: tuple(value / weights[key] for value in held) for k, held in total.items()}
        for key, total in totals.items()
    }


def _row(
    scores: Row,
    groups: Groups,
    tops: Sequence[Sequence[float]],
    file: Groups,
    file_tops: Sequence[Sequence[float]],
    definition: Groups,
) -> Row:
    count = range(len(_GROUPS))
    totals = [
        [sum(v[g] for v in each.values()) for g in count] for each in (groups, file, definition)
    ]
    highest = [max((values[g] for values in groups.values()), default=0.0) for g in count]
    found: Row = {}
    nothing = (0.0,) * len(_GROUPS)
    for k in file:
        raw = scores.get(k)
        vector = [math.log1p(value) for value in raw] if raw else [0.0] * len(_RAW)
        own, mean, outer = groups.get(k, nothing), file[k], definition.get(k, nothing)
        for g in count:
            value = own[g]
            row = value / (totals[0][g] + 0.5)
            column = value / (tops[g][k] + 0.5)
            vector += (
                row,
                column,
                1.0 if value > 0.3 and value == highest[g] else 0.0,
                mean[g] / (totals[1][g] + 0.3),
                mean[g] / (file_tops[g][k] + 0.3),
                outer[g] / (totals[2][g] + 0.5),
                math.sqrt(row * column),
            )
        found[k] = vector
    return found


class _Raw:
    """Raw scores through one inverted index over the messages' stems and names."""

    def __init__(self, facts: Sequence[Facts], wishes: Sequence[Wish]) -> None:
        self._facts, self._wishes = facts, wishes
        self._index: dict[str, list[tuple[int, bool, bool]]] = {}
        self._names: dict[str, list[int]] = {}
        for k, wish in enumerate(wishes):
            subject, body = wish.message.subject, wish.message.body
            for stem in dict.fromkeys((*subject, *body)):
                self._index.setdefault(stem, []).append((k, stem in subject, stem in body))
            for name in sorted(wish.message.names):
                self._names.setdefault(name, []).append(k)
        self._options = sorted({o for wish in wishes for o in wish.message.options})
        self._known: dict[str, tuple[tuple[str, ...], bool]] = {}
        self._bags: dict[str, tuple[Mapping[str, int], frozenset[str]]] = {}
        self._paths: dict[bytes, Scores] = {}
        self._places = _Places(wishes)

    def all(self) -> list[Row]:
        bags = [self._fields(one) for one in self._facts]
        spread: dict[str, int] = {}
        for fields in bags:
            for word in {word for bag, names in fields for word in (*bag, *names)}:
                spread[word] = spread.get(word, 0) + 1
        rarity = self._rarities(spread, len(bags))
        return [
            self._score(one, fields, rarity) for one, fields in zip(self._facts, bags, strict=True)
        ]

    def _rarities(self, spread: Mapping[str, int], atoms: int) -> dict[str, float]:
        messages = len(self._wishes)

        def rarity(held: int, word: str) -> float:
            over_messages = math.log(1 + (messages - held + 0.5) / (held + 0.5))
            among = spread.get(word, 0)
            return over_messages * math.log1p(atoms / (among + 0.5))

        found = {word: rarity(len(posting), word) for word, posting in self._index.items()}
        # Names are told from stems by a prefix no stem has.
        names = {"=" + n: rarity(len(held), "=" + n) for n, held in self._names.items()}
        return found | names

    def _fields(self, one: Facts) -> list[tuple[Mapping[str, int], frozenset[str]]]:
        path = one.atom.path.decode("utf-8", "replace")
        return [
            self._bag(one.added),
            self._bag(one.removed),
            self._kept_bag(one.around),
            self._kept_bag(path),
            self._kept_bag(" ".join(one.names)),
            self._kept_bag(one.near),
        ]

    def _kept_bag(self, text: str) -> tuple[Mapping[str, int], frozenset[str]]:
        found = self._bags.get(text)
        if found is None:
            found = self._bags[text] = self._bag(text)
        return found

    def _bag(self, text: str) -> tuple[Mapping[str, int], frozenset[str]]:
        """The stems that some message has too, counted, and the names that one mentions."""
        counts: dict[str, int] = {}
        names: set[str] = set()
        known = self._known
        for word in WORD.findall(text):
            meaning = known.get(word)
            if meaning is None:
                kept = tuple(stem for stem in stems(word) if stem in self._index)
                meaning = known[word] = kept, word in self._names
            for stem in meaning[0]:
                counts[stem] = counts.get(stem, 0) + 1
            if meaning[1]:
                names.add("=" + word)
        return counts, frozenset(names)

    def _score(
        self,
        one: Facts,
        fields: Sequence[tuple[Mapping[str, int], frozenset[str]]],
        rarity: Mapping[str, float],
    ) -> Row:
        row: Row = {}
        for field, (bag, _) in enumerate(fields):
            for stem, count in bag.items():
                value = rarity[stem] * 2 * count / (count + 1)
                for k, in_subject, in_body in self._index[stem]:
                    scores = row.get(k)
                    if scores is None:
                        scores = row[k] = [0.0] * len(_RAW)
                    if in_subject:
                        scores[field] += value
                    if in_body:
                        scores[field + 6] += value
        self._score_names(row, one, fields, rarity)
        self._score_text(row, one)
        for k, pairs in self._path_scores(one.atom.path).items():
            scores = row.setdefault(k, [0.0] * len(_RAW))
            for at, value in pairs:
                scores[at] = value
        return row

    def _score_names(
        self,
        row: Row,
        one: Facts,
        fields: Sequence[tuple[Mapping[str, int], frozenset[str]]],
        rarity: Mapping[str, float],
    ) -> None:
        defines = one.defines - one.undefines
        defined = [f"={name}" for name in sorted(defines) if name in self._names]
        sources: Iterable[tuple[str, Iterable[str]]] = (
            ("name added", sorted(fields[0][1])),
            ("name removed", sorted(fields[1][1])),
            ("name defined", defined),
            ("name around", sorted(fields[4][1])),
        )
        for kind, names in sources:
            for name in names:
                for k in self._names[name[1:]]:
                    row.setdefault(k, [0.0] * len(_RAW))[_R[kind]] += rarity[name]
        for name in defined:
            row[self._names[name[1:]][0]][_R["first mention"]] = 1.0
        at = _R["subject in definition"]
        for stem in self._bag(" ".join(sorted(defines)))[0] if defines else ():
            for k, in_subject, _ in self._index[stem]:
                if in_subject:
                    row.setdefault(k, [0.0] * len(_RAW))[at] += rarity[stem]

    def _score_text(self, row: Row, one: Facts) -> None:
        for option in self._options:
            if option in one.added or option in one.removed:
                for k, wish in enumerate(self._wishes):
                    if option in wish.message.options:
                        row.setdefault(k, [0.0] * len(_RAW))[_R["option"]] += 1.0

    def _path_scores(self, path: bytes) -> "Scores":
        """The four scores that a path alone has; the same for all atoms of a file."""
        found = self._paths.get(path)
        if found is None:
            text = path.decode("utf-8", "replace").lower()
            found = self._paths[path] = self._places.scores(text)
        return found


# By commit: which raw score, and its value; none that is zero.
Scores = dict[int, list[tuple[int, float]]]


class _Places:
    """What the messages say of files and folders, by what is said."""

    def __init__(self, wishes: Sequence[Wish]) -> None:
        self._files: dict[str, list[int]] = {}
        self._stems: dict[str, list[tuple[int, float]]] = {}
        self._paths: dict[str, list[int]] = {}
        self._areas: dict[str, list[int]] = {}
        self._sizes = [len(wish.message.area) for wish in wishes]
        for k, wish in enumerate(wishes):
            message = wish.message
            for name in message.files:
                self._files.setdefault(name, []).append(k)
            for word in {*message.words, *message.subject_words}:
                value = 1.0 if word in message.subject_words else 0.5
                self._stems.setdefault(word, []).append((k, value))
            for path in message.paths:
                self._paths.setdefault(path, []).append(k)
            for stem in message.area:
                self._areas.setdefault(stem, []).append(k)

    def scores(self, path: str) -> Scores:
        """Those of a path in lower case."""
        found: Scores = {}
        base = path.rpartition("/")[2]
        for k in self._files.get(base, ()):
            found.setdefault(k, []).append((_R["file"], 1.0))
        stem = base.partition(".")[0] or base
        for k, value in self._stems.get(stem, ()) if len(stem) > 2 else ():
            found.setdefault(k, []).append((_R["file stem"], value))
        longest: dict[int, int] = {}
        for part, wanting in self._paths.items():
            if f"/{part}/" in f"/{path}/":
                longest |= {k: max(len(part), longest.get(k, 0)) for k in wanting}
        for k, length in longest.items():
            if length:
                found.setdefault(k, []).append((_R["path"], length / max(len(path), 1)))
        shared: Counter[int] = Counter()
        for each in {each for word in WORD.findall(path) for each in stems(word)}:
            shared.update(self._areas.get(each, ()))
        for k, count in shared.items():
            found.setdefault(k, []).append((_R["area"], count / self._sizes[k]))
        return found
