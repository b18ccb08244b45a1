"""The words' scores as features of the model: each seen against the others.

A score counts by its share among the commits (rows) and by its share among the atoms (columns: a
message is about few atoms, so these compete for it). The columns are the strongest single evidence
that words give: rows and columns together gained 1.6 points over weights on the raw scores alone.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.word_scores import RAW_INDEX, RAW_SCORES, Row, score_words

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("subject", ("subject added", "subject removed", "subject around", "subject names")),
    ("body", ("body added", "body removed", "body around", "body names")),
    ("path", ("subject path", "body path", "file", "file stem", "path", "area")),
    ("name", ("name added", "name removed", "name defined", "name around", "first mention")),
    ("all", tuple(name for name, _ in RAW_SCORES)),
)
_GROUP_WEIGHTS = tuple(
    tuple((RAW_INDEX[name], RAW_SCORES[RAW_INDEX[name]][1]) for name in members)
    for _, members in _GROUPS
)
_VIEWS = ("row", "column", "best", "file row", "file column", "definition row", "both")
FEATURES = (
    *(name for name, _ in RAW_SCORES),
    *(f"{group}: {view}" for group, _ in _GROUPS for view in _VIEWS),
)


def word_features(
    facts: Sequence[Facts],
    descriptions: Sequence[Description],
    is_wanted: Sequence[bool] | None = None,
) -> Iterator[Row]:
    """The features of every atom for every commit that any word speaks for.

    ``is_wanted`` says of which atoms; the others have an empty row. Atom by atom: all at once they
    would not fit into memory for a large difference.
    """
    wanted = is_wanted or [True] * len(facts)
    if not any(wanted):
        yield from ({} for _ in facts)
        return
    raw = score_words(facts, descriptions)
    known = _Sums()
    sums = [known.sum_groups(row) for row in raw]
    tops = _find_tops(sums, len(descriptions))
    files = _find_means(facts, sums, [one.atom.path for one in facts])
    definitions = _find_means(facts, sums, [one.outermost for one in facts])
    file_tops = _find_tops(list(files.values()), len(descriptions))
    for one, scores, groups, needs_row in zip(facts, raw, sums, wanted, strict=True):
        if not needs_row:
            yield {}
            continue
        file, definition = files[one.atom.path], definitions[one.outermost]
        yield _make_row(scores, groups, tops, file, file_tops, definition, known)


Groups = dict[int, tuple[float, ...]]  # commit → the five groups' sums


class _Sums:
    """The groups' sums and the logarithms of raw scores, each worked out once.

    Most pairs of an atom and a commit share their scores with many others: what a word says of
    one file, it says of the next.
    """

    def __init__(self) -> None:
        self._sums: dict[tuple[float, ...], tuple[float, ...]] = {}
        self._logs: dict[tuple[float, ...], list[float]] = {}

    def sum_groups(self, row: Row) -> Groups:
        return {k: self._sum_scores(tuple(scores)) for k, scores in row.items()}

    def log_scores(self, scores: Sequence[float]) -> list[float]:
        """A list of one's own, to be added to."""
        key = tuple(scores)
        found = self._logs.get(key)
        if found is None:
            found = self._logs[key] = [math.log1p(value) for value in key]
        return found.copy()

    def _sum_scores(self, scores: tuple[float, ...]) -> tuple[float, ...]:
        found = self._sums.get(scores)
        if found is None:
            found = self._sums[scores] = tuple(
                sum(weight * scores[at] for at, weight in group) for group in _GROUP_WEIGHTS
            )
        return found


def _find_tops(sums: Sequence[Groups], count: int) -> list[list[float]]:
    """For every group, the greatest sum that any atom (or file) has for each commit."""
    tops = [[0.0] * count for _ in _GROUPS]
    for groups in sums:
        for k, values in groups.items():
            for group, value in enumerate(values):
                if value > tops[group][k]:
                    tops[group][k] = value
    return tops


_Key = TypeVar("_Key", bytes, str)


def _find_means(
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
            held = total.get(k)
            if held is None:
                total[k] = [weight * value for value in values]
            else:
                total[k] = [sum_ + weight * value for sum_, value in zip(held, values, strict=True)]
    means: dict[_Key, Groups] = {}
    for key, total in totals.items():
        weight = weights[key]
        means[key] = {k: tuple([value / weight for value in held]) for k, held in total.items()}
    return means


def _make_row(
    scores: Row,
    groups: Groups,
    tops: Sequence[Sequence[float]],
    file: Groups,
    file_tops: Sequence[Sequence[float]],
    definition: Groups,
    known: _Sums,
) -> Row:
    count = range(len(_GROUPS))
    totals = [
        [sum(column) for column in zip(*each.values(), strict=True)] or [0.0] * len(_GROUPS)
        for each in (groups, file, definition)
    ]
    highest = [max(column) for column in zip(*groups.values(), strict=True)] or [0.0] * len(_GROUPS)
    found: Row = {}
    nothing = (0.0,) * len(_GROUPS)
    for k in file:
        raw = scores.get(k)
        vector = known.log_scores(raw) if raw else [0.0] * len(RAW_SCORES)
        own, mean, outer = groups.get(k, nothing), file[k], definition.get(k, nothing)
        for g in count:
            value = own[g]
            # The small constants keep a share of almost nothing from being a share of 1.
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
