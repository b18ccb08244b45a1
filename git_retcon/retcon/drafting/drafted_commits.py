"""A draft: the commits that a branch seems to be, in an order that can build."""

import functools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from importlib import resources
from typing import NamedTuple

from git_retcon.code.file_classes import FileClass
from git_retcon.retcon.drafting.clusters import PairWeights, find_clusters, weigh_pairs
from git_retcon.retcon.drafting.subjects import (
    SubjectStyle,
    make_unique,
    says_something,
    write_subject,
)
from git_retcon.retcon.planner.facts import Facts, Origin, Pair
from git_retcon.retcon.planner.ordering import Order, Unit
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.show.style import show_path

_OWN = 0.6  # of a cluster's lines, and of the source commit's, from which on it is that commit
_BEHIND = {FileClass.DOC, FileClass.LOG}
_MOST_NAMES = 6  # definitions that a hint names of one file


class DraftCommit(NamedTuple):
    """One commit of a draft; ``atoms`` are ids."""

    subject: str
    hints: str
    atoms: Set[str]


def draft_commits(task: Task, style: SubjectStyle) -> list[DraftCommit]:
    """The commits of a draft, oldest first. Of ``task``, the commits are not read."""
    planner = Planner(task)
    facts = planner.facts
    origins = [task.origin.get(one.atom.id, {}) for one in facts]
    clusters = cluster_atoms(planner, has_history=any(origins))
    ordered = keep_order(
        order_clusters(clusters, facts, planner.constraints.order, origins), planner
    )
    subjects = [
        _find_subject(cluster, facts, origins, task.subjects)
        or write_subject([facts[at] for at in cluster], style)
        for cluster in ordered
    ]
    return [
        DraftCommit(
            subject,
            write_hints([facts[at] for at in cluster]),
            frozenset(facts[at].atom.id for at in cluster),
        )
        for subject, cluster in zip(make_unique(subjects), ordered, strict=True)
    ]


def cluster_atoms(planner: Planner, *, has_history: bool) -> list[list[int]]:
    """Atoms, by position, that seem to be one commit."""
    weights = _read_weights()[int(has_history)]
    sizes = [one.weight for one in planner.facts]
    odds = weigh_pairs(planner.relations, weights)
    return find_clusters(planner.group_atoms(), sizes, odds, weights)


# Read where a draft is made, not at import.
@functools.cache
def _read_weights() -> Sequence[PairWeights]:
    """For a squashed source, and for one with commits of its own."""
    text = resources.files(__package__).joinpath("pairs.json").read_text("utf-8")
    return [PairWeights(**each) for each in json.loads(text)["weights"]]


def order_clusters(
    clusters: Sequence[Sequence[int]],
    facts: Sequence[Facts],
    order: Sequence[Pair],
    origins: Sequence[Origin],
) -> list[Sequence[int]]:
    """Clusters with what others need first; else as the source's commits came, documents behind
    code, then by place."""
    owner = {at: number for number, cluster in enumerate(clusters) for at in cluster}
    net: Counter[tuple[int, int]] = Counter()
    for a, b in order:
        if owner[a] != owner[b]:
            net[owner[a], owner[b]] += 1
    # Two clusters may need each other; then the direction that more pairs speak for counts.
    before: dict[int, set[int]] = {number: set() for number in range(len(clusters))}
    for (a, b), count in net.items():
        if count > net.get((b, a), 0):
            before[b].add(a)
    rank = {
        number: (
            _mean_position(cluster, origins),
            all(facts[at].classes & _BEHIND for at in cluster),
            min(cluster),
        )
        for number, cluster in enumerate(clusters)
    }
    found: list[Sequence[int]] = []
    while before:
        free = [number for number, needed in before.items() if not needed & before.keys()]
        # A circle of three has nothing free: the earliest of it begins.
        first = min(free or before, key=lambda number: rank[number])
        found.append(clusters[first])
        del before[first]
    return found


def keep_order(clusters: Sequence[Sequence[int]], planner: Planner) -> list[Sequence[int]]:
    """The same clusters, but for what must move so that no definition comes behind its use, nor
    goes before it.

    The planner's own repair: a draft's pins win over the order, so they must not break it. A
    cluster that is left with nothing is dropped.
    """
    count = len(clusters)
    owner = {at: k for k, cluster in enumerate(clusters) for at in cluster}
    units = [
        Unit(
            group,
            [0.0 if k == owner[group[0]] else -1.0 for k in range(count)],
            sum(planner.facts[at].weight for at in group),
        )
        for group in planner.group_atoms()
    ]
    order = Order(units, planner.constraints, count)
    order.enforce()
    found: list[list[int]] = [[] for _ in clusters]
    for unit, k in zip(order.units, order.labels, strict=True):
        found[k] += unit.atoms
    return [sorted(cluster) for cluster in found if cluster]


def _mean_position(cluster: Sequence[int], origins: Sequence[Origin]) -> float:
    lines = [(w, count) for at in cluster for w, count in origins[at].items()]
    total = sum(count for _, count in lines)
    return sum(w * count for w, count in lines) / total if total else 0.0


def _find_subject(
    cluster: Sequence[int],
    facts: Sequence[Facts],
    origins: Sequence[Origin],
    subjects: Sequence[str],
) -> str | None:
    """The subject of the source commit that a cluster is, where that says something."""
    own = _count_lines(origins[at] for at in cluster)
    if not own:
        return None
    everywhere = _count_lines(origins)
    w, lines = max(own.items(), key=lambda pair: (pair[1], -pair[0]))
    is_it = lines >= _OWN * sum(own.values()) and lines >= _OWN * everywhere[w]
    return subjects[w] if is_it and says_something(subjects[w]) else None


def _count_lines(origins: Iterable[Origin]) -> Mapping[int, int]:
    found: Counter[int] = Counter()
    for origin in origins:
        found.update(origin)
    return found


def write_hints(facts: Sequence[Facts]) -> str:
    """Hints that name files and their definitions, a file a line."""
    lines: dict[str, dict[str, None]] = {}
    for one in facts:
        names = lines.setdefault(show_path(one.atom.path), {})
        if one.names and one.language.brackets:
            names[one.names[0]] = None
    return "\n".join(
        f"{path}: {', '.join(list(names)[:_MOST_NAMES])}" if names else path
        for path, names in lines.items()
    )
