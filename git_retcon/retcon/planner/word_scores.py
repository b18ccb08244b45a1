"""How much each commit's words speak for each atom: raw scores, before they are compared.

BM25-like sums over shared stems, with a rarity over messages and over atoms (Robertson & Zaragoza
2009), and plain scores for names, options, files and folders that a message mentions. One inverted
index over the messages keeps it linear in the words of the atoms.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.retcon.hints.words import WORD, stems
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts

# The first scores: stems of the subject, then of the body, in each of these fields of an atom.
_FIELDS = ("added", "removed", "around", "path", "names", "near")
# Each raw score with the weight it has in a group's sum. These only say what is roughly worth what:
# the fitted weights are for the views of the sums.
RAW_SCORES: tuple[tuple[str, float], ...] = (
    ("subject added", 1), ("subject removed", 0.7), ("subject around", 0.6), ("subject path", 1),
    ("subject names", 0.8), ("subject near", 0.3),
    ("body added", 0.5), ("body removed", 0.35), ("body around", 0.3), ("body path", 0.4),
    ("body names", 0.4), ("body near", 0.1),
    ("name added", 1.2), ("name removed", 0.8), ("name defined", 1.5), ("name around", 1),
    ("option", 1), ("file", 2), ("file stem", 2), ("path", 1), ("area", 2),
    ("first mention", 1), ("subject in definition", 0.6),
)  # fmt: skip
RAW_INDEX = {name: at for at, (name, _) in enumerate(RAW_SCORES)}

Row = dict[int, list[float]]  # commit (its position) → its scores; absent is all 0


class _Bag(NamedTuple):
    """The words of a text that some message has too: stems with their counts, and names."""

    stems: Mapping[str, int]
    names: frozenset[str]


class _Posting(NamedTuple):
    """A commit whose message has a stem, and where."""

    commit: int
    in_subject: bool
    in_body: bool


def score_words(facts: Sequence[Facts], descriptions: Sequence[Description]) -> list[Row]:
    """The raw scores of every atom for every commit that any word speaks for."""
    return _Scorer(descriptions).score(facts)


class _Scorer:
    """The messages' stems and names, indexed; and what was read of texts that recur."""

    def __init__(self, descriptions: Sequence[Description]) -> None:
        self._messages = [description.message for description in descriptions]
        self._stems: dict[str, list[_Posting]] = {}
        self._names: dict[str, list[int]] = {}
        for k, message in enumerate(self._messages):
            subject, body = message.subject, message.body
            for stem in dict.fromkeys((*subject, *body)):
                posting = _Posting(k, stem in subject, stem in body)
                self._stems.setdefault(stem, []).append(posting)
            for name in sorted(message.names):
                self._names.setdefault(name, []).append(k)
        # Sorted, so that sums of floats come out the same on every run: a set of strings has
        # another order in each process.
        self._options = sorted({o for message in self._messages for o in message.options})
        self._known: dict[str, tuple[tuple[str, ...], bool]] = {}
        self._bags: dict[str, _Bag] = {}
        self._paths: dict[bytes, Scores] = {}
        self._mentions = _FileMentions(descriptions)

    def score(self, facts: Sequence[Facts]) -> list[Row]:
        bags = [self._read_fields(one) for one in facts]
        spread: Counter[str] = Counter()  # word → how many atoms have it
        for fields in bags:
            spread.update(
                {word for bag in fields for word in (*bag.stems, *map(_make_key, bag.names))}
            )
        rarity = self._find_rarities(spread, len(bags))
        return [
            self._score_atom(one, fields, rarity) for one, fields in zip(facts, bags, strict=True)
        ]

    def _find_rarities(self, spread: Mapping[str, int], atoms: int) -> dict[str, float]:
        """A stem's or a name's weight: much where few messages and few atoms have it."""
        messages = len(self._messages)

        def rarity(holders: int, word: str) -> float:
            over_messages = math.log(1 + (messages - holders + 0.5) / (holders + 0.5))
            # A word that half of the messages have says nothing of one of them, and one that half
            # of the atoms have nothing of one atom.
            return over_messages * math.log1p(atoms / (spread.get(word, 0) + 0.5))

        found = {word: rarity(len(posting), word) for word, posting in self._stems.items()}
        for name, holders in self._names.items():
            found[_make_key(name)] = rarity(len(holders), _make_key(name))
        return found

    def _read_fields(self, one: Facts) -> list[_Bag]:
        """A bag for each of ``_FIELDS``. What many atoms of a file share is read once."""
        path = one.atom.path.decode("utf-8", "replace")
        return [
            self._read_bag(one.added),
            self._read_bag(one.removed),
            self._read_shared_bag(one.around),
            self._read_shared_bag(path),
            self._read_shared_bag(" ".join(one.names)),
            self._read_shared_bag(one.near),
        ]

    def _read_shared_bag(self, text: str) -> _Bag:
        found = self._bags.get(text)
        if found is None:
            found = self._bags[text] = self._read_bag(text)
        return found

    def _read_bag(self, text: str) -> _Bag:
        counts: dict[str, int] = {}
        names: set[str] = set()
        known = self._known
        for word in WORD.findall(text):
            meaning = known.get(word)
            if meaning is None:
                # What no message says is dropped at once: that is most words of a difference.
                kept = tuple(stem for stem in stems(word) if stem in self._stems)
                meaning = known[word] = kept, word in self._names
            for stem in meaning[0]:
                counts[stem] = counts.get(stem, 0) + 1
            if meaning[1]:
                names.add(word)
        return _Bag(counts, frozenset(names))

    def _score_atom(self, one: Facts, fields: Sequence[_Bag], rarity: Mapping[str, float]) -> Row:
        row: Row = {}
        self._score_stems(row, fields, rarity)
        self._score_names(row, one, fields, rarity)
        self._score_definitions(row, one, rarity)
        self._score_options(row, one)
        for k, pairs in self._path_scores(one.atom.path).items():
            scores = _scores_of(row, k)
            for at, value in pairs:
                scores[at] = value
        return row

    def _score_stems(self, row: Row, fields: Sequence[_Bag], rarity: Mapping[str, float]) -> None:
        body = len(_FIELDS)
        for field, bag in enumerate(fields):
            for stem, count in bag.stems.items():
                # BM25's saturation with k1 = 1: the tenth mention says little more than the third
                value = rarity[stem] * 2 * count / (count + 1)
                for k, in_subject, in_body in self._stems[stem]:
                    scores = _scores_of(row, k)
                    if in_subject:
                        scores[field] += value
                    if in_body:
                        scores[body + field] += value

    def _score_names(
        self, row: Row, one: Facts, fields: Sequence[_Bag], rarity: Mapping[str, float]
    ) -> None:
        added, removed, _, _, names, _ = fields
        defined = self._defined_names(one)
        sources: Iterable[tuple[str, Iterable[str]]] = (
            ("name added", sorted(added.names)),
            ("name removed", sorted(removed.names)),
            ("name defined", defined),
            ("name around", sorted(names.names)),
        )
        for kind, mentioned in sources:
            for name in mentioned:
                for k in self._names[name]:
                    _scores_of(row, k)[RAW_INDEX[kind]] += rarity[_make_key(name)]
        for name in defined:
            # The first message that names a definition most often introduces it; later ones use it.
            row[self._names[name][0]][RAW_INDEX["first mention"]] = 1.0

    def _defined_names(self, one: Facts) -> list[str]:
        return sorted(name for name in one.defines - one.undefines if name in self._names)

    def _score_definitions(self, row: Row, one: Facts, rarity: Mapping[str, float]) -> None:
        defines = one.defines - one.undefines
        at = RAW_INDEX["subject in definition"]
        for stem in self._read_bag(" ".join(sorted(defines))).stems if defines else ():
            for k, in_subject, _ in self._stems[stem]:
                if in_subject:
                    _scores_of(row, k)[at] += rarity[stem]

    def _score_options(self, row: Row, one: Facts) -> None:
        for option in self._options:
            if option in one.added or option in one.removed:
                for k, message in enumerate(self._messages):
                    if option in message.options:
                        _scores_of(row, k)[RAW_INDEX["option"]] += 1.0

    def _path_scores(self, path: bytes) -> "Scores":
        """The scores that a path alone has; the same for all atoms of a file."""
        found = self._paths.get(path)
        if found is None:
            text = path.decode("utf-8", "replace").lower()
            found = self._paths[path] = self._mentions.score(text)
        return found


def _make_key(name: str) -> str:
    """A name as a key among stems: with a prefix that no stem has."""
    return "=" + name


def _scores_of(row: Row, k: int) -> list[float]:
    scores = row.get(k)
    if scores is None:
        scores = row[k] = [0.0] * len(RAW_SCORES)
    return scores


# By commit: which raw score, and its value; none that is zero.
Scores = dict[int, list[tuple[int, float]]]


class _FileMentions:
    """What the messages say of files and folders, by what they say."""

    def __init__(self, descriptions: Sequence[Description]) -> None:
        self._files: dict[str, list[int]] = {}
        self._stems: dict[str, list[tuple[int, float]]] = {}
        self._paths: dict[str, list[int]] = {}
        self._areas: dict[str, list[int]] = {}
        self._sizes = [len(description.message.area) for description in descriptions]
        for k, description in enumerate(descriptions):
            message = description.message
            for name in message.files | message.bare_files:
                self._files.setdefault(name, []).append(k)
            for word in {*message.words, *message.subject_words}:
                value = 1.0 if word in message.subject_words else 0.5
                self._stems.setdefault(word, []).append((k, value))
            for path in message.paths:
                self._paths.setdefault(path, []).append(k)
            for stem in message.area:
                self._areas.setdefault(stem, []).append(k)

    def score(self, path: str) -> Scores:
        """The scores of a path in lower case."""
        found: Scores = {}
        base = path.rpartition("/")[2]
        for k in self._files.get(base, ()):
            found.setdefault(k, []).append((RAW_INDEX["file"], 1.0))
        stem = base.partition(".")[0] or base
        # Files named "a" or "io" would match the words of any message.
        for k, value in self._stems.get(stem, ()) if len(stem) > 2 else ():
            found.setdefault(k, []).append((RAW_INDEX["file stem"], value))
        # The more of a path is said, the surer it is meant: "src" says little of "src/a/b.py".
        for k, length in self._longest_paths(path).items():
            found.setdefault(k, []).append((RAW_INDEX["path"], length / max(len(path), 1)))
        shared: Counter[int] = Counter()
        for each in {each for word in WORD.findall(path) for each in stems(word)}:
            shared.update(self._areas.get(each, ()))
        for k, count in shared.items():
            # An area of two words ("net/http:") is met by both, not by one of them alone.
            found.setdefault(k, []).append((RAW_INDEX["area"], count / self._sizes[k]))
        return found

    def _longest_paths(self, path: str) -> dict[int, int]:
        """Commit → the length of the longest path it mentions that is, or holds, this one."""
        longest: dict[int, int] = {}
        for mentioned, commits in self._paths.items():
            # With slashes at both ends "lib" is not found in "glib/a.c".
            if mentioned and f"/{mentioned}/" in f"/{path}/":
                longest |= {k: max(len(mentioned), longest.get(k, 0)) for k in commits}
        return longest
