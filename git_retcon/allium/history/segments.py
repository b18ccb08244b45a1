"""A history in segments: runs of commits each of which follows from the one before alone.

The trunk is the line of first parents of one tip; it is cut before each merge. Everything beside it
is a ``branch`` where it is merged into the trunk at last, else a ``dead-end``. Every commit is in
exactly one segment, in a graph of any shape, and only the first of a segment can be a merge
or have a parent in another one.
"""

import enum
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.history.commit_graph import CommitGraph


class SegmentKind(enum.StrEnum):
    """What a segment is to the trunk."""

    TRUNK = "trunk"
    BRANCH = "branch"
    DEAD_END = "dead-end"


class Segment(NamedTuple):
    """``commits`` are oldest first.

    ``fork_from`` is the commit that the first one follows, None for a root; ``merges_into`` are the
    merges, in other segments, of which the last one is a parent other than the first. ``needs``
    are all commits of other segments that must be described before.
    """

    id: str
    kind: SegmentKind
    commits: Sequence[str]
    fork_from: str | None
    merges_into: Sequence[str]
    needs: Sequence[str]


def find_segments(graph: CommitGraph, tip: str) -> Sequence[Segment]:
    """Every commit of the graph in segments, in an order in which they can be described.

    The trunk is that of ``tip``, which may be outside of the graph. Takes time linear in commits
    and parents.
    """
    trunk = _walk_trunk(graph, tip)
    children = graph.list_children()
    merged = _find_merged(graph, trunk)
    runs: list[list[str]] = []
    run_of: dict[str, list[str]] = {}
    heirs = _choose_heirs(graph, children, (trunk, merged))
    for commit, parents in graph.parents.items():
        before = parents[0] if parents else None
        # Parents come first in the graph, so the run of ``before`` is known.
        if len(parents) == 1 and before is not None and heirs.get(before) == commit:
            run = run_of[before]
            run.append(commit)
        else:
            run = [commit]
            runs.append(run)
        run_of[commit] = run
    counts = dict.fromkeys(SegmentKind, 0)
    segments = []
    for run in runs:
        kind = _find_kind(run[0], trunk, merged)
        segments.append(_describe_segment(f"{kind}-{counts[kind]}", kind, run, graph, children))
        counts[kind] += 1
    return segments


def _walk_trunk(graph: CommitGraph, tip: str) -> set[str]:
    """The line of first parents, as far as it is in the graph."""
    trunk: set[str] = set()
    commit: str | None = tip
    while commit is not None and commit in graph:
        trunk.add(commit)
        parents = graph.parents[commit]
        commit = parents[0] if parents else None
    return trunk


def _find_merged(graph: CommitGraph, trunk: set[str]) -> set[str]:
    """Every commit from which the trunk can be reached, going to children."""
    merged = set(trunk)
    # Children come before parents here, so one pass reaches everything.
    for commit in reversed(graph.parents):
        if commit in merged:
            merged.update(graph.parents[commit])
    return merged


def _choose_heirs(
    graph: CommitGraph, children: Mapping[str, Sequence[str]], kinds: Sequence[set[str]]
) -> Mapping[str, str]:
    """The child that goes on in a commit's segment: the first in order that follows from it, and
    is in the same sets of ``kinds``.
    """
    heirs: dict[str, str] = {}
    for commit, following in children.items():
        # A merge belongs to the line of its first parent; to its others it is only where they end.
        own = [child for child in following if graph.parents[child][0] == commit]
        for kind in kinds:
            if commit in kind:
                own = [child for child in own if child in kind]
        if own:
            heirs[commit] = own[0]
    return heirs


def _find_kind(first: str, trunk: set[str], merged: set[str]) -> SegmentKind:
    if first in trunk:
        return SegmentKind.TRUNK
    return SegmentKind.BRANCH if first in merged else SegmentKind.DEAD_END


def _describe_segment(
    name: str,
    kind: SegmentKind,
    run: Sequence[str],
    graph: CommitGraph,
    children: Mapping[str, Sequence[str]],
) -> Segment:
    parents = graph.parents[run[0]]
    merges = [child for child in children[run[-1]] if run[-1] in graph.parents[child][1:]]
    needs = tuple(parent for parent in parents if parent in graph)
    return Segment(name, kind, run, parents[0] if parents else None, tuple(merges), needs)
